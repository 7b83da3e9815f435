package imports

import "slices"

// MentionedIn lists the source files that may hold the word, an identifier, by
// path, test files included: nearly all of them do. It is empty, with a Problem,
// when there are too many.
func (g *Graph) MentionedIn(word string) []string {
	files, _ := g.mentioning(g.index.all, []Handle{NewHandle(0, splitWords(word)...)}, "mentions of "+word)
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// Mentions reports whether a source file may hold one of the names: nearly always
// it does.
func (g *Graph) Mentions(path string, names ...string) bool { return g.may(path, 0, names) }

// MayDefine reports whether a source file may define one of the names. What it
// reports of is often no more than a use.
func (g *Graph) MayDefine(path string, names ...string) bool { return g.may(path, Bare, names) }

func (g *Graph) may(path string, as Occurrence, names []string) bool {
	f := g.index.sources[path]
	if f == nil {
		return false
	}
	w := g.Words(f)
	return slices.ContainsFunc(names, func(name string) bool { return NewHandle(as, splitWords(name)...).heldBy(f, w) })
}
