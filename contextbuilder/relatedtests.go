package contextbuilder

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/text"
)

// Which files and definitions are tests, and which files may test a changed one, as far as paths and imports show it.

// testFiles lists the test files of the base by path.
func (f *finder) testFiles() []string {
	var out []string
	for _, e := range f.in.Base.Entries() {
		if f.opts.Imports.Languages.Detect(e.Path) != nil && isTest(e.Path) {
			out = append(out, e.Path)
		}
	}
	return out
}

// namedTests lists the test files named after a file: the same name with an affix that test tools expect, or the name
// of a changed definition.
func namedTests(files []string, s *changedFile) []string {
	of := s.diff.OldPath
	stemOf := testStem(of)
	var same, about []string
	nearest := 0
	for _, p := range files {
		if !mayTest(p, of) {
			continue
		}
		switch stem := testStem(p); {
		case len(stem) > 1 && stem == stemOf:
			near := sharedFolders(p, of)
			if near > nearest {
				same, nearest = nil, near
			}
			if near == nearest { // "utils" and "index" are in many folders: only the nearest count
				same = append(same, p)
			}
		case namedAfterOne(p, s.names):
			about = append(about, p)
		}
	}
	return append(same, about...)
}

// folderTests lists the test files named after the folder of a file.
func folderTests(files []string, of string) []string {
	folder := strings.ToLower(path.Base(path.Dir(of)))
	return slices.DeleteFunc(slices.Clone(files), func(p string) bool { return testStem(p) != folder || !mayTest(p, of) })
}

func namedAfterOne(test string, names map[string]string) bool {
	for word := range wordsIn(path.Base(test)) {
		if _, ok := names[word]; ok && len(word) > 3 {
			return true
		}
	}
	return false
}

// testsNamesake reports whether a test file named after the changed file imports another file of that name, and not
// the changed one: it tests that of another package.
func (f *finder) testsNamesake(s *changedFile, test string) bool {
	of, other := s.diff.OldPath, false
	for _, edge := range f.graph.Imports(test) {
		if edge.To == of {
			return false
		}
		other = other || !isTest(edge.To) && testStem(edge.To) == testStem(of)
	}
	return other
}

// testStem is a file's name without extension and without what marks a test, in lower case: "test_system.py",
// "system_test.py" and "system.py" are all "system". A generic name is replaced by that of its folder.
func testStem(p string) string {
	name := path.Base(p)
	name, _, _ = strings.Cut(name, ".")
	for _, mark := range []string{"_test", "_tests", "Tests", "TestCase", "Test", "ITCase", "IT", "Spec"} {
		name = strings.TrimSuffix(name, mark)
	}
	for _, mark := range []string{"test_", "Test"} {
		name = strings.TrimPrefix(name, mark)
	}
	switch name = strings.ToLower(name); name {
	case "__init__", "index", "mod", "main":
		return strings.ToLower(path.Base(path.Dir(p)))
	}
	return name
}

// mayTest reports whether a test file may test a file, as far as their paths show it.
func mayTest(test, subject string) bool {
	language := languages.Detect(subject)
	return sameFamily(test, subject) && (language.TestsReach == nil || language.TestsReach(test, subject))
}

func sameFamily(a, b string) bool {
	x, y := languages.Detect(a), languages.Detect(b)
	return x != nil && y != nil && x.Family == y.Family
}

// sharedFolders counts the folders that two paths share: a test is beside its subject or in a tree of the same shape.
func sharedFolders(a, b string) int {
	n := 0
	other := strings.Split(path.Dir(b), "/")
	for folder := range strings.SplitSeq(path.Dir(a), "/") {
		if slices.Contains(other, folder) {
			n++
		}
	}
	return n
}

// The tiers of layer 5, best first.
const (
	tierChangedTests  = iota // tests that the pull request changes, as they were
	tierLikeTests            // tests like those that the pull request adds beside them
	tierCallingTests         // tests that call what changed
	tierNamingTests          // tests of a file named after the changed one that mention what changed
	tierUsingTests           // tests of files that import the changed one that mention what changed
	tierFixtures             // fixtures of the tests above
	tierReachingTests        // tests that mention what calls what changed
)

// testAround is the innermost test around a definition, or the definition
// itself: a helper.
func testAround(f *syntax.File, def int) int {
	for at := def; at >= 0; at = f.Definitions[at].Parent {
		if isCase(f, at) {
			return at
		}
	}
	return def
}

// isCase reports whether a definition is a test.
func isCase(f *syntax.File, def int) bool {
	t := f.Definitions[def].Test
	return t != nil && t.Role == syntax.RoleCase
}

// asTest offers a definition of a test file without its body: its assertions
// if it is a test, else its signature.
func asTest(from *source, def, tier int) *snippet {
	form := syntax.Stub
	if isCase(from.file, def) {
		form = syntax.Asserted
	}
	return &snippet{source: from, tier: tier, def: def, form: form}
}

// saysSomething reports whether a definition of a test file is more than a helper or a frame of tests.
func saysSomething(f *syntax.File, def int) bool {
	t := f.Definitions[def].Test
	return t != nil && t.Role != syntax.RoleSuite
}

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
			if m := (match{best.snippet, text.Jaccard(sets[i], words), max(far, -far)}); m.like > best.like {
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
	for word := range s.words(s.file.Definitions[def].Lines) {
		if !without[word] {
			set[word] = true
		}
	}
	return set
}
