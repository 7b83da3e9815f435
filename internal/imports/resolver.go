package imports

import "github.com/prforge/prforge/internal/syntax"

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
	// Edges are the files that a file uses; where to is not nil, those of them to that
	// file and, as it happens, more: what cannot lead to it need not be parsed.
	Edges(f, to *syntax.File) EdgeSet
	// Handles of a file: one that uses it has at least one of them. The words of
	// those of which the family says nothing more occur as asked.
	Handles(path string, as Occurrence) []Handle

	// Exported is a name of a file as a module, seen from outside.
	Exported(f *syntax.File, name string, depth int) (Entity, bool)
	// InFolder is a name of a directory as a module.
	InFolder(dir, name string) (Entity, bool)
	// Outside is a member of a type of a file that is not defined in the body of that
	// definition. It is asked where Family.OpenTypes says so.
	Outside(f *syntax.File, typ *syntax.Definition, name string, depth int) (Entity, bool)
	// BareCall resolves a call without a receiver to what is neither a type nor a
	// member of the types around it. It is asked where Family.ImplicitThis says so.
	BareCall(f *syntax.File, c syntax.Call) (Entity, bool)

	// MayRename reports whether a file may import one of some names under another one.
	MayRename(names ...string) bool
	// MayLead reports whether a file, as a module, may have a name that is defined in
	// another file.
	MayLead(module *Source, name string) bool
	// Leading lists those of the candidates that have to be parsed to find all files
	// that use c.Path, by path: another file may use them that is found through them
	// alone.
	Leading(c *Closure, candidates []*Source) []*Source
	// PassedOn are handles for the files that may get names of c.Path through another
	// file.
	PassedOn(c *Closure, by string) []Handle
}

// NoReExports is the part of a Resolver for languages in which no file passes on
// what it imports, and for which types and modules are all there is.
type NoReExports struct{}

// Exported has no answer.
func (NoReExports) Exported(*syntax.File, string, int) (Entity, bool) { return Entity{}, false }

// InFolder has no answer.
func (NoReExports) InFolder(string, string) (Entity, bool) { return Entity{}, false }

// Outside has no answer.
func (NoReExports) Outside(*syntax.File, *syntax.Definition, string, int) (Entity, bool) {
	return Entity{}, false
}

// BareCall has no answer.
func (NoReExports) BareCall(*syntax.File, syntax.Call) (Entity, bool) { return Entity{}, false }

// MayRename is false.
func (NoReExports) MayRename(...string) bool { return false }

// MayLead is true.
func (NoReExports) MayLead(*Source, string) bool { return true }

// Leading lists none.
func (NoReExports) Leading(*Closure, []*Source) []*Source { return nil }

// PassedOn lists none.
func (NoReExports) PassedOn(*Closure, string) []Handle { return nil }

// Resolver is the resolver of a family.
func (g *Graph) Resolver(of *syntax.Family) Resolver { return g.resolver(of) }

func (g *Graph) resolver(of *syntax.Family) Resolver {
	r, ok := g.resolvers[of]
	if !ok {
		r = g.opts.Languages.Resolver(of, g)
		g.resolvers[of] = r
	}
	return r
}

// MaxDepth is how many files a name is followed through.
func (g *Graph) MaxDepth() int { return g.opts.MaxReExports }
