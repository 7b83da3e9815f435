package collectors

import (
	"context"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// LaterHistory is the later history of a repository's default branch, stored or read from a mirror; the key names the
// query. It is nil, without an error, if it is not stored and there is no mirror.
func (r *Repository) LaterHistory(ctx context.Context, key string, m *gitsource.Mirror, q gitsource.HistoryQuery) (*model.LaterHistory, error) {
	known, ok, err := store.Get[model.LaterHistory](r.shard, store.History, key)
	if err != nil || m == nil || ok && !r.c.opts.Refresh {
		if !ok {
			return nil, err
		}
		return &known, err
	}
	h, err := m.History(ctx, q)
	if err != nil {
		return nil, err
	}
	return h, store.Put(r.shard, store.History, key, *h)
}
