package imports

import (
	"context"
	"iter"
	"sort"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// Options bound a graph's work.
type Options struct {
	// Languages are those whose files are read.
	Languages Languages
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
func DefaultOptions(languages Languages) Options {
	return Options{Languages: languages, Syntax: syntax.DefaultOptions(), MaxReExports: 8, MaxCandidates: 3_000}
}

// Why is how two files are tied.
type Why string

// The kinds of edges.
const (
	ByImport   Why = "import"       // an import statement
	ByReExport Why = "re-export"    // an import of a file that passes the name on
	ByPackage  Why = "same package" // a name of the package used without an import
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
	done     <-chan struct{} // nobody waits for answers any more
	snap     model.Snapshot
	cache    *Cache
	opts     Options
	index    *index
	files    map[string]*syntax.File
	edges    map[string][]Edge
	ties     map[tie][]Edge
	users    map[string][]string // by file: see importers
	problems map[string]string
	tops     map[*syntax.File]map[string]int // top-level definitions by qualified name
	scopes   map[scopeKey]scopeAnswer

	resolvers map[*syntax.Family]Resolver
}

// Build prepares the graph of a snapshot. It reads configuration files (go.mod,
// package.json, tsconfig.json) and sources only when an answer needs them, and
// none any more once the context is done: answers are then cut short, and who asks
// has to look at the context's error before using them.
func Build(ctx context.Context, snap model.Snapshot, cache *Cache, opts Options) *Graph {
	return &Graph{
		done: ctx.Done(), snap: snap, cache: cache, opts: opts, index: newIndex(snap.Entries(), opts.Languages),
		files: map[string]*syntax.File{}, edges: map[string][]Edge{}, ties: map[tie][]Edge{}, users: map[string][]string{}, problems: map[string]string{},
		tops: map[*syntax.File]map[string]int{}, scopes: map[scopeKey]scopeAnswer{}, resolvers: map[*syntax.Family]Resolver{},
	}
}

// isDone reports whether answers are not waited for any more.
func (g *Graph) isDone() bool {
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

// Parser reads a source file, as syntax.Parse does.
type Parser func(lang *syntax.Language, path string, src []byte, opts syntax.Options) *syntax.File

// File is the parsed file; false if it is not in the tree, in no supported
// language, or unreadable. The answer is shared and must not be changed.
func (g *Graph) File(path string) (*syntax.File, bool) { return g.FileBy(path, syntax.Parse) }

// FileBy is File with another way to parse than syntax.Parse, which is not asked
// when the file is known already.
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
	out := g.resolver(f.Language.Family).Edges(f, nil).list(path)
	g.edges[path] = out
	return out
}

// ImportedBy goes through the files that use the file, by path: all of them, or
// those that are wanted. A file is parsed when its turn comes and it is wanted.
func (g *Graph) ImportedBy(path string, wanted func(from string) bool) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, from := range g.importers(path) {
			if wanted != nil && !wanted(from) {
				continue
			}
			for _, e := range g.EdgesTo(from, path) {
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
	c := Closure{g: g, Path: path, found: map[string]bool{path: true}, passing: map[string]bool{path: true}, files: g.index.family[f.Language.Family]}
	c.resolver = g.resolver(f.Language.Family)
	handles := c.resolver.Handles(path, 0)
	for depth := 0; depth <= g.opts.MaxReExports && len(handles) > 0; depth++ {
		if handles, ok = c.next(handles); !ok {
			return nil
		}
	}
	delete(c.found, path)
	g.users[path] = SortedKeys(c.found)
	return g.users[path]
}

// EdgesTo are the edges of a file to another.
func (g *Graph) EdgesTo(from, to string) []Edge {
	key := tie{from, to}
	out, known := g.ties[key]
	if known {
		return out
	}
	all, known := g.edges[from]
	if f, ok := g.File(from); ok && !known {
		if target, ok := g.File(to); ok {
			all = g.resolver(f.Language.Family).Edges(f, target).list(from)
		}
	}
	for _, e := range all {
		if e.To == to {
			out = append(out, e)
		}
	}
	g.ties[key] = out
	return out
}

// tie is a pair of files whose edges are known.
type tie struct{ from, to string }

// NameHandles are the names that a file defines at its top level, for the files of
// a directory.
func (g *Graph) NameHandles(path string, as Occurrence, dir string) []Handle {
	out := EachHandle(as, g.TopNames(path))
	for i := range out {
		out[i].Dir = dir
	}
	return out
}

// TopNames are the names that a file defines at its top level.
func (g *Graph) TopNames(path string) []string {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	var out []string
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.Parent < 0 && !d.InTests && d.Kind != syntax.Suite && d.Kind != syntax.Case && d.Kind != syntax.Handler && d.Kind != syntax.Implementation {
			out = append(out, d.Name)
		}
	}
	return out
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
