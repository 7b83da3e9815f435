package imports

import (
	"iter"
	"slices"
	"sort"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// Options bound a graph's work.
type Options struct {
	// Syntax are the limits for parsing.
	Syntax syntax.Options
	// MaxReExports is how many re-exporting files (package __init__, index
	// files) and base classes a name is followed through.
	MaxReExports int
	// MaxCandidates is how many files that mention a name may be parsed to answer
	// Defines, CallersOf or ImportedBy. Where there are more the answer is empty,
	// because a part of it would look like all of it, and Problems says so.
	MaxCandidates int
}

// DefaultOptions are limits that fit repositories of tens of thousands of files.
func DefaultOptions() Options {
	return Options{Syntax: syntax.DefaultOptions(), MaxReExports: 8, MaxCandidates: 3_000}
}

// Why is how two files are tied.
type Why string

// The kinds of edges.
const (
	ByImport   Why = "import"       // an import statement
	ByReExport Why = "re-export"    // an import of a file that passes the name on
	ByPackage  Why = "same package" // Go and Java: a name of the package used without an import
)

// Edge says that file From uses file To.
type Edge struct {
	From, To string
	// Line of From, 1-based: the import, or the first use for ByPackage.
	Line int
	// Names are the names of To that From imports or uses, sorted; empty when the
	// module is imported as a whole and no use of it could be told.
	Names []string
	Why   Why
}

// Location is a definition in a file.
type Location struct {
	Path string
	// Def is an index into the Definitions of File(Path).
	Def        int
	Definition syntax.Definition
}

// CallSite is a call of a definition.
type CallSite struct {
	Path string
	Call syntax.Call
	// Caller is the definition around the call; nil at the top level.
	Caller *Location
}

// Callee is a call resolved to a definition in the repository.
type Callee struct {
	Call   syntax.Call
	Target Location
}

// Problem is a file, or a question, that the graph could not fully answer.
type Problem struct{ Path, Reason string }

// Graph answers questions about one snapshot. It is not safe for concurrent
// use; its Cache is.
type Graph struct {
	snap     model.Snapshot
	cache    *Cache
	opts     Options
	index    *index
	scans    map[string]cached
	files    map[string]*syntax.File
	edges    map[string][]Edge
	users    map[string][]string // by file: see importers
	asked    map[string]bool     // by file: see mayBeImported
	problems map[string]string
	tops     map[*syntax.File]map[string]int // top-level definitions by qualified name
	scopes   map[scopeKey]scopeAnswer

	python *pythonModules
	golang *goModules
	script *scriptModules
}

// Build prepares the graph of a snapshot. It reads configuration files (go.mod,
// package.json, tsconfig.json) and sources only when an answer needs them.
func Build(snap model.Snapshot, cache *Cache, opts Options) *Graph {
	g := &Graph{
		snap: snap, cache: cache, opts: opts, index: newIndex(snap.Entries()), scans: map[string]cached{},
		files: map[string]*syntax.File{}, edges: map[string][]Edge{}, users: map[string][]string{}, asked: map[string]bool{}, problems: map[string]string{},
		tops: map[*syntax.File]map[string]int{}, scopes: map[scopeKey]scopeAnswer{},
	}
	g.python = newPythonModules(g)
	g.golang = &goModules{g: g}
	g.script = &scriptModules{g: g}
	return g
}

// File is the parsed file; false if it is not in the tree, in no supported
// language, or unreadable. The answer is shared and must not be changed.
func (g *Graph) File(path string) (*syntax.File, bool) {
	if f, ok := g.files[path]; ok {
		return f, f != nil
	}
	if !g.index.isSource(path) {
		return nil, false
	}
	got, err := g.cache.get(blobKey(g.index.entries[path].Oid, path, "file"), func() (cached, error) {
		src, err := g.snap.Read(path)
		if err != nil {
			return cached{}, err
		}
		f := syntax.Parse(path, src, g.opts.Syntax)
		g.cache.countParsed(len(src))
		return cached{file: f, size: fileCost(f)}, nil
	})
	f := got.file
	switch {
	case err != nil:
		g.note(path, "cannot be read: "+err.Error())
		f = nil
	case f.Path != path:
		same := *f
		same.Path = path
		f = &same
	}
	if f != nil && f.Degraded != "" {
		g.note(path, "not parsed: "+string(f.Degraded))
	}
	g.files[path] = f
	return f, f != nil
}

// Imports lists the files of the repository that the file uses, by path.
// Imports from outside the repository have no edge.
func (g *Graph) Imports(path string) []Edge {
	if out, ok := g.edges[path]; ok {
		return out
	}
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	out := g.importsOf(f)
	g.edges[path] = out
	return out
}

// importsOf is Imports for a file that need not be in the tree, such as one that
// a change adds: it is resolved from where its Path lies.
func (g *Graph) importsOf(f *syntax.File) []Edge {
	var set edgeSet
	switch f.Language.Family() {
	case syntax.FamilyPython:
		set = g.python.edges(f)
	case syntax.FamilyGo:
		set = g.golang.edges(f)
	case syntax.FamilyJava:
		set = g.javaEdges(f)
	case syntax.FamilyScript:
		set = g.script.edges(f)
	}
	return set.list(f.Path)
}

// ImportedBy goes through the files that use the file, by path: all of them, or
// those that are wanted. A file is parsed when its turn comes and it is wanted.
func (g *Graph) ImportedBy(path string, wanted func(from string) bool) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, from := range g.importers(path) {
			if wanted != nil && !wanted(from) {
				continue
			}
			for _, e := range g.edgesTo(from, path) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// importers are the files that may use the given one, by path. Their edges tell
// whether they do.
func (g *Graph) importers(path string) []string {
	if known, ok := g.users[path]; ok {
		return known
	}
	g.users[path] = nil
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	found := map[string]bool{path: true}
	passing := map[string]bool{path: true}
	handles := g.handles(path)
	for depth := 0; depth <= g.opts.MaxReExports && len(handles) > 0; depth++ {
		candidates, ok := g.mentioning(g.index.family[f.Language.Family()], handles, "importers of "+path)
		if !ok {
			return nil
		}
		handles = nil
		for _, c := range candidates {
			found[c] = true
			if !passing[c] && g.mayBeImported(c) {
				more := g.passedOn(c, path, passing)
				passing[c] = len(more) > 0
				handles = append(handles, more...)
			}
		}
	}
	delete(found, path)
	g.users[path] = sortedKeys(found)
	return g.users[path]
}

// mayBeImported reports whether a file may pass on what it imports itself: its
// language has that, and another file may import it.
func (g *Graph) mayBeImported(path string) bool {
	known, ok := g.asked[path]
	if !ok {
		var handles []handle
		family := g.index.sources[path].Family()
		switch family {
		case syntax.FamilyPython:
			handles = g.python.handles(path)
		case syntax.FamilyScript:
			handles = g.script.handles(path, imported)
		}
		known = slices.ContainsFunc(g.index.family[family], func(p string) bool { return p != path && g.holds(p, handles) })
		g.asked[path] = known
	}
	return known
}

func (g *Graph) edgesTo(from, to string) []Edge {
	var out []Edge
	for _, e := range g.Imports(from) {
		if e.To == to {
			out = append(out, e)
		}
	}
	return out
}

// handles of a file: one that uses it has at least one of them.
func (g *Graph) handles(path string) []handle {
	switch g.index.sources[path].Family() {
	case syntax.FamilyPython:
		return g.python.handles(path)
	case syntax.FamilyGo:
		return g.golang.handles(path)
	case syntax.FamilyJava:
		return g.nameHandles(path, 0, "")
	case syntax.FamilyScript:
		// Anywhere in the file: what is passed on twice is found by its use.
		return g.script.handles(path, 0)
	}
	return nil
}

// nameHandles are the names that a file defines at its top level, for the files of
// a directory.
func (g *Graph) nameHandles(path string, as occurrence, dir string) []handle {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	var out []handle
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.Parent < 0 && d.Kind != syntax.Suite && d.Kind != syntax.Case && d.Kind != syntax.Handler {
			h := newHandle(as, d.Name)
			h.dir = dir
			out = append(out, h)
		}
	}
	return out
}

// passedOn are handles for the files that may get names of the file through
// another one: those that use the other one, and in Python, where every module
// passes its imports on, name one of them too. through are the files that are
// known to pass the file's names on.
func (g *Graph) passedOn(by, file string, through map[string]bool) []handle {
	f, ok := g.File(by)
	if !ok {
		return nil
	}
	tied := g.edgesTo(by, file)
	switch family := f.Language.Family(); {
	case family == syntax.FamilyPython && g.python.takesAll(f, through):
		return append(g.handles(by), g.nameHandles(file, imported, "")...)
	case len(tied) == 0:
		return nil
	case family == syntax.FamilyScript && g.script.reExports(f), family == syntax.FamilyPython && stem(by) == "__init__":
		return g.handles(by)
	case family == syntax.FamilyPython:
		var out []handle
		for _, e := range tied {
			for _, name := range e.Names {
				out = append(out, newHandle(imported, stem(by), name))
			}
		}
		return append(out, newHandle(imported, stem(by), wildcardWord), newHandle(imported, stem(by), stem(file)))
	}
	return nil
}

// Problems lists what was left out, by path.
func (g *Graph) Problems() []Problem {
	out := make([]Problem, 0, len(g.problems))
	for p, reason := range g.problems {
		out = append(out, Problem{p, reason})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}
