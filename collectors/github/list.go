package github

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/internal/ghapi"
)

// keyed is an item of a list that has an identity of its own.
type keyed interface{ key() string }

// wholeList collects a list to its end, starting with its first page (nil where
// GitHub gave none): items once each, in GitHub's order. It asks on while
// GitHub's count says that there is more, whatever hasNextPage says, and never
// twice for the same cursor. whole is false where the count was not reached or
// an item stayed null. The error is one of this list alone (see ofItem), or ends
// the run.
func wholeList[T keyed](ctx context.Context, id string, items int, first *page[T], next more[T]) (list []T, whole bool, err error) {
	got := collector[T]{seen: map[string]bool{}}
	var after *string
	p := first
	if p == nil || hasNull(p.Nodes) {
		if p, err = askPage(ctx, id, nil, items, next); err != nil {
			return nil, false, err
		}
	}
	past := map[string]bool{}
	for {
		if p == nil {
			return got.list, false, nil
		}
		got.add(p.Nodes)
		if !p.PageInfo.HasNextPage && len(got.list) >= p.TotalCount {
			return got.list, !got.nulls, nil
		}
		after = p.PageInfo.EndCursor
		if after == nil || past[*after] || len(p.Nodes) == 0 {
			return got.list, false, nil
		}
		past[*after] = true
		if p, err = askPage(ctx, id, after, items, next); err != nil {
			return nil, false, err
		}
	}
}

// collector gathers nodes once each.
type collector[T keyed] struct {
	list  []T
	seen  map[string]bool
	nulls bool
}

func (c *collector[T]) add(nodes []*T) {
	for _, n := range nodes {
		switch {
		case n == nil:
			c.nulls = true
		case !c.seen[(*n).key()]:
			c.seen[(*n).key()] = true
			c.list = append(c.list, *n)
		}
	}
}

// askPage asks for one page; a null node in it is asked for once more, in half
// the company.
func askPage[T any](ctx context.Context, id string, after *string, items int, next more[T]) (got *page[T], err error) {
	for range 2 {
		err = shrinking(ctx, items, func(ctx context.Context, n int) error {
			p, partial, err := next(ctx, id, after, n)
			if err != nil {
				return err
			}
			if partial.limited() {
				return fmt.Errorf("%w: %w", ghapi.ErrResourceLimits, partial.errors[0])
			}
			got = p
			return nil
		})
		if err != nil || got != nil && !hasNull(got.Nodes) {
			return got, err
		}
		items = max(1, items/2)
	}
	return got, err
}
