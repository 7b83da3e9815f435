package stages

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/imports"
)

// references answers what a comment's words lead to at the base commit, by the
// import graph.
type references struct{ graph *imports.Graph }

// moduleEndings are what a dotted name of a module may end in as a path.
var moduleEndings = []string{".py", "/__init__.py", ".java"}

// Resolve lists the files that a path, a symbol or a dotted module may mean.
func (r references) Resolve(name string) []string {
	found := r.graph.Paths(name)
	for _, l := range r.graph.Defines(name) {
		if l.Definition.Parent < 0 || strings.Contains(name, ".") { // a bare word is no member of something
			found = append(found, l.Path)
		}
	}
	if strings.Contains(name, ".") && !strings.Contains(name, "/") {
		for _, ending := range moduleEndings {
			found = append(found, r.graph.Paths(strings.ReplaceAll(name, ".", "/")+ending)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Defined lists the lines of the definitions that a file has under a name,
// qualified or not.
func (r references) Defined(path, name string) [][2]int {
	file, ok := r.graph.File(path)
	if !ok {
		return nil
	}
	var out [][2]int
	for i := range file.Definitions {
		if d := &file.Definitions[i]; d.Name == name || d.Qualified == name {
			out = append(out, [2]int{d.Lines.Start, d.Lines.End})
		}
	}
	return out
}

// Tie says which of the changed files imports the path or is imported by it:
// the first in the order given.
func (r references) Tie(path string, changed []string) (via, because string, ok bool) {
	for _, c := range changed {
		edge, tied := r.graph.Tied(path, c)
		switch {
		case !tied:
			continue
		case edge.From == path:
			return c, "imported by", true
		default:
			return c, "imports", true
		}
	}
	return "", "", false
}
