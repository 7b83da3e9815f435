package imports

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// index knows the paths of the snapshot.
type index struct {
	entries map[string]model.TreeEntry // every regular file
	sources map[string]*sourceFile
	all     []*sourceFile                   // by path, as the lists below
	byDir   map[string][]*sourceFile        // by directory
	byBase  map[string][]*sourceFile        // by base name
	family  map[syntax.Family][]*sourceFile // by family of languages
	configs map[string][]string             // configuration files by base name, sorted
	dirs    map[string]bool                 // directories with any regular file below
}

// sourceFile is a source file of the snapshot, with what is known of it without
// parsing it.
type sourceFile struct {
	path, dir string
	language  syntax.Language
	oid       string
	scanned   bool // what follows is known
	words     words
	pkg       string // Java: the package clause
}

// isRegular: no symlinks and no submodules; what they point to is listed itself
// or is not part of the repository.
func isRegular(mode uint32) bool { return mode&0o170000 == 0o100000 }

func newIndex(entries []model.TreeEntry) *index {
	x := &index{
		entries: map[string]model.TreeEntry{}, sources: map[string]*sourceFile{}, byDir: map[string][]*sourceFile{},
		byBase: map[string][]*sourceFile{}, family: map[syntax.Family][]*sourceFile{}, configs: map[string][]string{}, dirs: map[string]bool{},
	}
	sorted := slices.Clone(entries)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Path < sorted[j].Path })
	for _, e := range sorted {
		if !isRegular(e.Mode) {
			continue
		}
		x.entries[e.Path] = e
		x.addDirs(e.Path)
		base := path.Base(e.Path)
		if lang, ok := syntax.Detect(e.Path); ok {
			f := &sourceFile{path: e.Path, dir: folderOf(e.Path), language: lang, oid: e.Oid}
			x.sources[f.path] = f
			x.all = append(x.all, f)
			x.byDir[f.dir] = append(x.byDir[f.dir], f)
			x.byBase[base] = append(x.byBase[base], f)
			x.family[lang.Family()] = append(x.family[lang.Family()], f)
		}
		if isConfig(base) {
			x.configs[base] = append(x.configs[base], e.Path)
		}
	}
	return x
}

// isConfig: the files that say how modules are named.
func isConfig(base string) bool {
	switch base {
	case "go.mod", "go.work", "package.json", "pyproject.toml", "setup.py", "setup.cfg", "tsconfig.json", "jsconfig.json":
		return true
	}
	return false
}

func (x *index) addDirs(p string) {
	for d := folderOf(p); !x.dirs[d]; d = folderOf(d) {
		x.dirs[d] = true
	}
}

// folderOf is path.Dir of a path of a tree, which is clean as it is; it is asked
// for of every file of every base.
func folderOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return "."
}

// isSource reports whether the path is a source file of the tree.
func (x *index) isSource(p string) bool { return x.sources[p] != nil }

// familyOf is the family of a source file's language.
func (x *index) familyOf(p string) syntax.Family {
	if f := x.sources[p]; f != nil {
		return f.language.Family()
	}
	return ""
}

// read is the content of a file of the tree; failures are noted once.
func (g *Graph) read(p string) ([]byte, bool) {
	if g.isDone() {
		return nil, false
	}
	src, err := g.snap.Read(p)
	if err != nil {
		g.note(p, fmt.Sprintf("cannot be read: %v", err))
		return nil, false
	}
	return src, true
}

func (g *Graph) note(p, reason string) {
	if _, ok := g.problems[p]; !ok {
		g.problems[p] = reason
	}
}

// words are the words of a source file; none if it cannot be read.
func (g *Graph) words(f *sourceFile) words {
	if !f.scanned && !g.isDone() {
		g.scan(f)
	}
	return f.words
}

// scan finds out what is known of a source file without parsing it.
func (g *Graph) scan(f *sourceFile) {
	got, err := g.cache.get(f.key("words"), func() (cached, error) {
		src, err := g.snap.Read(f.path)
		if err != nil {
			return cached{}, err
		}
		if len(src) > g.opts.Syntax.MaxBytes { // will not be parsed either
			return cached{size: entryCost}, nil
		}
		src = syntax.Normalize(src)
		w := wordsOf(src, f.language.Family())
		out := cached{words: w, size: entryCost + 4*int64(len(w))}
		if f.language == syntax.Java {
			out.pkg = packageClause(src)
		}
		return out, nil
	})
	if err != nil {
		g.note(f.path, fmt.Sprintf("cannot be read: %v", err))
	}
	f.scanned, f.words, f.pkg = true, got.words, got.pkg
}

// packageOf is the package that a Java file says it is of.
func (g *Graph) packageOf(f *sourceFile) string {
	g.words(f)
	return f.pkg
}

// packageClause is the package of the first line that begins with the word, a
// comment before it left out; "" if there is none.
func packageClause(src []byte) string {
	rest := src
	for len(rest) > 0 {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if i := bytes.LastIndex(line, []byte("*/")); i >= 0 {
			line = bytes.TrimSpace(line[i+2:])
		}
		if name, ok := bytes.CutPrefix(line, []byte("package ")); ok {
			name, _, _ = bytes.Cut(name, []byte(";"))
			return string(bytes.TrimSpace(name))
		}
	}
	return ""
}

// mentioning lists the files among the given ones that one of the handles may be
// of, in the order given. It answers false, and notes why, when there are more
// than can be looked at.
func (g *Graph) mentioning(files []*sourceFile, handles []handle, question string) ([]*sourceFile, bool) {
	out := g.holding(files, handles)
	if len(out) > g.opts.MaxCandidates {
		g.note(question, fmt.Sprintf("%d files may answer, more than %d", len(out), g.opts.MaxCandidates))
		return nil, false
	}
	return out, true
}

// holding lists the files among the given ones that one of the handles may be of.
func (g *Graph) holding(files []*sourceFile, handles []handle) []*sourceFile {
	q := newQuestion(handles)
	var out []*sourceFile
	for _, f := range files {
		for range q.heldBy(f, g.words(f)) {
			out = append(out, f)
			break
		}
	}
	return out
}

// named lists those of some files that another one of the files asked may use.
func (g *Graph) named(files, asked []*sourceFile) []*sourceFile {
	handles := make([][]handle, len(files))
	for i, f := range files {
		handles[i] = g.handles(f.path, imported)
	}
	q := newQuestion(slices.Concat(handles...))
	holders := make([][]*sourceFile, len(q.handles)) // of each handle, two at most
	for _, f := range asked {
		for i := range q.heldBy(f, g.words(f)) {
			if len(holders[i]) < 2 {
				holders[i] = append(holders[i], f)
			}
		}
	}
	var out []*sourceFile
	for i, f := range files {
		if slices.ContainsFunc(handles[i], func(h handle) bool {
			return slices.ContainsFunc(holders[q.find(h)], func(holder *sourceFile) bool { return holder != f })
		}) {
			out = append(out, f)
		}
	}
	return out
}

// stem is the base name without the extension, ".d.ts" counting as one.
func stem(p string) string {
	base := path.Base(p)
	base = strings.TrimSuffix(base, path.Ext(base))
	return strings.TrimSuffix(base, ".d")
}

// join joins slash-separated parts and cleans them; false when the result leaves
// the repository.
func join(parts ...string) (string, bool) {
	p := path.Join(parts...)
	if p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") {
		return "", false
	}
	return p, true
}
