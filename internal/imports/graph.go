package imports

import (
	"context"
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

// Languages are the languages whose files a graph reads.
type Languages interface {
	// Detect returns the language of a path; nil if it is none of them.
	Detect(path string) *syntax.Language
	// Families lists their families.
	Families() []*syntax.Family
	// Resolver makes the resolver of a family for one graph.
	Resolver(of *syntax.Family, g *Graph) Resolver
}

// Resolver knows what the names in the files of one family of languages mean, in
// one snapshot. What is ambiguous means nothing.
type Resolver interface {
	// Scope is what a name means at the top level of a file. depth counts the files
	// that the name was passed on through.
	Scope(f *syntax.File, name string, depth int) (Entity, bool)
	// Edges are the files that a file uses. If to is not nil, only the edges to it have
	// to be there: files that cannot lead to it need not be parsed.
	Edges(f, to *syntax.File) EdgeSet
	// Handles of a file: one that uses it has at least one of them. The words of
	// those of which the family says nothing more occur as asked.
	Handles(path string, as Occurrence) []Handle

	// Exported is a name of a file as a module, seen from outside.
	Exported(f *syntax.File, name string, depth int) (Entity, bool)
	// InFolder is a name of a directory as a module.
	InFolder(dir, name string) (Entity, bool)
	// Outside is a member of a type of a file that is not defined in the body of that
	// definition. It is called only if Family.OpenTypes is set.
	Outside(f *syntax.File, typ *syntax.Definition, name string, depth int) (Entity, bool)
	// BareCall resolves a call without a receiver to what is neither a type nor a
	// member of the types around it. It is called only if Family.ImplicitThis is set.
	BareCall(f *syntax.File, c syntax.Call) (Entity, bool)

	// MayRename reports whether a file may import one of some names under another one.
	MayRename(names ...string) bool
	// MayLead reports whether a file, as a module, may have a name that is defined in
	// another file.
	MayLead(module *Source, name string) bool
	// Leading lists, by path, the candidates that must be parsed to find all files that
	// use c.Path: those through which alone another one may be found.
	Leading(c *Closure, candidates []*Source) []*Source
	// PassedOn are handles for the files that may get names of c.Path through another
	// file.
	PassedOn(c *Closure, by string) []Handle
}

// Problem is a file, or a question, that the graph could not fully answer.
type Problem struct{ Path, Reason string }

// Closure gathers the files that may use one file, directly or through files that
// pass its names on.
type Closure struct {
	// Path is the file.
	Path string

	g        *Graph
	resolver Resolver
	files    []*Source       // of the family, by path
	found    map[string]bool // with the file itself
	passing  map[string]bool // those found that pass names on, with the file itself
}

// Graph answers questions about one snapshot. It is not safe for concurrent
// use; its Cache is.
type Graph struct {
	done     <-chan struct{} // closed when no answer is needed any more
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

// tie is a pair of files whose edges are known.
type tie struct{ from, to string }

// Build prepares the graph of a snapshot. It reads configuration files (go.mod,
// package.json, tsconfig.json) and sources only when an answer needs them. Once the
// context is done it reads nothing more, and answers may be incomplete: callers must
// check the context's error before they use one.
func Build(ctx context.Context, snap model.Snapshot, cache *Cache, opts Options) *Graph {
	return &Graph{
		done: ctx.Done(), snap: snap, cache: cache, opts: opts,
		index: newIndex(snap.Entries(), opts.Languages.Detect, opts.Languages.Families()),
		files: map[string]*syntax.File{}, edges: map[string][]Edge{}, ties: map[tie][]Edge{}, users: map[string][]string{},
		problems: map[string]string{},
		tops:     map[*syntax.File]map[string]int{}, scopes: map[scopeKey]scopeAnswer{},
		resolvers: map[*syntax.Family]Resolver{},
	}
}

// isDone reports whether the context of Build is done.
func (g *Graph) isDone() bool {
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

// Resolver is the resolver of a family.
func (g *Graph) Resolver(of *syntax.Family) Resolver {
	r, ok := g.resolvers[of]
	if !ok {
		r = g.opts.Languages.Resolver(of, g)
		g.resolvers[of] = r
	}
	return r
}

// MaxDepth is how many files a name is followed through.
func (g *Graph) MaxDepth() int { return g.opts.MaxReExports }

// Note notes why a file, or a question, could not be answered.
func (g *Graph) Note(p, reason string) {
	if _, ok := g.problems[p]; !ok {
		g.problems[p] = reason
	}
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
