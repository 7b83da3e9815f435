package collectors

import (
	"context"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// LaterHistory is what a repository's default branch did later, read from a
// mirror unless it was read before; the key names the question. It is nil,
// without an error, where it is not known and there is no mirror.
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
