package contextbuilder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/tokens"
)

// layer is one section of a text while it is built.
type layer interface {
	// fill adds fragments by relevance as long as the section has at most limit tokens. A later call with a higher
	// limit continues where it stopped.
	fill(limit int)
	// hasMore reports whether a fragment is left.
	hasMore() bool
	// text is the section so far, and tokens its size.
	text() string
	tokens() int
	// report counts fragments shown and left out.
	report() (shown, left int)
}

// measure holds a section with its size.
type measure struct {
	counter *tokens.Lines
	now     string
	n       int
}

func (m *measure) set(text string) { m.now, m.n = text, m.size(text) }
func (m *measure) text() string    { return m.now }
func (m *measure) tokens() int     { return m.n }

// size is the size of a fragment in tokens.
func (m *measure) size(text string) int { return m.counter.Count(text) }

// fixed is a section that never changes.
type fixed struct {
	measure
	lines int
}

func newFixed(m measure, text string) *fixed {
	m.set(text)
	return &fixed{measure: m, lines: strings.Count(text, "\n")}
}

func (f *fixed) fill(int)           {}
func (f *fixed) hasMore() bool      { return false }
func (f *fixed) report() (int, int) { return f.lines, 0 }

// slot is a layer with its position in the text and its share of the room.
type slot struct {
	number  int
	layer   layer
	reserve int // what earlier layers reserve for it while it has more
	cap     int // its maximum before the others had their turn; 0 is no maximum
	own     int // separate room, beside the budget; 0 for none
}

// draft is one text while it is built. Drafts may share layers.
type draft struct {
	config Config
	budget int
	slots  []slot // by number
}

// share distributes the room among the layers of some texts. First each layer in turn takes what it can use, but
// leaves the later ones their reserve. Then the rest flows on, the diff first and the description last. A layer that
// several texts share gets what the tightest of them can give.
func share(drafts []*draft) {
	for number := range headings {
		fillLayer(drafts, number, true)
	}
	for range 2 { // a layer's last fragment may be replaced by a longer form, once
		for i := range headings {
			fillLayer(drafts, (i+1)%len(headings), false)
		}
	}
}

// fillLayer fills the layers of one number. In the first round they leave the
// later ones their reserve; afterwards only those are filled that have more to
// show.
func fillLayer(drafts []*draft, number int, first bool) {
	var distinct []layer
	limits := map[layer]int{}
	for _, d := range drafts {
		i := slices.IndexFunc(d.slots, func(s slot) bool { return s.number == number })
		if i < 0 || !first && !d.slots[i].layer.hasMore() {
			continue
		}
		l, limit := d.slots[i].layer, d.room(i, first)
		if known, ok := limits[l]; ok {
			limit = min(limit, known)
		} else {
			distinct = append(distinct, l)
		}
		limits[l] = limit
	}
	for _, l := range distinct {
		l.fill(limits[l])
	}
}

// room is how much of the budget slot i may take.
func (d *draft) room(i int, first bool) int {
	if own := d.slots[i].own; own > 0 {
		return own
	}
	limit := d.budget
	for j, s := range d.slots {
		if j != i && s.own == 0 {
			limit -= s.layer.tokens()
		}
	}
	if !first {
		return limit
	}
	for _, later := range d.slots[i+1:] {
		if later.layer.hasMore() {
			limit -= max(0, later.reserve-later.layer.tokens())
		}
	}
	if s := d.slots[i]; s.cap > 0 {
		limit = min(limit, s.cap)
	}
	return limit
}

// common are the layers that every text has.
type common struct {
	task, summary, metadata layer
	diff                    *diffLayer
	taskCap                 int
}

func (b *Builder) newCommon(p *pull) *common {
	m := measure{counter: p.counter}
	task := newTaskLayer(m, p.in)
	return &common{
		task: task, taskCap: task.tokens() + b.opts.DescriptionTokens, summary: newFixed(m, p.summary),
		diff: newDiffLayer(m, p, b.opts), metadata: newFixed(m, metadataLayer(p.in, b.opts)),
	}
}

// draft makes one text with empty layers.
func (b *Builder) draft(p *pull, c *common, config Config, budget int) *draft {
	m := measure{counter: p.counter}
	d := &draft{config: config, budget: budget, slots: []slot{
		{number: 0, layer: c.task, cap: c.taskCap},
		{number: 1, layer: c.summary},
		{number: 2, layer: c.diff, own: b.diffRoom()},
	}}
	if config != A {
		execution := newExecutionLayer(m, p, c.diff, b.opts)
		d.slots = append(d.slots,
			slot{number: 3, layer: execution, reserve: b.opts.Reserve.Execution},
			slot{number: 4, layer: newBehaviorLayer(m, p, c.diff, execution), reserve: b.opts.Reserve.Behavior})
	}
	if config == C {
		d.slots = append(d.slots, slot{number: 5, layer: newTestLayer(m, p, c.diff, b.opts), reserve: b.opts.Reserve.Tests})
	}
	d.slots = append(d.slots, slot{number: 6, layer: c.metadata})
	return d
}

// diffRoom is the separate room of layer 2; 0 if it is part of the budget.
func (b *Builder) diffRoom() int {
	if !b.opts.Whole {
		return 0
	}
	return b.opts.MaxDiffTokens
}

// context is the finished text.
func (b *Builder) context(d *draft) (Context, error) {
	var text strings.Builder
	c := Context{Config: d.config}
	limit := d.budget
	for _, s := range d.slots {
		text.WriteString(s.layer.text())
		if s.own > 0 {
			limit += s.layer.tokens()
		}
		shown, left := s.layer.report()
		c.Layers = append(c.Layers, LayerReport{Layer: s.number, Tokens: s.layer.tokens(), Fragments: shown, LeftOut: left, Filled: s.layer.tokens() > 0 && shown > 0})
	}
	c.Rendered = text.String()
	c.Tokens = b.counter.Count(c.Rendered)
	if c.Tokens > limit {
		return Context{}, fmt.Errorf("%d tokens do not fit a budget of %d: raise contexts.budgets, or contexts.around where diffs are whole", c.Tokens, limit)
	}
	return c, nil
}
