package github

import (
	"context"
	"errors"
	"reflect"
	"strconv"

	"github.com/prforge/prforge/internal/ghapi"
)

// begin starts a list from its first page (nil where GitHub gave none); what is longer than a page waits for askMore.
// done receives the items of the finished list; an incomplete list is noted by name. If GitHub withholds a part, the
// list has a gap; if it never answers, the pull request fails.
func begin[T keyed](g *batch, j *job, k kind, id string, first *page[T], done func([]T)) {
	l := newList[T]()
	take := func(p *page[T]) step {
		if p != nil && k == historyOf {
			p.TotalCount = 0 // it is not documented whether a timeline's count knows of itemTypes
		}
		return l.take(p)
	}
	finish := func() {
		if !l.whole {
			lacking(j.pull, k.name)
		}
		done(l.items)
	}
	if take(first) == finished {
		finish()
		return
	}
	j.waiting++
	g.lists = append(g.lists, &unfinished{
		job: j, kind: k, id: id, page: reflect.TypeFor[*page[T]](), size: g.c.o.Items,
		cursor: func() *string { return l.cursor },
		take: func(v reflect.Value) step {
			p, _ := reflect.TypeAssert[*page[T]](v)
			return take(p)
		},
		finish: func() { j.waiting--; finish() },
	})
}

// askMore asks for a page each of several unfinished lists.
func (g *batch) askMore(ctx context.Context) error {
	n := min(len(g.lists), g.c.lists.now())
	lists := g.lists[:n:n]
	g.lists = g.lists[n:]
	size := g.c.o.Items
	for _, l := range lists {
		size = min(size, l.size)
	}
	call := ctx
	if n > 1 || size > 1 {
		call = ghapi.Shrinkable(ctx)
	}
	q := newMoreQuery(lists, size)
	err := g.c.api.Query(call, q.value.Interface(), q.vars)
	var partial *ghapi.PartialError
	switch {
	case err == nil:
		g.c.lists.grow()
	case errors.As(err, &partial):
		if errors.Is(err, ghapi.ErrResourceLimits) {
			g.c.lists.shrink(n)
		}
	case !ofItem(err):
		return err
	case g.c.lists.shrink(n):
		g.lists = append(lists, g.lists...)
		return nil
	case size > 1:
		lists[0].size = size / 2
		g.lists = append(lists, g.lists...)
		return nil
	default:
		g.giveUp(lists[0].job, err)
		return nil
	}
	for i, l := range lists {
		var page reflect.Value
		why := errorAt(partial, "n"+strconv.Itoa(i))
		if why == nil {
			page = q.page(i)
		}
		g.takeMore(l, page, why)
	}
	return nil
}

// takeMore adds a page to a list, or says why there is none. A list that repeatedly returns nothing stays incomplete
// or fails its pull request.
func (g *batch) takeMore(l *unfinished, page reflect.Value, why *ghapi.GraphQLError) {
	next := samePage
	if page.IsValid() {
		next = l.take(page)
	}
	switch next {
	case finished:
		l.finish()
		return
	case nextPage:
		l.troubles = 0
	case samePage:
		l.size = max(1, l.size/2)
		if l.troubles++; l.troubles >= maxTroubles {
			if why != nil && !isAnswer(why) {
				g.giveUp(l.job, why)
				return
			}
			g.c.log.Warn("a list stays incomplete", "pull", l.job.ask.Ref.String(), "list", l.kind.name)
			l.finish()
			return
		}
	}
	g.lists = append(g.lists, l)
}
