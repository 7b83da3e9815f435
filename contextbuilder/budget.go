package contextbuilder

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/contextbuilder/tokens"
)

// layer is one section of a text while it is being filled.
type layer interface {
	// fill adds fragments by relevance as long as the section has at most limit
	// tokens. A later call with a higher limit goes on where it stopped.
	fill(limit int)
	// hungry reports whether there is a fragment that was not shown.
	hungry() bool
	// text is the section as it stands, and tokens its size.
	text() string
	tokens() int
	// report counts fragments shown and left out.
	report() (shown, left int)
}

// measure holds a section with its size.
type measure struct {
	counter *tokens.Counter
	now     string
	n       int
}

func (m *measure) set(text string)      { m.now, m.n = text, m.counter.Count(text) }
func (m *measure) text() string         { return m.now }
func (m *measure) tokens() int          { return m.n }
func (m *measure) size(text string) int { return m.counter.Count(text) }

// fixed is a section that is what it is.
type fixed struct {
	measure
	lines int
}

func newFixed(m measure, text string) *fixed {
	m.set(text)
	return &fixed{measure: m, lines: strings.Count(text, "\n")}
}

func (f *fixed) fill(int)           {}
func (f *fixed) hungry() bool       { return false }
func (f *fixed) report() (int, int) { return f.lines, 0 }

// slot is a layer with its place in the text and in the sharing of the room.
type slot struct {
	number  int
	layer   layer
	reserve int // what earlier layers leave to it while it is hungry
	cap     int // the most that it takes before the others had their turn; 0 is no cap
}

// share gives the slots the budget. First each in turn takes what it can use,
// but leaves the later ones their reserve; then what is left flows on, the
// diff first and the description last.
func share(slots []slot, budget int) {
	for i, s := range slots {
		limit := budget - others(slots, i)
		for _, later := range slots[i+1:] {
			if later.layer.hungry() {
				limit -= max(0, later.reserve-later.layer.tokens())
			}
		}
		if s.cap > 0 {
			limit = min(limit, s.cap)
		}
		s.layer.fill(limit)
	}
	for range 2 { // a layer's last fragment may be replaced by a longer form, once
		for i := range slots {
			i = (i + 1) % len(slots)
			if slots[i].layer.hungry() {
				slots[i].layer.fill(budget - others(slots, i))
			}
		}
	}
}

// others is the size of all slots but one.
func others(slots []slot, except int) int {
	n := 0
	for i, s := range slots {
		if i != except {
			n += s.layer.tokens()
		}
	}
	return n
}

// assemble makes one text.
func (b *Builder) assemble(p *pull, config Config, budget int) (Context, error) {
	m := measure{counter: b.counter}
	description := newTaskLayer(m, p.in)
	diff := newDiffLayer(m, p, b.opts)
	slots := []slot{
		{number: 0, layer: description, cap: description.tokens() + b.opts.DescriptionTokens},
		{number: 1, layer: newFixed(m, p.summary)},
		{number: 2, layer: diff},
	}
	if config != A {
		slots = append(slots,
			slot{number: 3, layer: newExecutionLayer(m, p, diff, b.opts), reserve: b.opts.Reserve.Execution},
			slot{number: 4, layer: newBehaviorLayer(m, p, b.opts), reserve: b.opts.Reserve.Behavior})
	}
	if config == C {
		slots = append(slots, slot{number: 5, layer: newTestLayer(m, p, diff, b.opts), reserve: b.opts.Reserve.Tests})
	}
	slots = append(slots, slot{number: 6, layer: newFixed(m, metadataLayer(p.in, b.opts))})
	share(slots, budget)

	var text strings.Builder
	c := Context{Config: config}
	for _, s := range slots {
		text.WriteString(s.layer.text())
		shown, left := s.layer.report()
		c.Layers = append(c.Layers, LayerReport{Layer: s.number, Tokens: s.layer.tokens(), Fragments: shown, LeftOut: left, Filled: s.layer.tokens() > 0 && shown > 0})
	}
	c.Rendered = text.String()
	c.Tokens = b.counter.Count(c.Rendered)
	if c.Tokens > budget {
		return Context{}, fmt.Errorf("%d tokens do not fit a budget of %d: raise contexts.budgets", c.Tokens, budget)
	}
	return c, nil
}
