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

// Input is everything that a context is made from. Reviews, comments, labels,
// scores and dates have no place in it.
type Input struct {
	Repo        model.RepoRef
	Title       string
	Description string // as the author wrote it
	// Diff is the pull request's, parsed from the text that is released.
	Diff *unidiff.Diff
	// Base is the tree of the commit that the diff is against. Nil when it could
	// not be had: layers 3 to 5 are then left out.
	Base         model.Snapshot
	Language     string
	PRType       string
	FilesChanged int
	// Summary is a model's text for layer 1; "" asks for the rules' own.
	Summary string
	// Difficulty is shown with Options.ShowDifficulty and not used otherwise.
	Difficulty model.Difficulty
}

// Context is one frozen text.
type Context struct {
	Config   Config
	Rendered string // valid UTF-8
	Tokens   int    // of Rendered, in o200k_base
	Layers   []LayerReport
}

// LayerReport says what became of one layer of a text.
type LayerReport struct {
	Layer     int
	Tokens    int  // of its section, with heading and separator; 0 when left out
	Fragments int  // hunks, definitions, statements or lines shown
	LeftOut   int  // fragments that were known and did not fit
	Filled    bool // it is in the text with more than its heading
}

// Result is what Build answers.
type Result struct {
	A, B, C Context
	// Problems are things that made the texts poorer: files that could not be
	// read or parsed, hunks too large for any room. By path.
	Problems []string
}

// Builder makes contexts. Its fields are not changed by Build, so that any
// number of goroutines may share one.
type Builder struct {
	opts    Options
	counter *tokens.Counter
	cache   *imports.Cache
}

// NewBuilder makes a builder. The cache may be shared with whoever else builds
// import graphs of the same repositories.
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

// Build makes the three texts of a pull request. It is deterministic. The error
// is a *mismatchError when the diff does not apply to the base, the context's once
// that is done, which is noticed between files, and otherwise says that a budget
// is too small for what every text must hold.
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

// Diff is a section of layer 2 that shows the lines which Build shows with
// Options.Whole: where all fit, it only reads the changed files. The errors are
// those of Build.
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

// drafts are the three texts, filled. With Options.SameDiff or Options.Whole they
// have the layers of A in common, so that they differ in layers 3 to 5 alone.
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
