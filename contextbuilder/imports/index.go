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
	sources map[string]syntax.Language
	all     []string                   // source files, sorted
	byDir   map[string][]string        // source files by directory, sorted
	byBase  map[string][]string        // source files by base name, sorted
	family  map[syntax.Family][]string // source files, sorted
	configs map[string][]string        // configuration files by base name, sorted
	dirs    map[string]bool            // directories with any regular file below
}

// isRegular: no symlinks and no submodules; what they point to is listed itself
// or is not part of the repository.
func isRegular(mode uint32) bool { return mode&0o170000 == 0o100000 }

func newIndex(entries []model.TreeEntry) *index {
	x := &index{
		entries: map[string]model.TreeEntry{}, sources: map[string]syntax.Language{}, byDir: map[string][]string{},
		byBase: map[string][]string{}, family: map[syntax.Family][]string{}, configs: map[string][]string{}, dirs: map[string]bool{},
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
			dir := path.Dir(e.Path)
			x.sources[e.Path] = lang
			x.all = append(x.all, e.Path)
			x.byDir[dir] = append(x.byDir[dir], e.Path)
			x.byBase[base] = append(x.byBase[base], e.Path)
			x.family[lang.Family()] = append(x.family[lang.Family()], e.Path)
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
	for d := path.Dir(p); !x.dirs[d]; d = path.Dir(d) {
		x.dirs[d] = true
	}
}

// isSource reports whether the path is a source file of the tree.
func (x *index) isSource(p string) bool { return x.sources[p] != "" }

// read is the content of a file of the tree; failures are noted once.
func (g *Graph) read(p string) ([]byte, bool) {
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
func (g *Graph) words(p string) words { return g.scan(p).words }

// scan is what is known of a source file without parsing it.
func (g *Graph) scan(p string) cached {
	if s, ok := g.scans[p]; ok {
		return s
	}
	got, err := g.cache.get(blobKey(g.index.entries[p].Oid, p, "words"), func() (cached, error) {
		src, err := g.snap.Read(p)
		if err != nil {
			return cached{}, err
		}
		if len(src) > g.opts.Syntax.MaxBytes { // will not be parsed either
			return cached{size: entryCost}, nil
		}
		src = syntax.Normalize(src)
		w := wordsOf(src, g.index.sources[p].Family())
		return cached{words: w, pkg: packageClause(src), size: entryCost + 4*int64(len(w))}, nil
	})
	if err != nil {
		g.note(p, fmt.Sprintf("cannot be read: %v", err))
	}
	g.scans[p] = got
	return got
}

// packageClause is the package of the first line that begins with the word, a
// comment before it left out; "" if there is none. It is of use for Java, where packages are dotted.
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
func (g *Graph) mentioning(files []string, handles []handle, question string) ([]string, bool) {
	var out []string
	for _, p := range files {
		if g.holds(p, handles) {
			out = append(out, p)
		}
	}
	if len(out) > g.opts.MaxCandidates {
		g.note(question, fmt.Sprintf("%d files may answer, more than %d", len(out), g.opts.MaxCandidates))
		return nil, false
	}
	return out, true
}

// holds reports whether one of the handles may be of the file.
func (g *Graph) holds(p string, handles []handle) bool {
	w := g.words(p)
	return slices.ContainsFunc(handles, func(h handle) bool {
		return (h.dir == "" || h.dir == path.Dir(p)) && (h.under == "" || strings.HasPrefix(p, h.under+"/")) && w.hold(h)
	})
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
