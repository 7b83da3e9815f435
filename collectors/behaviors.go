package collectors

import (
	"fmt"

	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// Behaviors returns the results of runs by the key of what ran. It calls run for those that are not stored; if run is
// nil, that is a python.ErrNotKept.
func (r *Repository) Behaviors(key string, run func() ([]model.Behavior, error)) ([]model.Behavior, error) {
	kept, found, err := store.Get[[]model.Behavior](r.shard, store.Run, key)
	switch {
	case err != nil || found:
		return kept, err
	case run == nil:
		return nil, fmt.Errorf("%s: %w", r.facts.Ref, python.ErrNotKept)
	}
	made, err := run()
	if err != nil {
		return nil, err
	}
	return made, store.Put(r.shard, store.Run, key, made)
}
