package contextbuilder

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// What a test must mention, or be like, to be one of a change.

// testedNames are the names of the definitions that changed, each with the type that it is a member of; "" for none.
// A type counts only if its head changed: who makes an object of it does not test the member that did.
func testedNames(c *change) map[string]string {
	names := map[string]string{}
	for _, def := range reachable(c) {
		if !isType(c.was.Definitions[def].Kind) || headChanged(c, def) {
			addName(names, c.was, def)
		}
	}
	return names
}

// reachable are the definitions that changed as a test can reach them: of what is local to a function, the function.
func reachable(c *change) []int {
	var out []int
	for _, def := range c.touched {
		if def = notLocal(c.was, def); !slices.Contains(out, def) {
			out = append(out, def)
		}
	}
	return out
}

// notLocal is a definition or the one around it that is not local to a function.
func notLocal(f *syntax.File, def int) int {
	for isLocal(f, def) {
		def = f.Definitions[def].Parent
	}
	return def
}

func addName(names map[string]string, f *syntax.File, def int) {
	d := &f.Definitions[def]
	if d.Kind == syntax.Constructor { // which is called by the name of its type
		return
	}
	if typ, ok := names[d.Name]; !ok || typ != "" {
		names[d.Name] = typeAround(f, def)
	}
}

// headChanged reports whether a type of the base is declared in another way after the change, or not at all.
func headChanged(c *change, def int) bool {
	d := &c.was.Definitions[def]
	if c.is == nil {
		return true
	}
	return !slices.ContainsFunc(c.is.Definitions, func(t syntax.Definition) bool {
		return t.Qualified == d.Qualified && t.Kind == d.Kind && t.Signature == d.Signature
	})
}

// mentionsOne reports whether a test mentions one of some names, also in its own name or that of its suite. In a file
// that is not about the change a short name is no match, and a member named by a single word only beside its type.
func mentionsOne(from *source, def int, names map[string]string, about bool) bool {
	if len(names) == 0 {
		return false
	}
	const long = 6
	d := &from.file.Definitions[def]
	is := func(word string) bool {
		typ, ok := names[word]
		return ok && (about || len(word) >= long && (typ == "" || severalWords(word) || from.has(d.Lines, typ)))
	}
	for word := range from.words(d.Lines) {
		if is(word) {
			return true
		}
	}
	return slices.ContainsFunc(slices.Collect(wordsIn(d.Qualified)), is)
}

// severalWords: apply_async and toJSON, not close.
func severalWords(name string) bool {
	name = strings.Trim(name, "_$")
	lower := strings.IndexFunc(name, func(r rune) bool { return 'a' <= r && r <= 'z' })
	isUpper := func(r rune) bool { return 'A' <= r && r <= 'Z' }
	return strings.Contains(name, "_") || lower >= 0 && strings.ContainsFunc(name[lower:], isUpper)
}

// likeTests offers the tests of a file that are most like those that the pull request adds to it, the nearest first
// among equals: they show how the neighborhood of the change is tested.
func likeTests(c *change, from *source) []*snippet {
	const most, least = 4, 0.2
	added := addedTests(c)
	if len(added) == 0 {
		return nil
	}
	head := newSource(c.diff.NewPath, c.is, c.head)
	common := commonWords(from)
	sets := make([]map[string]bool, len(added))
	for i, def := range added {
		sets[i] = wordSet(head, def, common)
	}
	type match struct {
		*snippet
		like float64
		far  int
	}
	var found []match
	for def := range from.file.Definitions {
		if !isCase(from.file, def) || slices.Contains(c.touched, def) || slices.Contains(c.tests, def) {
			continue
		}
		best, words := match{snippet: asTest(from, def, tierLikeTests)}, wordSet(from, def, common)
		for i, of := range added {
			far := from.file.Definitions[def].Lines.Start - c.is.Definitions[of].Lines.Start
			if m := (match{best.snippet, likeness(sets[i], words), max(far, -far)}); m.like > best.like {
				best = m
			}
		}
		if best.like >= least {
			found = append(found, best)
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Or(cmp.Compare(b.like, a.like), a.far-b.far) })
	var out []*snippet
	for _, m := range found[:min(len(found), most)] {
		out = append(out, m.snippet)
	}
	return out
}

// addedTests are the tests of a file that its base lacks.
func addedTests(c *change) []int {
	if c.is == nil || c.was == nil {
		return nil
	}
	known := map[string]bool{}
	for i := range c.was.Definitions {
		known[c.was.Definitions[i].Qualified] = true
	}
	var out []int
	for def := range c.is.Definitions {
		if isCase(c.is, def) && !known[c.is.Definitions[def].Qualified] {
			out = append(out, def)
		}
	}
	return out
}

// commonWords are those of more than half of the tests of a file: they make no two of them alike.
func commonWords(from *source) map[string]bool {
	count, tests := map[string]int{}, 0
	for def := range from.file.Definitions {
		if isCase(from.file, def) {
			tests++
			for word := range wordSet(from, def, nil) {
				count[word]++
			}
		}
	}
	common := map[string]bool{}
	for word, n := range count {
		common[word] = 2*n > tests
	}
	return common
}

// wordSet is the words of a definition but for some.
func wordSet(s *source, def int, without map[string]bool) map[string]bool {
	set := map[string]bool{}
	d := &s.file.Definitions[def]
	for word := range s.words(d.Lines) {
		set[word] = true
	}
	maps.DeleteFunc(set, func(word string, _ bool) bool { return without[word] })
	return set
}

// likeness is the share of the words of two texts that both have.
func likeness(a, b map[string]bool) float64 {
	both := 0
	for word := range a {
		if b[word] {
			both++
		}
	}
	return float64(both) / float64(max(1, len(a)+len(b)-both))
}
