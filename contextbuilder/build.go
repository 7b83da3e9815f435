package contextbuilder

import (
	"context"
	"fmt"
	"strconv"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// Config names one of the three texts.
type Config string

// The three configurations.
const (
	A Config = "A"
	B Config = "B"
	C Config = "C"
)

// Input is everything that a context depends on. It has no reviews, comments, labels, scores or dates.
type Input struct {
	Repo        model.RepoRef
	Title       string
	Description string // as the author wrote it
	// Diff is the pull request's, parsed from the text that is released.
	Diff *unidiff.Diff
	// Base is the tree of the commit that the diff is against. If it is nil because it was unavailable, layers 3 to 5
	// are left out.
	Base         model.Snapshot
	Language     string
	PRType       string
	FilesChanged int
	// Summary is a model's text for layer 1; "" asks for the rules' own.
	Summary string
	// Difficulty is only shown, and only with Options.ShowDifficulty.
	Difficulty model.Difficulty
}

// Context is one frozen text.
type Context struct {
	Config   Config
	Rendered string // valid UTF-8
	Tokens   int    // of Rendered, in o200k_base
	Layers   []LayerReport
}

// LayerReport describes one layer of a text.
type LayerReport struct {
	Layer     int
	Tokens    int  // of its section, with heading and separator; 0 when left out
	Fragments int  // hunks, definitions, statements or lines shown
	LeftOut   int  // fragments that were known and did not fit
	Filled    bool // it is in the text with more than its heading
}

// Result is the result of Build.
type Result struct {
	A, B, C Context
	// Problems are what made the texts poorer, by path: files that could not be read or parsed, hunks too large for
	// any room.
	Problems []string
}

// Builder makes contexts. Build does not change it, so any number of goroutines may share one.
type Builder struct {
	opts    Options
	counter *tokens.Counter
	cache   *imports.Cache
}

// NewBuilder makes a builder. Other builders of import graphs of the same repositories may share the cache.
func NewBuilder(opts Options, counter *tokens.Counter, cache *imports.Cache) *Builder {
	return &Builder{opts: opts, counter: counter, cache: cache}
}

// mismatchError says that the diff is not against the base commit given.
type mismatchError struct {
	Path   string
	Commit string
	Err    error // the first line that does not fit
}

func (e *mismatchError) Error() string {
	return fmt.Sprintf("the diff of %s does not apply to base commit %s: %v", e.Path, e.Commit, e.Err)
}

func (e *mismatchError) Unwrap() error { return e.Err }

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

func itoa(n int) string { return strconv.Itoa(n) }
