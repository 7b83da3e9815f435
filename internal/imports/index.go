package imports

import (
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

// key names what is kept of a file's blob. The language, and whether the name is
// that of a test, are all of a path that changes what Parse answers.
func (f *Source) key(what string) string {
	lang := f.Language.ID
	if isTest := f.Language.ParsesAsTest; isTest != nil && isTest(f.Path) {
		lang += "_test"
	}
	return what + ":" + lang + ":" + f.oid
}

// isRegular: no symlinks and no submodules; what they point to is listed itself
// or is not part of the repository.
func isRegular(mode uint32) bool { return mode&0o170000 == 0o100000 }

func newIndex(entries []model.TreeEntry, detect func(path string) *syntax.Language, families []*syntax.Family) *index {
	isConfig := map[string]bool{}
	for _, family := range families {
		for _, name := range family.ConfigFiles {
			isConfig[name] = true
		}
	}
	x := &index{
		entries: map[string]model.TreeEntry{}, sources: map[string]*Source{}, byDir: map[string][]*Source{},
		byBase: map[string][]*Source{}, family: map[*syntax.Family][]*Source{}, configs: map[string][]string{},
		dirs: map[string]bool{},
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
		if lang := detect(e.Path); lang != nil {
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

// folderOf is path.Dir for paths of a tree, which are clean already. It runs for
// every file of every base.
func folderOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return "."
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
