package contextbuilder

import (
	"maps"
	"slices"

	"github.com/prforge/prforge/internal/syntax"
)

// newTestLayer is layer 5.
func newTestLayer(m measure, p *pull, diff *diffLayer, _ Options) layer {
	return newCodeLayer(m, 5, p.tests, p.blocks, alreadyShown(diff))
}

// tests collects the snippets of layer 5.
func (f *finder) tests() []*snippet {
	var out []*snippet
	files := f.testFiles()
	for _, s := range f.subjects {
		if s.old != nil { // no test can test a file that does not exist yet
			s.names, s.reaching = testedNames(s.change), map[string]string{}
			out = append(out, f.testsFor(s, files)...)
		}
	}
	for _, c := range f.changes {
		if c.class == test && c.was != nil && c.was.Degraded == "" {
			out = append(out, f.changedTests(c)...)
		}
	}
	return ordered(append(out, f.fixtures(out)...))
}

// testsFor offers the tests that mention what changed in a file. That a test has to do with the file is not enough.
func (f *finder) testsFor(s *changedFile, files []string) []*snippet {
	found := f.callingTests(s)
	if s.was.Language.InlineTests {
		found = append(found, f.inlineTests(s)...)
	}
	for _, path := range namedTests(files, s) {
		if !f.testsNamesake(s, path) {
			found = append(found, f.testsOf(s, path, tierNamingTests)...)
		}
	}
	for _, path := range folderTests(files, s.diff.OldPath) {
		found = append(found, f.testsOf(s, path, tierUsingTests)...)
	}
	names := slices.Concat(slices.Collect(maps.Keys(s.names)), slices.Collect(maps.Keys(s.reaching)))
	telling := func(from string) bool { return isTest(from) && f.graph.Mentions(from, names...) }
	for edge := range f.graph.ImportedBy(s.diff.OldPath, telling) {
		if len(found) >= 3*f.opts.MaxRelated {
			break
		}
		if mayTest(edge.From, s.diff.OldPath) { // tests of another crate use what they import, and test something else
			found = append(found, f.testsOf(s, edge.From, tierUsingTests)...)
		}
	}
	if !slices.ContainsFunc(found, func(o *snippet) bool { return o.tier <= tierUsingTests }) {
		found = append(found, f.mentioningTests(s, files)...)
	}
	return found
}

// inlineTests offers the tests in a file of production code: those that the pull
// request changes, those like the ones that it adds, then those that mention what changed.
func (f *finder) inlineTests(s *changedFile) []*snippet {
	var out []*snippet
	for _, def := range s.tests {
		if at := testAround(s.was, def); saysSomething(s.was, at) {
			out = append(out, asTest(s.old, at, tierChangedTests))
		}
	}
	out = append(out, likeTests(s.change, s.old)...)
	return append(out, f.testsOf(s, s.diff.OldPath, tierNamingTests)...)
}

// changedTests offers the tests of a file that the pull request changes: those it changes, those that mention what it
// changes elsewhere, then those like the tests that it adds.
func (f *finder) changedTests(c *change) []*snippet {
	from := f.sources.get(c.diff.OldPath)
	if from == nil {
		return nil
	}
	var out []*snippet
	for _, def := range c.touched {
		if at := testAround(from.file, def); saysSomething(from.file, at) {
			out = append(out, asTest(from, at, tierChangedTests))
		}
	}
	for _, s := range f.subjects {
		if s.old != nil {
			out = append(out, f.testsOf(s, c.diff.OldPath, tierChangedTests)...)
		}
	}
	return append(out, likeTests(c, from)...)
}

// mentioningTests offers tests that mention what changed, from the test files nearest to the changed one. It runs if
// neither calls nor imports nor names lead to any: tests may reach the code through a facade.
func (f *finder) mentioningTests(s *changedFile, files []string) []*snippet {
	names := slices.Collect(maps.Keys(s.names))
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
		for _, o := range f.testsOf(s, path, tierUsingTests) {
			if o.tier == tierUsingTests {
				out = append(out, o)
			}
		}
	}
	return out
}

// callingTests offers the tests that call a changed definition, and notes what else of its file calls it: a type is
// called to make an object, which is not yet a test of the member that changed.
func (f *finder) callingTests(s *changedFile) []*snippet {
	var out []*snippet
	for _, def := range reachable(s.change) {
		addUsers(s, def)
		if _, named := s.names[s.was.Definitions[def].Name]; !named {
			continue
		}
		n := 0
		for _, site := range f.graph.CallersOf(s.diff.OldPath, s.was.Definitions[def].Qualified) {
			if site.Path == s.diff.OldPath && site.Caller != nil && !isTestSite(site) {
				addName(s.reaching, s.was, notLocal(s.was, site.Caller.Def))
			}
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

// addUsers notes what of the file uses a definition that is not called by its own name: the type of a constructor, and
// the functions that mention a constant or a field.
func addUsers(s *changedFile, def int) {
	d := &s.was.Definitions[def]
	switch d.Kind {
	case syntax.Constructor:
		if d.Parent >= 0 {
			addName(s.reaching, s.was, d.Parent)
		}
	case syntax.Constant, syntax.Variable, syntax.Field:
		for user := range s.was.Definitions {
			if u := &s.was.Definitions[user]; isFunction(u.Kind) && !isLocal(s.was, user) && s.old.has(u.Lines, d.Name) {
				addName(s.reaching, s.was, user)
			}
		}
	}
}

// testsOf offers the tests of a file that mention what changed in one tier, and those that mention what calls it in
// the last.
func (f *finder) testsOf(s *changedFile, path string, tier int) []*snippet {
	from := f.sources.get(path)
	if from == nil {
		return nil
	}
	about := tier == tierChangedTests || tier == tierNamingTests
	var out []*snippet
	for def := range from.file.Definitions {
		if !isCase(from.file, def) || len(out) >= f.opts.MaxRelated {
			continue
		}
		switch {
		case mentionsOne(from, def, s.names, about):
			out = append(out, asTest(from, def, tier))
		case mentionsOne(from, def, s.reaching, about):
			out = append(out, asTest(from, def, tierReachingTests))
		}
	}
	return out
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
