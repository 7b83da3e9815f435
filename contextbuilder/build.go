package contextbuilder

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Build makes the three texts of a pull request. It is deterministic. The error is a *mismatchError if the diff does
// not apply to the base, the context's error after cancellation, which Build checks between files, and otherwise says
// that a budget is too small for what every text must hold.
func (b *Builder) Build(ctx context.Context, in Input) (Result, error) {
	pull, err := b.study(ctx, &in)
	if err != nil {
		return Result{}, fmt.Errorf("contexts of %s: %w", in.Repo, err)
	}
	var r Result
	texts := []*Context{&r.A, &r.B, &r.C}
	for i, d := range b.drafts(pull) {
		if *texts[i], err = b.context(d); err != nil {
			return Result{}, fmt.Errorf("context %s of %s: %w", d.config, in.Repo, err)
		}
	}
	r.Problems = pull.problems
	return r, nil
}

// Diff is a section of layer 2 with the lines that Build shows with Options.Whole. If all fit, it reads only the
// changed files. The errors are those of Build.
func (b *Builder) Diff(ctx context.Context, in Input) (string, error) {
	p, err := b.read(ctx, &in, nil)
	if err == nil {
		if l := newDiffLayer(measure{counter: p.counter}, p, b.opts); l.whole && l.showAll(b.opts.MaxDiffTokens) {
			return l.render(), nil
		}
		p, err = b.ranked(ctx, &in)
	}
	if err != nil {
		return "", fmt.Errorf("diff of %s: %w", in.Repo, err)
	}
	l := newDiffLayer(measure{counter: p.counter}, p, b.opts)
	l.fill(b.opts.MaxDiffTokens)
	return l.text(), nil
}

// drafts are the three texts, filled. With Options.SameDiff or Options.Whole they share the layers of A, so that they
// differ in layers 3 to 5 alone.
func (b *Builder) drafts(p *pull) []*draft {
	budgets, same := b.opts.Budgets, b.opts.SameDiff || b.opts.Whole
	if b.opts.Whole {
		budgets = b.opts.Around
	}
	var all []*draft
	var shared *common
	for _, c := range []struct {
		config Config
		budget int
	}{{A, budgets.A}, {B, budgets.B}, {C, budgets.C}} {
		if shared == nil || !same {
			shared = b.newCommon(p)
		}
		all = append(all, b.draft(p, shared, c.config, c.budget))
	}
	if same {
		share(all)
		return all
	}
	for i := range all {
		share(all[i : i+1])
	}
	return all
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
		c.Layers = append(c.Layers, LayerReport{Layer: s.number, Tokens: s.layer.tokens(), Fragments: shown, LeftOut: left,
			Filled: s.layer.tokens() > 0 && shown > 0})
	}
	c.Rendered = text.String()
	c.Tokens = b.counter.Count(c.Rendered)
	if c.Tokens > limit {
		return Context{},
			fmt.Errorf("%d tokens do not fit a budget of %d: raise contexts.budgets, or contexts.around where diffs are whole",
				c.Tokens, limit)
	}
	return c, nil
}

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
