package imports

import (
	"fmt"

	"github.com/prforge/prforge/internal/syntax"
)

// Parser reads a source file, as syntax.Parse does.
type Parser func(lang *syntax.Language, path string, src []byte, opts syntax.Options) *syntax.File

// File is the parsed file; false if it is not in the tree, in no supported
// language, or unreadable. The answer is shared and must not be changed.
func (g *Graph) File(path string) (*syntax.File, bool) { return g.FileBy(path, syntax.Parse) }

// FileBy is File with another parser than syntax.Parse. It does not parse a file
// that is known already.
func (g *Graph) FileBy(path string, parse Parser) (*syntax.File, bool) {
	if f, ok := g.files[path]; ok {
		return f, f != nil
	}
	source := g.index.sources[path]
	if source == nil || g.isDone() {
		return nil, false
	}
	got, err := g.cache.get(source.key("file"), func() (cached, error) {
		src, err := g.snap.Read(path)
		if err != nil {
			return cached{}, err
		}
		f := parse(source.Language, path, src, g.opts.Syntax)
		g.cache.countParsed(len(src))
		return cached{file: f, size: fileCost(f)}, nil
	})
	f := got.file
	switch {
	case err != nil:
		g.Note(path, "cannot be read: "+err.Error())
		f = nil
	case f.Path != path:
		same := *f
		same.Path = path
		f = &same
	}
	if f != nil && f.Degraded != "" {
		g.Note(path, "not parsed: "+string(f.Degraded))
	}
	g.files[path] = f
	return f, f != nil
}

// FilesIn lists the source files of a directory, by path.
func (g *Graph) FilesIn(dir string) []*Source { return g.index.byDir[dir] }

// Named lists the source files of a base name, by path.
func (g *Graph) Named(base string) []*Source { return g.index.byBase[base] }

// Configs lists the files that Family.ConfigFiles asks for under a name, by path.
func (g *Graph) Configs(name string) []string { return g.index.configs[name] }

// Source is the source file at a path; nil if there is none.
func (g *Graph) Source(p string) *Source { return g.index.sources[p] }

// Sources lists the source files of a family, by path.
func (g *Graph) Sources(of *syntax.Family) []*Source { return g.index.family[of] }

// HasFile reports whether the tree has a regular file at a path.
func (g *Graph) HasFile(p string) bool {
	_, ok := g.index.entries[p]
	return ok
}

// HasFolder reports whether a regular file is below a path.
func (g *Graph) HasFolder(p string) bool { return g.index.dirs[p] }

// ReadConfig is the content of a file of the tree; failures are noted once.
func (g *Graph) ReadConfig(p string) ([]byte, bool) {
	if g.isDone() {
		return nil, false
	}
	src, err := g.snap.Read(p)
	if err != nil {
		g.Note(p, fmt.Sprintf("cannot be read: %v", err))
		return nil, false
	}
	return src, true
}

// Words are the words of a source file; none if it cannot be read.
func (g *Graph) Words(f *Source) Words {
	if !f.scanned && !g.isDone() {
		g.scan(f)
	}
	return f.words
}

// scan finds out what is known of a source file without parsing it.
func (g *Graph) scan(f *Source) {
	got, err := g.cache.get(f.key("words"), func() (cached, error) {
		src, err := g.snap.Read(f.Path)
		if err != nil {
			return cached{}, err
		}
		if len(src) > g.opts.Syntax.MaxBytes { // will not be parsed either
			return cached{size: entryCost}, nil
		}
		src = syntax.Normalize(src)
		w := wordsOf(src, f.Language.Family)
		out := cached{words: w, size: entryCost + 4*int64(len(w))}
		if clause := f.Language.PackageClause; clause != nil {
			out.pkg = clause(src)
		}
		return out, nil
	})
	if err != nil {
		g.Note(f.Path, fmt.Sprintf("cannot be read: %v", err))
	}
	f.scanned, f.words, f.pkg = true, got.words, got.pkg
}

// PackageOf is the package that a file says it is of; see Family.PackageClause.
func (g *Graph) PackageOf(f *Source) string {
	g.Words(f)
	return f.pkg
}

// Holding lists the files among the given ones that one of the handles may be of.
func (g *Graph) Holding(files []*Source, handles []Handle) []*Source {
	q := newQuestion(handles)
	var out []*Source
	for _, f := range files {
		for range q.heldBy(f, g.Words(f)) {
			out = append(out, f)
			break
		}
	}
	return out
}

// mentioning lists, in the given order, the files that may have one of the handles.
// It is false, and notes why, if there are too many of them.
func (g *Graph) mentioning(files []*Source, handles []Handle, question string) ([]*Source, bool) {
	out := g.Holding(files, handles)
	if len(out) > g.opts.MaxCandidates {
		g.Note(question, fmt.Sprintf("%d files may answer, more than %d", len(out), g.opts.MaxCandidates))
		return nil, false
	}
	return out, true
}
