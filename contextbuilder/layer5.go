package contextbuilder

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/syntax"
	"github.com/prforge/prforge/internal/pathkind"
)

// The tiers of layer 5, best first.
const (
	tierCallingTests = iota // tests that call what changed
	tierNamingTests         // tests of a file named after the changed one that mention what changed
	tierUsingTests          // tests of files that import the changed one that mention what changed
	tierFixtures            // fixtures of the tests above
	tierNamedTests          // all other tests of files named after the changed one
	tierImporting           // all other tests of files that import the changed one
)

// newTestLayer is layer 5.
func newTestLayer(m measure, p *pull, diff *diffLayer, _ Options) layer {
	return newCodeLayer(m, 5, p.tests, alreadyShown(diff))
}

// tests collects the offers of layer 5.
func (f *finder) tests() []*offer {
	var out []*offer
	for _, s := range f.subjects {
		if s.old == nil {
			continue // no test can be of a file that is not there yet
		}
		out = append(out, f.callingTests(s)...)
		for _, path := range f.namedTests(s.diff.OldPath) {
			out = append(out, f.testsOf(s, path, tierNamingTests, tierNamedTests)...)
		}
		for _, edge := range f.graph.ImportedBy(s.diff.OldPath) {
			if isTest(edge.From) && len(out) < 3*f.opts.MaxRelated {
				out = append(out, f.testsOf(s, edge.From, tierUsingTests, tierImporting)...)
			}
		}
	}
	return ordered(append(out, f.fixtures(out)...))
}

// callingTests offers the tests from which a changed definition is called.
func (f *finder) callingTests(s *subject) []*offer {
	var out []*offer
	for _, def := range s.touched {
		n := 0
		for _, site := range f.graph.CallersOf(s.diff.OldPath, s.was.Definitions[def].Qualified) {
			if !isTest(site.Path) || site.Caller == nil || n >= f.opts.MaxRelated {
				continue
			}
			if from := f.sources.get(site.Path); from != nil {
				out = append(out, asTest(from, testAround(from.file, site.Caller.Def), tierCallingTests))
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
		if t := f.Definitions[at].Test; t != nil && t.Role == syntax.RoleCase {
			return at
		}
	}
	return def
}

// asTest offers a definition of a test file without its body: its assertions
// if it is a test, else its signature.
func asTest(from *source, def, tier int) *offer {
	form := syntax.Stub
	if t := from.file.Definitions[def].Test; t != nil && t.Role == syntax.RoleCase {
		form = syntax.Asserted
	}
	return &offer{source: from, tier: tier, def: def, form: form}
}

// testsOf offers the tests of a file: those that mention what changed in one
// tier, the others in another.
func (f *finder) testsOf(s *subject, path string, mentioning, others int) []*offer {
	from := f.sources.get(path)
	if from == nil {
		return nil
	}
	var out []*offer
	for def := range from.file.Definitions {
		d := &from.file.Definitions[def]
		if d.Test == nil || d.Test.Role != syntax.RoleCase || len(out) >= f.opts.MaxRelated {
			continue
		}
		tier := others
		words := from.words(d.Lines)
		for name := range s.names {
			if words[name] {
				tier = mentioning
			}
		}
		out = append(out, asTest(from, def, tier))
	}
	return out
}

// namedTests lists the test files whose names say that they test a file: the
// same name with an affix that test tools look for.
func (f *finder) namedTests(of string) []string {
	stem := testStem(of)
	if len(stem) < 2 {
		return nil
	}
	type found struct {
		path string
		near int
	}
	var all []found
	for _, e := range f.in.Base.Entries() {
		if isTest(e.Path) && pathkind.Language(e.Path) != "" && sameFamily(e.Path, of) && testStem(e.Path) == stem {
			all = append(all, found{e.Path, sharedFolders(e.Path, of)})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return b.near - a.near })
	var out []string
	for _, t := range all {
		if t.near == all[0].near { // "utils" and "index" are in many folders: only the nearest count
			out = append(out, t.path)
		}
	}
	return out
}

// testStem is a file's name without extension and without what marks a test,
// in lower case: "test_system.py", "system_test.py" and "system.py" are all
// "system". A name that says nothing is that of its folder.
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

func sameFamily(a, b string) bool {
	x, _ := syntax.Detect(a)
	y, _ := syntax.Detect(b)
	return x.Family() == y.Family()
}

// sharedFolders counts the folders that two paths have in common: a test lies
// beside its subject or in a tree of the same shape.
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

// fixtures offers the fixtures that the tests offered ask for or run with.
func (f *finder) fixtures(tests []*offer) []*offer {
	var out []*offer
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
			if d.Test != nil && d.Test.Role == syntax.RoleFixture && (wanted[d.Name] || o.file.Language != syntax.Python) {
				out = append(out, &offer{source: o.source, tier: tierFixtures, def: def, form: syntax.Stub})
			}
		}
	}
	return out
}
