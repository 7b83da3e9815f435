package imports

import (
	"slices"
	"strings"
)

// FilesNamed lists the files that a name may mean: a path or the end of one, a
// symbol that is defined at the level of its file or as a member
// ("Server.Close"), or the dotted name of a module ("celery.app.base").
func (g *Graph) FilesNamed(name string) []string {
	found := g.paths(name)
	for _, l := range g.Defines(name) {
		if l.Definition.Parent < 0 || strings.Contains(name, ".") { // a bare word is no member of something
			found = append(found, l.Path)
		}
	}
	if strings.Contains(name, ".") && !strings.Contains(name, "/") {
		for _, family := range g.opts.Languages.Families() {
			for _, ending := range family.ModuleFiles {
				found = append(found, g.paths(strings.ReplaceAll(name, ".", "/")+ending)...)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// paths lists the files, of any kind, whose path is the text or ends in "/" +
// text.
func (g *Graph) paths(text string) []string {
	var out []string
	for p := range g.index.entries {
		if text != "" && (p == text || strings.HasSuffix(p, "/"+text)) {
			out = append(out, p)
		}
	}
	return out
}

// Defined lists the first and last line of each definition that a file has under
// a name, qualified or not.
func (g *Graph) Defined(path, name string) [][2]int {
	file, ok := g.File(path)
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

// Neighbor reports the first of some files that imports the path ("imports") or
// is imported by it ("imported by"), directly or through re-exports, without
// looking at any other file that does not re-export.
func (g *Graph) Neighbor(path string, files []string) (via, because string, ok bool) {
	for _, f := range files {
		if len(g.EdgesTo(path, f)) > 0 {
			return f, "imported by", true
		}
		if len(g.EdgesTo(f, path)) > 0 {
			return f, "imports", true
		}
	}
	return "", "", false
}
