package contextbuilder

import (
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
)

// The tiers of layer 5, best first.
const (
	tierChangedTests = iota // tests that the pull request changes, as they were
	tierCallingTests        // tests that call what changed
	tierNamingTests         // tests of a file named after the changed one that mention what changed
	tierUsingTests          // tests of files that import the changed one that mention what changed
	tierFixtures            // fixtures of the tests above
	tierNamedTests          // all other tests of files named after the changed one
	tierImporting           // all other tests of files that import the changed one
)

// newTestLayer is layer 5.
func newTestLayer(m measure, p *pull, diff *diffLayer, _ Options) layer {
	return newCodeLayer(m, 5, p.tests, p.blocks, alreadyShown(diff))
}

// tests collects the snippets of layer 5.
func (f *finder) tests() []*snippet {
	var out []*snippet
	files := f.testFiles()
	for _, c := range f.changes {
		if c.class == test && c.was != nil && c.was.Degraded == "" {
			out = append(out, f.changedTests(c)...)
		}
	}
	for _, s := range f.subjects {
		if s.old == nil {
			continue // no test can test a file that does not exist yet
		}
		found := f.callingTests(s)
		if s.was.Language.InlineTests {
			found = append(found, f.inlineTests(s)...)
		}
		for _, path := range namedTests(files, s) {
			found = append(found, f.testsOf(s, path, tierNamingTests, tierNamedTests)...)
		}
		names := slices.Concat(slices.Collect(maps.Keys(s.telling())), slices.Collect(maps.Keys(s.top)))
		telling := func(from string) bool { return isTest(from) && f.graph.Mentions(from, names...) }
		for edge := range f.graph.ImportedBy(s.diff.OldPath, telling) {
			if len(found) >= 3*f.opts.MaxRelated {
				break
			}
			using := tierUsingTests
			if !mayTest(edge.From, s.diff.OldPath) {
				using = tierImporting // tests of another crate use what they import, and test something else
			}
			found = append(found, f.testsOf(s, edge.From, using, tierImporting)...)
		}
		if !slices.ContainsFunc(found, func(o *snippet) bool { return o.tier <= tierUsingTests }) {
			found = append(found, f.mentioningTests(s, files)...)
		}
		out = append(out, found...)
	}
	return ordered(append(out, f.fixtures(out)...))
}

// inlineTests offers the tests in a file of production code: those that the pull
// request changes, then the others.
func (f *finder) inlineTests(s *changedFile) []*snippet {
	var out []*snippet
	for _, def := range s.tests {
		if at := testAround(s.was, def); s.was.Definitions[at].Test != nil && s.was.Definitions[at].Test.Role != syntax.RoleSuite {
			out = append(out, asTest(s.old, at, tierChangedTests))
		}
	}
	return append(out, f.testsOf(s, s.diff.OldPath, tierNamingTests, tierNamedTests)...)
}

// changedTests offers the tests of a file that the pull request changes: those it
// changes, then those that mention what it changes elsewhere.
func (f *finder) changedTests(c *change) []*snippet {
	from := f.sources.get(c.diff.OldPath)
	if from == nil {
		return nil
	}
	var out []*snippet
	for _, def := range c.touched {
		if at := testAround(from.file, def); from.file.Definitions[at].Test != nil && from.file.Definitions[at].Test.Role != syntax.RoleSuite {
			out = append(out, asTest(from, at, tierChangedTests))
		}
	}
	for _, s := range f.subjects {
		if s.old == nil {
			continue
		}
		out = append(out, f.testsOf(s, c.diff.OldPath, tierChangedTests, tierNamedTests)...)
	}
	return out
}

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

// mentioningTests offers tests that mention what changed, from the test files nearest to the changed one. It runs if
// neither calls nor imports nor names lead to any: tests may reach the code through a facade.
func (f *finder) mentioningTests(s *changedFile, files []string) []*snippet {
	names := slices.Collect(maps.Keys(s.telling()))
	near := slices.DeleteFunc(slices.Clone(files), func(p string) bool { return !mayTest(p, s.diff.OldPath) })
	shared := make(map[string]int, len(near))
	for _, p := range near {
		shared[p] = sharedFolders(p, s.diff.OldPath)
	}
	slices.SortStableFunc(near, func(a, b string) int { return shared[b] - shared[a] })
	var out []*snippet
	for _, path := range near[:min(len(near), f.opts.MaxRelated)] {
		if !f.graph.Mentions(path, names...) {
			continue
		}
		for _, o := range f.testsOf(s, path, tierUsingTests, -1) {
			if o.tier == tierUsingTests {
				out = append(out, o)
			}
		}
	}
	return out
}

// callingTests offers the tests that call a changed definition.
func (f *finder) callingTests(s *changedFile) []*snippet {
	var out []*snippet
	for _, def := range s.touched {
		n := 0
		for _, site := range f.graph.CallersOf(s.diff.OldPath, s.was.Definitions[def].Qualified) {
			if !isTestSite(site) || site.Caller == nil || n >= f.opts.MaxRelated {
				continue
			}
			from := f.sources.get(site.Path)
			if from == nil {
				continue
			}
			if at := testAround(from.file, site.Caller.Def); isCase(from.file, at) { // the signature of a helper says nothing
				out = append(out, asTest(from, at, tierCallingTests))
				n++
			}
		}
	}
	return out
}

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

// testsOf offers the tests of a file: those that mention what changed in one tier, the others in another. Tests of a
// file that only imports the changed one must mention one of its names.
func (f *finder) testsOf(s *changedFile, path string, mentioning, others int) []*snippet {
	from := f.sources.get(path)
	if from == nil {
		return nil
	}
	var out []*snippet
	names := s.telling()
	if mentioning == tierChangedTests || mentioning == tierNamingTests {
		names = s.names // the file is about the change, so a short name is a match
	}
	for def := range from.file.Definitions {
		d := &from.file.Definitions[def]
		if !isCase(from.file, def) || len(out) >= f.opts.MaxRelated {
			continue
		}
		switch {
		case hasOne(from.words(d.Lines), names):
			out = append(out, asTest(from, def, mentioning))
		case others == tierNamedTests || others == tierImporting && hasOne(from.words(d.Lines), s.top):
			out = append(out, asTest(from, def, others))
		}
	}
	return out
}

// telling are the distinctive names of what changed: long ones.
func (s *changedFile) telling() map[string]bool {
	const long = 6
	out := map[string]bool{}
	for name := range s.names {
		if len(name) >= long {
			out[name] = true
		}
	}
	return out
}

func hasOne(words iter.Seq[string], of map[string]bool) bool {
	for word := range words {
		if of[word] {
			return true
		}
	}
	return false
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
		case slices.ContainsFunc(strings.FieldsFunc(path.Base(p), func(r rune) bool { return !isWord(r) }), func(word string) bool { return len(word) > 3 && s.names[word] }):
			about = append(about, p)
		}
	}
	return append(same, about...)
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

// fixtures offers the fixtures that the tests offered ask for by name. What else
// runs before tests is a signature that says nothing.
func (f *finder) fixtures(tests []*snippet) []*snippet {
	var out []*snippet
	seen := map[string]bool{}
	for _, o := range tests {
		if seen[o.path] {
			continue
		}
		seen[o.path] = true
		wanted := map[string]bool{}
		for _, t := range tests {
			if t.path == o.path && t.file.Definitions[t.def].Test != nil {
				for _, name := range t.file.Definitions[t.def].Test.Fixtures {
					wanted[name] = true
				}
			}
		}
		for def := range o.file.Definitions {
			d := &o.file.Definitions[def]
			if d.Test != nil && d.Test.Role == syntax.RoleFixture && wanted[d.Name] {
				out = append(out, &snippet{source: o.source, tier: tierFixtures, def: def, form: syntax.Stub})
			}
		}
	}
	return out
}
