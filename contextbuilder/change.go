package contextbuilder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// modes of tree entries that hold no text of the repository.
const (
	modeSymlink   = 0o120000
	modeSubmodule = 0o160000
)

// pull is the analysis of a pull request. It is made once, before any text, and the three texts only read it.
type pull struct {
	in       *Input
	graph    *imports.Graph // nil without a base
	head     *imports.Graph // after the change; nil when nothing is known of it
	changes  []*change      // in the order of layer 2: best first
	summary  string         // section of layer 1
	problems []string
	blocks   blocks
	counter  *tokens.Lines // cache: the three texts consider much the same lines
	*related
}

// change is one changed file.
type change struct {
	diff     *unidiff.File
	path     string // as shown: the new path, or the old one of a deleted file
	class    class
	language *syntax.Language // nil for a file without a grammar
	raw      []byte           // old content; nil when there is none or it cannot be read
	base     []byte           // the same as syntax.Normalize leaves it
	head     []byte           // new content, normalized; nil when it is not known
	was, is  *syntax.File     // nil where there is no content or no grammar
	reducer  *syntax.Reducer  // of was, if that was parsed for this pull request
	touched  []int            // definitions of was that innermost enclose the changed lines, in source order
	tests    []int            // of those, of production code, what only tests run: touched lacks them
	score    float64
	like     *change // a higher-ranked file of its class that changes alike but for names; nil for none
}

// content is the file after the change or, if that is unknown, before it.
func (c *change) content() []byte {
	if c.head != nil {
		return c.head
	}
	return c.raw
}

// class orders files of layer 2 before their scores.
type class int

const (
	production class = iota
	other            // build files, configuration, data, languages without a grammar
	test
	docs
	generated // and vendored, binary, lock files
)

func classOf(f *unidiff.File, content []byte, language *syntax.Language) class {
	path := f.Path()
	switch {
	case f.IsBinary, pathkind.IsVendored(path), pathkind.IsGenerated(path, content):
		return generated
	case pathkind.IsTest(path):
		return test
	case pathkind.IsDocs(path):
		return docs
	case language != nil && pathkind.IsProduction(path):
		return production
	default:
		return other
	}
}

// study reads, parses and orders the changed files, and finds the code around the changes.
func (b *Builder) study(ctx context.Context, in *Input) (*pull, error) {
	p, err := b.ranked(ctx, in)
	if err != nil {
		return nil, err
	}
	p.summary = b.summarize(p)
	p.related = b.relate(ctx, p)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.Sort(p.problems)
	p.problems = slices.Compact(p.problems)
	return p, nil
}

// read reads the changed files and parses them only if there is a graph.
func (b *Builder) read(ctx context.Context, in *Input, graph *imports.Graph) (*pull, error) {
	p := &pull{in: in, graph: graph, blocks: blocks{}, counter: b.counter.Lines()}
	for _, f := range in.Diff.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := p.study(f, b.opts.Imports.Languages)
		if err != nil {
			return nil, err
		}
		p.changes = append(p.changes, c)
	}
	return p, nil
}

// ranked reads and parses the changed files and orders them for layer 2.
func (b *Builder) ranked(ctx context.Context, in *Input) (*pull, error) {
	var graph *imports.Graph
	if in.Base != nil {
		graph = imports.Build(ctx, in.Base, b.cache, b.opts.Imports)
	}
	p, err := b.read(ctx, in, graph)
	if err != nil {
		return nil, err
	}
	if p.graph != nil && slices.ContainsFunc(p.changes, func(c *change) bool { return c.class == production && c.head != nil }) {
		p.head = imports.Build(ctx, newHead(in.Base, p.changes), b.cache, b.opts.Imports)
	}
	for _, c := range p.changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.parseHead(c, b.opts.Imports.Syntax)
		c.touched = touched(c)
		if c.class == production {
			c.splitTests()
		}
	}
	rank(p.changes, b.opts.Weights)
	return p, nil
}

// study reads one changed file.
func (p *pull) study(f *unidiff.File, supported imports.Languages) (*change, error) {
	c := &change{diff: f, path: f.Path()}
	err := p.readBase(c)
	if err != nil {
		return nil, err
	}
	c.language = supported.Detect(c.path)
	if f.IsBinary || f.NewMode == modeSymlink || f.NewMode == modeSubmodule {
		c.class = classOf(f, c.raw, c.language)
		return c, nil
	}
	if f.NewPath != "" && (f.OldPath == "" || c.raw != nil) {
		head, err := unidiff.Apply(c.raw, f)
		if err != nil {
			return nil, p.mismatch(f, err)
		}
		c.head = syntax.Normalize(head)
	}
	c.class = classOf(f, c.content(), c.language)
	if c.language == nil || p.graph == nil {
		return c, nil
	}
	if c.raw != nil {
		c.base = syntax.Normalize(c.raw)
		parse := imports.Parser(syntax.Parse)
		if c.class == production { // its definitions will be reduced
			parse = func(lang *syntax.Language, path string, src []byte, opts syntax.Options) (was *syntax.File) {
				was, c.reducer = syntax.ParseReducer(lang, path, src, opts)
				return was
			}
		}
		if was, ok := p.graph.FileBy(f.OldPath, parse); ok {
			c.was = was
		}
	}
	return c, nil
}

// parseHead parses the new content of a file, once for all uses of the graph.
func (p *pull) parseHead(c *change, opts syntax.Options) {
	if c.head == nil || c.language == nil || p.graph == nil {
		return
	}
	if p.head != nil {
		if is, ok := p.head.File(c.diff.NewPath); ok {
			c.is = is
			return
		}
	}
	c.is = syntax.Parse(c.language, c.diff.NewPath, c.head, opts)
}

// readBase reads the old content of a changed file. It returns an error only if the diff does not fit the file.
func (p *pull) readBase(c *change) error {
	f := c.diff
	if p.in.Base == nil || f.OldPath == "" || f.IsBinary || f.OldMode == modeSubmodule {
		return nil
	}
	raw, err := p.in.Base.Read(f.OldPath)
	switch {
	case errors.Is(err, model.ErrNotKept):
		p.problems = append(p.problems, f.OldPath+": "+err.Error())
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return p.mismatch(f, err)
	case err != nil:
		return fmt.Errorf("reading %s at %s: %w", f.OldPath, p.in.Base.Commit(), err)
	}
	if _, err := unidiff.Apply(raw, f); err != nil {
		return p.mismatch(f, err)
	}
	if raw == nil {
		raw = []byte{} // an empty file is there
	}
	c.raw = raw
	return nil
}

func (p *pull) mismatch(f *unidiff.File, err error) error {
	commit := ""
	if p.in.Base != nil {
		commit = p.in.Base.Commit()
	}
	return &mismatchError{Path: f.Path(), Commit: commit, Err: err}
}

// splitTests separates tests in the same file as the code that they test.
func (c *change) splitTests() {
	c.touched = slices.DeleteFunc(c.touched, func(def int) bool {
		if !c.was.Definitions[def].InTests {
			return false
		}
		c.tests = append(c.tests, def)
		return true
	})
}

// touched lists the definitions of the base that the changed lines lie in. An added line belongs to its innermost
// definition after the change that the base has too.
func touched(c *change) []int {
	if c.was == nil {
		return nil
	}
	set := map[int]bool{}
	for _, h := range c.diff.Hunks {
		for _, l := range h.Lines {
			if l.Kind == unidiff.Context || strings.TrimSpace(l.Text) == "" {
				continue
			}
			def := -1
			if l.Kind == unidiff.Deleted {
				def = c.was.Enclosing(l.Old)
			} else if c.is != nil {
				def = counterpart(c.is, c.is.Enclosing(l.New), c.was)
			}
			if def >= 0 {
				set[def] = true
			}
		}
	}
	out := make([]int, 0, len(set))
	for def := range set {
		out = append(out, def)
	}
	slices.Sort(out)
	return out
}

// counterpart finds definition def, or else the nearest enclosing one, in another version of the file; -1 if there is
// none.
func counterpart(from *syntax.File, def int, to *syntax.File) int {
	for ; def >= 0; def = from.Definitions[def].Parent {
		d := &from.Definitions[def]
		best := -1
		for i := range to.Definitions {
			t := &to.Definitions[i]
			if t.Qualified != d.Qualified || t.Kind != d.Kind {
				continue
			}
			if t.Signature == d.Signature {
				return i
			}
			if best < 0 {
				best = i
			}
		}
		if best >= 0 {
			return best
		}
	}
	return -1
}
