package contextbuilder

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

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
	p := &pull{in: in, graph: graph, blocks: newBlocks(), counter: b.counter.Lines()}
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
	if p.graph != nil &&
		slices.ContainsFunc(p.changes, func(c *change) bool { return c.class == production && c.head != nil }) {
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

// relate finds the code around the change.
func (b *Builder) relate(ctx context.Context, p *pull) *related {
	if p.graph == nil {
		return &related{}
	}
	f := &finder{pull: p, opts: b.opts, sources: &sources{base: p.in.Base, graph: p.graph, files: map[string]*source{}},
		reducers: map[*source]*syntax.Reducer{}}
	for _, c := range p.changes {
		if c.class == production {
			f.subjects = append(f.subjects, newChangedFile(f, c))
		}
	}
	r := &related{execution: f.execution(ctx), tests: f.tests(), settings: f.settings()}
	for _, reducer := range f.reducers {
		reducer.Close()
	}
	for _, problem := range p.graph.Problems() {
		p.problems = append(p.problems, problem.Path+": "+problem.Reason)
	}
	return r
}

// headSnapshot is the base with the change applied. It serves to resolve the calls of added lines; no text of a
// context comes from it.
type headSnapshot struct {
	model.Snapshot
	entries []model.TreeEntry
	heads   map[string][]byte
}

// newHead applies the changes to the base.
func newHead(base model.Snapshot, changes []*change) *headSnapshot {
	s := &headSnapshot{Snapshot: base, heads: map[string][]byte{}}
	gone := map[string]bool{}
	for _, c := range changes {
		if c.diff.NewPath == "" || c.diff.IsRename {
			gone[c.diff.OldPath] = true
		}
		if c.head != nil {
			s.heads[c.diff.NewPath] = c.head
		}
	}
	for _, e := range base.Entries() {
		if _, changed := s.heads[e.Path]; !changed && !gone[e.Path] {
			s.entries = append(s.entries, e)
		}
	}
	for path, text := range s.heads {
		sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
		s.entries = append(s.entries, model.TreeEntry{Path: path, Mode: 0o100644, Oid: hex.EncodeToString(sum[:]),
			Size: int64(len(text))})
	}
	slices.SortFunc(s.entries, func(a, b model.TreeEntry) int { return strings.Compare(a.Path, b.Path) })
	return s
}

// Entries lists the files after the change.
func (s *headSnapshot) Entries() []model.TreeEntry { return s.entries }

// Read reads a file after the change.
func (s *headSnapshot) Read(path string) ([]byte, error) {
	if text, ok := s.heads[path]; ok {
		return text, nil
	}
	if _,
		ok := slices.BinarySearchFunc(s.entries, path,
		func(e model.TreeEntry, p string) int { return cmp.Compare(e.Path, p) }); !ok {
		return nil, fs.ErrNotExist
	}
	return s.Snapshot.Read(path)
}
