package imports

import (
	"slices"
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// Defines lists the definitions with that name ("parse", "Server.Close") in the
// repository, by path and line, test files included. Names inside functions are
// left out: nothing outside can mean them. It is empty, with a Problem, when too
// many files mention the name.
func (g *Graph) Defines(name string) []Location {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" {
		return nil
	}
	files, ok := g.mentioning(g.index.all, []handle{newHandle(bare, splitWords(last)...)}, "definitions of "+name)
	if !ok {
		return nil
	}
	var out []Location
	for _, p := range files {
		f, ok := g.File(p)
		if !ok {
			continue
		}
		for i := range f.Definitions {
			d := &f.Definitions[i]
			if named(d.Kind) && (d.Qualified == name || d.Name == name || strings.HasSuffix(d.Qualified, "."+name)) && !insideFunction(f, i) {
				out = append(out, Location{Path: p, Def: i, Definition: *d})
			}
		}
	}
	return out
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
	q := callersOf{wanted: wanted, name: last, renamed: g.mayBeRenamed(f.Language.Family(), last)}
	q.unique = method == last && severalWords(method) && g.onlyIn(path, method)
	var out []CallSite
	for _, from := range g.callerFiles(path, q) {
		out = append(out, g.callsFrom(from, q)...)
	}
	return out
}

// callersOf is the question whose calls reach some definitions.
type callersOf struct {
	wanted  map[entity]bool
	name    string // of the definitions, unqualified
	renamed bool   // a file may import them under another name
	unique  bool   // a method whose name nothing else of the repository has
}

func (g *Graph) wantConstructors(f *syntax.File, class int, wanted map[entity]bool) {
	for i := range f.Definitions {
		if f.Definitions[i].Parent == class && f.Definitions[i].Kind == syntax.Constructor {
			wanted[entity{path: f.Path, def: i}] = true
		}
	}
}

// mayBeRenamed reports whether a file may import a name under another one. Java
// and Go cannot; scripts do it in too many ways to tell without parsing.
func (g *Graph) mayBeRenamed(family syntax.Family, name string) bool {
	switch family {
	case syntax.FamilyPython:
		m := mentionOf(name, renamed)
		return slices.ContainsFunc(g.index.family[family], func(p string) bool { return g.words(p).has(m) })
	case syntax.FamilyScript:
		return true
	}
	return false
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
		if known && !q.wanted[e] || !known && (!q.unique || c.Name != q.name || c.Receiver == "" || isSelf(c.Receiver)) {
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
	found := g.Defines(name)
	for _, l := range found {
		if l.Path != path {
			return false
		}
	}
	return len(found) > 0
}

// Callees lists what the lines of the file call, where it can be told for
// certain, in source order and once for each target.
func (g *Graph) Callees(path string, lines syntax.Span) []Callee {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	return g.calleesOf(f, lines)
}

// calleesOf is Callees for a file that need not be in the tree.
func (g *Graph) calleesOf(f *syntax.File, lines syntax.Span) []Callee {
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
