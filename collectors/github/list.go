package github

// keyed is an item of a list that has an identity of its own.
type keyed interface{ key() string }

func (n labelNode) key() string        { return n.ID }
func (n fileNode) key() string         { return n.Path }
func (n reviewNode) key() string       { return n.ID }
func (n threadNode) key() string       { return n.ID }
func (n issueCommentNode) key() string { return n.ID }
func (n commentNode) key() string      { return n.ID }
func (n eventNode) key() string        { return n.Dismissed.ID + n.Pushed.ID + n.Renamed.ID }

// step is what a list needs after a page.
type step int

const (
	finished step = iota
	nextPage      // the page after the cursor
	samePage      // the same page again: part of it did not come
)

// list reads a connection to its end: each item once, in GitHub's order. It continues while GitHub's count says that
// there is more, whatever hasNextPage says, and never requests the same cursor twice.
type list[T keyed] struct {
	items   []T
	whole   bool    // the count was reached and no item is missing
	cursor  *string // of the page to ask for; nil is the first
	seen    map[string]bool
	past    map[string]bool
	nulls   int // pages in a row with null items
	missing bool
}

func newList[T keyed]() *list[T] {
	return &list[T]{seen: map[string]bool{}, past: map[string]bool{}}
}

// take adds a page; nil is one that GitHub could not produce.
func (l *list[T]) take(p *page[T]) step {
	if p == nil {
		return samePage
	}
	if hasNull(p.Nodes) {
		if l.nulls++; l.nulls == 1 {
			return samePage // null is not absent
		}
		l.missing = true
	}
	l.nulls = 0
	for _, n := range p.Nodes {
		if n != nil && !l.seen[(*n).key()] {
			l.seen[(*n).key()] = true
			l.items = append(l.items, *n)
		}
	}
	if !p.PageInfo.HasNextPage && len(l.items) >= p.TotalCount {
		l.whole = !l.missing
		return finished
	}
	next := p.PageInfo.EndCursor
	if next == nil || l.past[*next] || len(p.Nodes) == 0 {
		return finished
	}
	l.past[*next] = true
	l.cursor = next
	return nextPage
}

// hasNull reports whether a page has null nodes.
func hasNull[T any](nodes []*T) bool {
	for _, n := range nodes {
		if n == nil {
			return true
		}
	}
	return false
}
