package imports

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/prforge/prforge/internal/syntax"
)

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

// Defines lists the definitions with that name ("parse", "Server.Close") in the
// repository, by path and line, test files included. Names inside functions are
// left out: nothing outside can mean them. It is empty, with a Problem, when too
// many files mention the name.
func (g *Graph) Defines(name string) []Location {
	return slices.Collect(g.definitions(name))
}

// definitions is Defines that parses a file when its turn comes.
func (g *Graph) definitions(name string) iter.Seq[Location] {
	return func(yield func(Location) bool) {
		last := name[strings.LastIndexByte(name, '.')+1:]
		if last == "" {
			return
		}
		files, _ := g.mentioning(g.index.all, []Handle{NewHandle(Bare, splitWords(last)...)}, "definitions of "+name)
		for _, source := range files {
			f, ok := g.File(source.Path)
			if !ok {
				continue
			}
			for i := range f.Definitions {
				d := &f.Definitions[i]
				if named(d.Kind) && (d.Qualified == name || d.Name == name || strings.HasSuffix(d.Qualified, "."+name)) &&
					!insideFunction(f, i) {
					if !yield(Location{Path: f.Path, Def: i, Definition: *d}) {
						return
					}
				}
			}
		}
	}
}

func insideFunction(f *syntax.File, def int) bool {
	for at := f.Definitions[def].Parent; at >= 0; at = f.Definitions[at].Parent {
		if k := f.Definitions[at].Kind; !IsType(k) && k != syntax.Namespace && k != syntax.Variable && k != syntax.Constant {
			return true
		}
	}
	return false
}

// CallersOf lists the calls of the top-level definition or method with that
// name in the file (a qualified name distinguishes methods), from the file itself
// and from the files that import it, by path and line.
//
// A call on a value whose type is not known is counted when the method's name is
// made of several words, no other definition of the repository has it, and the
// caller is tied to the file.
func (g *Graph) CallersOf(path, name string) []CallSite {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	wanted := map[Entity]bool{}
	method := ""
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if !named(d.Kind) || d.Qualified != name && d.Name != name {
			continue
		}
		wanted[Entity{Path: path, Def: i}] = true
		if d.Kind == syntax.Method {
			method = d.Name
		}
		if IsType(d.Kind) {
			g.wantConstructors(f, i, wanted)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	q := callersOf{wanted: wanted, name: last, renamed: g.Resolver(f.Language.Family).MayRename(last),
		unique: sync.OnceValue(func() bool {
			return method == last && severalWords(method) && g.onlyIn(path, method)
		})}
	var out []CallSite
	for _, from := range g.callerFiles(path, q) {
		out = append(out, g.callsFrom(from, q)...)
	}
	return out
}

// callersOf is the question whose calls reach some definitions.
type callersOf struct {
	wanted  map[Entity]bool
	name    string      // of the definitions, unqualified
	renamed bool        // a file may import them under another name
	unique  func() bool // it is a method whose name nothing else of the repository has
}

func (g *Graph) wantConstructors(f *syntax.File, class int, wanted map[Entity]bool) {
	for i := range f.Definitions {
		if f.Definitions[i].Parent == class && f.Definitions[i].Kind == syntax.Constructor {
			wanted[Entity{Path: f.Path, Def: i}] = true
		}
	}
}

// callerFiles are the file itself and those that use it and may call what is asked
// for, by path.
func (g *Graph) callerFiles(path string, q callersOf) []string {
	out := []string{path}
	for e := range g.ImportedBy(path,
		func(from string) bool { return q.renamed || g.may(from, Called, []string{q.name}) }) {
		out = append(out, e.From)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (g *Graph) callsFrom(from string, q callersOf) []CallSite {
	f, ok := g.File(from)
	if !ok {
		return nil
	}
	var renamed map[string]bool
	if q.renamed {
		renamed = importedNames(f)
	}
	var out []CallSite
	for _, c := range f.Calls {
		if c.Name != q.name && !renamed[c.Name] {
			continue
		}
		e, known := g.target(f, c)
		if known && !q.wanted[e] || !known && (c.Name != q.name || c.Receiver == "" || isSelf(c.Receiver) || !q.unique()) {
			continue
		}
		site := CallSite{Path: from, Call: c}
		if c.Def >= 0 {
			l, _ := g.location(Entity{Path: from, Def: c.Def})
			site.Caller = &l
		}
		out = append(out, site)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Call.Line < out[j].Call.Line })
	return out
}

// importedNames are the local names of what a file imports: each may have been
// renamed on its way.
func importedNames(f *syntax.File) map[string]bool {
	out := map[string]bool{}
	for i := range f.Imports {
		out[f.Imports[i].Alias] = true
		for _, n := range f.Imports[i].Names {
			out[n.Local()] = true
		}
	}
	return out
}

// severalWords: apply_async and toJSON, not close.
func severalWords(name string) bool {
	trimmed := strings.Trim(name, "_$")
	if strings.ContainsRune(trimmed, '_') {
		return true
	}
	for i := 1; i < len(trimmed); i++ {
		if 'A' <= trimmed[i] && trimmed[i] <= 'Z' && 'a' <= trimmed[i-1] && trimmed[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// onlyIn reports whether no other file of the repository defines the name.
func (g *Graph) onlyIn(path, name string) bool {
	only := false
	for l := range g.definitions(name) {
		if only = l.Path == path; !only {
			break
		}
	}
	return only
}

// Callees lists what the lines of the file certainly call, in source order and once for each target.
func (g *Graph) Callees(path string, lines syntax.Span) []Callee {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	var out []Callee
	seen := map[Entity]bool{}
	for _, c := range f.Calls {
		if !lines.Contains(c.Line) {
			continue
		}
		e, ok := g.target(f, c)
		if !ok || seen[e] {
			continue
		}
		seen[e] = true
		l, ok := g.location(e)
		if ok && l.Definition.Kind != syntax.Variable && l.Definition.Kind != syntax.Constant {
			out = append(out, Callee{Call: c, Target: l})
		}
	}
	return out
}
