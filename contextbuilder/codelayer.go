package contextbuilder

import (
	"maps"
	"slices"

	"github.com/prforge/prforge/internal/syntax"
)

// codeLayer is a layer made of excerpts: layers 3 and 5.
type codeLayer struct {
	measure
	number   int
	snippets []*snippet
	excerpts []*excerpt
	files    map[string]int // order of the excerpts: that of the best snippets of their files
	taken    map[*snippet]bool
	skip     func(*snippet) bool // what the diff shows already
	order    func()              // what is offered, again; nil leaves it
	last     []*snippet          // shown only when there is nothing else
	cache    *blocks
	base     int // size of the section without excerpts
	imported int // tokens that imports take
}

// importShare is the maximum share of the room for imports: lists of them say less than the code that they displace.
const importShare = 0.15

func newCodeLayer(m measure, number int, snippets []*snippet, cache *blocks, skip func(*snippet) bool) *codeLayer {
	base := m.size(section(number, "\n-")) // "-" takes the place of the excerpts
	files := map[string]int{}
	for i, o := range snippets {
		if _, ok := files[o.path]; !ok {
			files[o.path] = i
		}
	}
	return &codeLayer{measure: m, number: number, snippets: snippets, cache: cache, base: base, taken: map[*snippet]bool{},
		skip: skip, files: files}
}

// fill takes snippets in order as long as they fit. It takes what the diff already shows only if the layer would
// otherwise be empty.
func (l *codeLayer) fill(limit int) {
	l.last = nil
	if l.order != nil {
		l.order()
	}
	for _, o := range l.snippets {
		if l.taken[o] {
			continue
		}
		if l.skip(o) {
			l.last = append(l.last, o)
			continue
		}
		l.take(o, limit)
	}
	for _, o := range l.last {
		if len(l.excerpts) > 0 {
			break
		}
		l.take(o, limit)
	}
	l.set(l.render())
}

// take shows one snippet if it fits.
func (l *codeLayer) take(o *snippet, limit int) {
	i := slices.IndexFunc(l.excerpts, func(e *excerpt) bool { return e.path == o.path })
	if o.imports.Start > 0 && !l.showsCode(o.path) {
		return // an import says nothing without what uses it
	}
	if least := o.leastTokens(&l.measure); l.total()+least > limit && !l.replaces(o) || o.atMost > 0 && least > o.atMost {
		return
	}
	old := &excerpt{source: o.source, why: o.why}
	if i >= 0 {
		old = l.excerpts[i]
	} else {
		old.picks = map[int]syntax.Pick{}
	}
	e := old.with(o)
	if e == nil {
		l.taken[o] = true // shown as part of something else
		return
	}
	e.rendered = l.cache.render(e, &l.measure)
	grown := e.size - old.size
	if e.block == "" || l.total()+grown > limit || o.atMost > 0 && grown > o.atMost {
		return
	}
	if o.imports.Start > 0 && float64(l.imported+grown) > importShare*float64(limit) || !e.parses() {
		return
	}
	if o.imports.Start > 0 {
		l.imported += grown
	}
	l.taken[o] = true
	if i >= 0 {
		l.excerpts[i] = e
	} else {
		l.excerpts = append(l.excerpts, e)
	}
}

// showsCode reports whether definitions or statements of a file are shown.
func (l *codeLayer) showsCode(path string) bool {
	return slices.ContainsFunc(l.excerpts,
		func(e *excerpt) bool { return e.path == path && len(e.picks)+len(e.statements) > 0 })
}

// replaces reports whether a snippet is a longer form of a shown one, so that it adds less than its full cost.
func (l *codeLayer) replaces(o *snippet) bool {
	i := slices.IndexFunc(l.excerpts, func(e *excerpt) bool { return e.path == o.path })
	if i < 0 || o.def < 0 {
		return false
	}
	if _, shown := l.excerpts[i].picks[o.def]; shown {
		return true
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(l.excerpts[i].picks)), func(def int) bool {
		return o.file.Definitions[def].Parent == o.def
	})
}

func (l *codeLayer) total() int {
	n := l.base
	for _, e := range l.excerpts {
		n += e.size
	}
	return n
}

func (l *codeLayer) render() string {
	if len(l.excerpts) == 0 {
		return ""
	}
	excerpts := slices.Clone(l.excerpts)
	slices.SortStableFunc(excerpts, func(a, b *excerpt) int { return l.files[a.path] - l.files[b.path] })
	body := "\n"
	for _, e := range excerpts {
		body += e.block
	}
	return section(l.number, body)
}

func (l *codeLayer) hasMore() bool { return len(l.taken)+len(l.last) < len(l.snippets) }

func (l *codeLayer) report() (shown, left int) {
	for _, e := range l.excerpts {
		shown += len(e.picks) + len(e.imports) + len(e.statements) + len(e.windows)
	}
	return shown, len(l.snippets) - len(l.taken)
}
