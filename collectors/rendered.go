package collectors

import (
	"encoding/json"
	"fmt"

	"github.com/prforge/prforge/internal/store"
)

// KeepRendered keeps what was made of a pull request until it is frozen, beside
// the raw records and never exported with them.
func (r *Repository) KeepRendered(n int, task any) error {
	return stateError(store.Put(r.shard, store.Meta, renderedKey(n), task))
}

// Rendered reads what KeepRendered kept into task.
func (r *Repository) Rendered(n int, task any) error {
	raw, ok, err := store.Get[json.RawMessage](r.shard, store.Meta, renderedKey(n))
	if err == nil && !ok {
		err = fmt.Errorf("%s was not rendered", r.ref(n))
	}
	if err == nil {
		err = json.Unmarshal(raw, task)
	}
	return stateError(err)
}

func renderedKey(n int) string { return fmt.Sprintf("rendered/%d", n) }
