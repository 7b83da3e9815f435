package collectors

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// Results of a search stay in the state until a refresh: GitHub's answer to the same query changes every hour, and an
// interrupted search continues where it stopped.

// Find is a page of a search for repositories.
func (c *Collector) Find(ctx context.Context, query, after string) (*github.FoundPage, error) {
	return kept(ctx, c, "find\n"+query+"\n"+after,
		func(client *github.Client) (*github.FoundPage, error) { return client.Find(ctx, query, after) })
}

// CountMerged counts the pull requests merged in [from, to), in the order of the repositories; -1 if GitHub does not
// say.
func (c *Collector) CountMerged(ctx context.Context, refs []model.RepoRef, from, to time.Time) ([]int, error) {
	var out []int
	for len(refs) > 0 {
		n := min(github.MaxCounts, len(refs))
		names := make([]string, n)
		for i, ref := range refs[:n] {
			names[i] = ref.String()
		}
		key := "merged\n" + from.Format(time.DateOnly) + "\n" + to.Format(time.DateOnly) + "\n" + strings.Join(names, "\n")
		counts,
			err := kept(ctx, c, key,
			func(client *github.Client) ([]int, error) { return client.CountMerged(ctx, refs[:n], from, to) })
		if err != nil {
			return nil, err
		}
		out, refs = append(out, counts...), refs[n:]
	}
	return out, nil
}

// Kept returns the stored result of a function for a key, and calls the function if there is none.
func Kept[T any](c *Collector, key string, make func() (T, error)) (T, error) {
	id := digest.Bytes([]byte(strconv.Itoa(len(key)) + key))
	known, ok, err := store.Get[T](c.store.Answers(), store.Meta, id)
	if err != nil || ok && !c.opts.Refresh {
		return known, err
	}
	value, err := make()
	if err == nil {
		err = store.Put(c.store.Answers(), store.Meta, id, value)
	}
	return value, err
}

// kept asks GitHub only for what the state lacks.
func kept[T any](ctx context.Context, c *Collector, key string, ask func(*github.Client) (T, error)) (value T,
	err error) {
	return Kept(c, key, func() (T, error) {
		client, err := c.github(ctx)
		if err != nil {
			return value, err
		}
		return ask(client)
	})
}
