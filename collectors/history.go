package collectors

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// LaterHistory is the later history of a repository's default branch, stored or read from a mirror; the key names the
// query. It is nil, without an error, if it is not stored and there is no mirror.
func (r *Repository) LaterHistory(ctx context.Context, key string, m *gitsource.Mirror,
	q gitsource.HistoryQuery) (*model.LaterHistory, error) {
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

// CommitPulls are the pull requests that brought commits of a later history in, by commit. They are stored beside the
// history, which the key names, after each request. Offline they are those that are stored. What must stay unknown is
// then removed from them and from the history.
func (r *Repository) CommitPulls(ctx context.Context, key string, h *model.LaterHistory,
	commits []string) (map[string]model.CommitPull, error) {
	key = textsKey(key)
	known, _, err := store.Get[map[string]model.CommitPull](r.shard, store.History, key)
	if err != nil {
		return nil, err
	}
	missing := slices.DeleteFunc(slices.Clone(commits), func(oid string) bool { _, ok := known[oid]; return ok })
	for len(missing) > 0 {
		client, err := r.c.github(ctx)
		if errors.Is(err, ErrOffline) || errors.Is(err, ErrNoToken) {
			break
		}
		if err != nil {
			return nil, err
		}
		got, asked, err := client.CommitPulls(ctx, r.facts.Ref, missing)
		if err != nil {
			return nil, err
		}
		if known == nil {
			known = map[string]model.CommitPull{}
		}
		maps.Copy(known, got)
		if err := store.Put(r.shard, store.History, key, known); err != nil {
			return nil, err
		}
		missing = missing[asked:]
	}
	out := map[string]model.CommitPull{}
	for _, oid := range commits {
		if p := known[oid]; p.Number != 0 {
			out[oid] = p
		}
	}
	r.redactLater(h, out)
	return out, nil
}

// redactLater removes from a later history and what GitHub says of its commits what must stay unknown.
func (r *Repository) redactLater(h *model.LaterHistory, texts map[string]model.CommitPull) {
	if r.c.opts.RedactLater != nil {
		r.c.opts.RedactLater(r.facts.Ref, h, texts)
	}
}

// storedLater is a stored later history and what GitHub says of its commits.
func (r *Repository) storedLater(key string) (*model.LaterHistory, map[string]model.CommitPull, error) {
	h, _, err := store.Get[model.LaterHistory](r.shard, store.History, key)
	if err != nil {
		return nil, nil, err
	}
	texts, _, err := store.Get[map[string]model.CommitPull](r.shard, store.History, textsKey(key))
	return &h, texts, err
}

// textsKey names what GitHub says of a history's commits.
func textsKey(history string) string { return history + "-texts" }
