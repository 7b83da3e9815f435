package imports

import (
	"fmt"
	"maps"
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
	sources map[string]*Source
	all     []*Source                    // by path, as the lists below
	byDir   map[string][]*Source         // by directory
	byBase  map[string][]*Source         // by base name
	family  map[*syntax.Family][]*Source // by family of languages
	configs map[string][]string          // configuration files by base name, sorted
	dirs    map[string]bool              // directories with any regular file below
}

// Source is a source file of the snapshot, with what is known of it without
// parsing it.
type Source struct {
	Path, Dir string
	Language  *syntax.Language
	oid       string
	scanned   bool // what follows is known
	words     Words
	pkg       string // the package clause
}

// isRegular: no symlinks and no submodules; what they point to is listed itself
// or is not part of the repository.
func isRegular(mode uint32) bool { return mode&0o170000 == 0o100000 }

func newIndex(entries []model.TreeEntry, languages Languages) *index {
	isConfig := map[string]bool{}
	for _, family := range languages.Families() {
		for _, name := range family.ConfigFiles {
			isConfig[name] = true
		}
	}
	x := &index{
		entries: map[string]model.TreeEntry{}, sources: map[string]*Source{}, byDir: map[string][]*Source{},
		byBase: map[string][]*Source{}, family: map[*syntax.Family][]*Source{}, configs: map[string][]string{}, dirs: map[string]bool{},
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
		if lang := languages.Detect(e.Path); lang != nil {
			f := &Source{Path: e.Path, Dir: folderOf(e.Path), Language: lang, oid: e.Oid}
			x.sources[f.Path] = f
			x.all = append(x.all, f)
			x.byDir[f.Dir] = append(x.byDir[f.Dir], f)
			x.byBase[base] = append(x.byBase[base], f)
			x.family[lang.Family] = append(x.family[lang.Family], f)
		}
		for _, name := range []string{base, path.Ext(base)} {
			if isConfig[name] {
				x.configs[name] = append(x.configs[name], e.Path)
			}
		}
	}
	return x
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

// Note notes why a file, or a question, could not be answered.
func (g *Graph) Note(p, reason string) {
	if _, ok := g.problems[p]; !ok {
		g.problems[p] = reason
	}
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

// mentioning lists the files among the given ones that one of the handles may be
// of, in the order given. It answers false, and notes why, when there are more
// than can be looked at.
func (g *Graph) mentioning(files []*Source, handles []Handle, question string) ([]*Source, bool) {
	out := g.Holding(files, handles)
	if len(out) > g.opts.MaxCandidates {
		g.Note(question, fmt.Sprintf("%d files may answer, more than %d", len(out), g.opts.MaxCandidates))
		return nil, false
	}
	return out, true
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

// UsedByOthers lists those of some files that another one of the files asked may
// use.
func (g *Graph) UsedByOthers(files, asked []*Source) []*Source {
	handles := make([][]Handle, len(files))
	for i, f := range files {
		handles[i] = g.resolver(f.Language.Family).Handles(f.Path, Imported)
	}
	q := newQuestion(slices.Concat(handles...))
	holders := make([][]*Source, len(q.handles)) // of each handle, two at most
	for _, f := range asked {
		for i := range q.heldBy(f, g.Words(f)) {
			if len(holders[i]) < 2 {
				holders[i] = append(holders[i], f)
			}
		}
	}
	var out []*Source
	for i, f := range files {
		if slices.ContainsFunc(handles[i], func(h Handle) bool {
			return slices.ContainsFunc(holders[q.find(h)], func(holder *Source) bool { return holder != f })
		}) {
			out = append(out, f)
		}
	}
	return out
}

// Stem is the base name without the extension, ".d.ts" counting as one.
func Stem(p string) string {
	base := path.Base(p)
	base = strings.TrimSuffix(base, path.Ext(base))
	return strings.TrimSuffix(base, ".d")
}

// Join joins slash-separated parts and cleans them; false when the result leaves
// the repository.
func Join(parts ...string) (string, bool) {
	p := path.Join(parts...)
	if p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") {
		return "", false
	}
	return p, true
}

// SortedKeys lists the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Find is the only definition of that qualified name at the top level of some
// files; false if there is none or no telling.
func (g *Graph) Find(files []*syntax.File, qualified string) (Entity, bool) {
	var found []Entity
	for _, f := range files {
		if e, ok := g.TopLevel(f, qualified); ok {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		return Entity{}, false
	}
	return found[0], true
}

// MayHave reports whether a file defines a name at its top level; nil is any
// file.
func (g *Graph) MayHave(f *syntax.File, qualified string) bool {
	if f == nil {
		return true
	}
	_, ok := g.TopLevel(f, qualified)
	return ok
}

// NameOf is the name of the definition behind an entity; "" for a module.
func (g *Graph) NameOf(e Entity) string {
	if d, ok := g.Definition(e); ok {
		return d.Name
	}
	return ""
}
