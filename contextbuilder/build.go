package contextbuilder

import (
	"context"
	"fmt"
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
