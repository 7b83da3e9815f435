package imports

import (
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
		files: map[string]*syntax.File{}, edges: map[string][]Edge{}, problems: map[string]string{},
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

// ImportedBy lists the files that use the file, by path.
func (g *Graph) ImportedBy(path string) []Edge {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	var out []Edge
	seen := map[string]bool{path: true}
	asked := map[string]bool{path: true}
	sets := g.handles(path)
	for depth := 0; depth <= g.opts.MaxReExports && len(sets) > 0; depth++ {
		candidates, ok := g.mentioning(g.index.family[f.Language.Family()], sets, "importers of "+path)
		if !ok {
			return nil
		}
		sets = nil
		for _, c := range candidates {
			if seen[c] {
				continue
			}
			seen[c] = true
			out = append(out, g.edgesTo(c, path)...)
		}
		for _, c := range candidates {
			if !asked[c] {
				more := g.passedOn(c, path, asked)
				asked[c] = len(more) > 0
				sets = append(sets, more...)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].From < out[j].From })
	return out
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

// handles are sets of words: a file that uses the given one holds all words of
// at least one set.
func (g *Graph) handles(path string) [][]string {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	switch f.Language.Family() {
	case syntax.FamilyPython:
		return g.python.handles(path)
	case syntax.FamilyGo:
		return g.golang.handles(f)
	case syntax.FamilyJava:
		return topLevelNames(f)
	case syntax.FamilyScript:
		return g.script.handles(path)
	}
	return nil
}

// topLevelNames are the names that a file defines at its top level, each a set.
func topLevelNames(f *syntax.File) [][]string {
	var out [][]string
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.Parent < 0 && d.Kind != syntax.Suite && d.Kind != syntax.Case && d.Kind != syntax.Handler {
			out = append(out, []string{d.Name})
		}
	}
	return out
}

// passedOn are handles for the files that may get names of the file through
// another one: those that use the other one, and in Python, where every module
// passes its imports on, name one of them too. through are the files that are
// known to pass the file's names on.
func (g *Graph) passedOn(by, file string, through map[string]bool) [][]string {
	f, ok := g.File(by)
	if !ok {
		return nil
	}
	tied := g.edgesTo(by, file)
	switch family := f.Language.Family(); {
	case family == syntax.FamilyPython && g.python.takesAll(f, through):
		return g.handles(by)
	case len(tied) == 0:
		return nil
	case family == syntax.FamilyScript && g.script.reExports(f), family == syntax.FamilyPython && stem(by) == "__init__":
		return g.handles(by)
	case family == syntax.FamilyPython:
		var out [][]string
		for _, e := range tied {
			for _, name := range e.Names {
				out = append(out, []string{stem(by), name})
			}
			out = append(out, []string{stem(by), wildcardWord})
		}
		return out
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
