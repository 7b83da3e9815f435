package contextbuilder

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
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
