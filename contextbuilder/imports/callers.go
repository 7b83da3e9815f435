package imports

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/prforge/prforge/internal/syntax"
)

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
		files, _ := g.mentioning(g.index.all, []handle{newHandle(bare, splitWords(last)...)}, "definitions of "+name)
		for _, source := range files {
			f, ok := g.File(source.path)
			if !ok {
				continue
			}
			for i := range f.Definitions {
				d := &f.Definitions[i]
				if named(d.Kind) && (d.Qualified == name || d.Name == name || strings.HasSuffix(d.Qualified, "."+name)) && !insideFunction(f, i) {
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
		if k := f.Definitions[at].Kind; !isType(k) && k != syntax.Namespace && k != syntax.Variable && k != syntax.Constant {
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
	wanted := map[entity]bool{}
	method := ""
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if !named(d.Kind) || d.Qualified != name && d.Name != name {
			continue
		}
		wanted[entity{path: path, def: i}] = true
		if d.Kind == syntax.Method {
			method = d.Name
		}
		if isType(d.Kind) {
			g.wantConstructors(f, i, wanted)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	q := callersOf{wanted: wanted, name: last, renamed: g.mayBeRenamed(f.Language.Family(), last), unique: sync.OnceValue(func() bool {
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
	wanted  map[entity]bool
	name    string      // of the definitions, unqualified
	renamed bool        // a file may import them under another name
	unique  func() bool // it is a method whose name nothing else of the repository has
}

func (g *Graph) wantConstructors(f *syntax.File, class int, wanted map[entity]bool) {
	for i := range f.Definitions {
		if f.Definitions[i].Parent == class && f.Definitions[i].Kind == syntax.Constructor {
			wanted[entity{path: f.Path, def: i}] = true
		}
	}
}

// mayBeRenamed reports whether a file may import one of some names under another
// one. Java and Go cannot; scripts do it in too many ways to tell without parsing.
func (g *Graph) mayBeRenamed(family syntax.Family, names ...string) bool {
	if family != syntax.FamilyPython {
		return family == syntax.FamilyScript
	}
	if g.renamed == nil {
		g.renamed = map[uint32]bool{}
		for _, f := range g.index.family[family] {
			for _, w := range g.words(f) {
				if w&uint32(renamed) != 0 {
					g.renamed[w&^occurrences] = true
				}
			}
		}
	}
	return slices.ContainsFunc(names, func(name string) bool { return g.renamed[mentionOf(name, 0).word()] })
}

// callerFiles are the file itself and those that use it and may call what is asked
// for, by path.
func (g *Graph) callerFiles(path string, q callersOf) []string {
	out := []string{path}
	for e := range g.ImportedBy(path, func(from string) bool { return q.renamed || g.may(from, called, []string{q.name}) }) {
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
			l, _ := g.location(entity{path: from, def: c.Def})
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

// Callees lists what the lines of the file call, where it can be told for
// certain, in source order and once for each target.
func (g *Graph) Callees(path string, lines syntax.Span) []Callee {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	var out []Callee
	seen := map[entity]bool{}
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
