package contextbuilder

import (
	"iter"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// finder collects snippets.
type finder struct {
	*pull
	opts     Options
	sources  *sources
	reducers map[*source]*syntax.Reducer // of what was reduced; nil where it cannot be
	subjects []*changedFile
}

// changedFile is one changed production file with the names and words of its change.
type changedFile struct {
	*change
	old      *source           // the file at the base; nil if it was added or is degraded beyond use
	new      *source           // the file after the change; nil if it was deleted or is not known
	names    map[string]string // see testedNames; set by layer 5
	reaching map[string]string // of the definitions of the file that call those of names, in the same form
	changed  map[string]bool   // words on the changed lines, of both sides
	around   map[string]bool   // words in the definitions around them, at the base
	lines    []string          // changed lines of code, of both sides
}

func newChangedFile(f *finder, c *change) *changedFile {
	s := &changedFile{change: c, changed: map[string]bool{}, around: map[string]bool{}}
	if c.was != nil {
		s.old = newSource(c.diff.OldPath, c.was, c.base)
		f.sources.files[c.diff.OldPath] = s.old
		if c.reducer != nil {
			f.reducers[s.old] = c.reducer
		}
	}
	if c.is != nil && c.is.Degraded == "" {
		s.new = newSource(c.diff.NewPath, c.is, c.head)
	}
	for _, h := range c.diff.Hunks {
		for _, l := range h.Lines {
			if l.Kind != unidiff.Context && !isComment(c.language, strings.TrimSpace(l.Text)) {
				addWords(s.changed, wordsIn(l.Text))
				s.lines = append(s.lines, l.Text)
			}
		}
	}
	for _, def := range c.touched {
		d := &c.was.Definitions[def]
		addWords(s.around, s.old.words(d.Lines))
	}
	return s
}

// importsOf returns the import edges of a changed file: after the change if known, else before.
func (f *finder) importsOf(s *changedFile) []imports.Edge {
	if f.head != nil && s.is != nil {
		return f.head.Imports(s.diff.NewPath)
	}
	return f.graph.Imports(s.diff.OldPath)
}

// reducer returns the reducer of a file; nil if it cannot be parsed. Only files that did not change are parsed again.
func (f *finder) reducer(s *source) *syntax.Reducer {
	r, ok := f.reducers[s]
	if !ok {
		if r, ok = s.file.NewReducer(s.text, f.opts.Imports.Syntax); !ok {
			r = nil
		}
		f.reducers[s] = r
	}
	return r
}

func addWords(set map[string]bool, words iter.Seq[string]) {
	for word := range words {
		set[word] = true
	}
}

// isTouched reports whether a definition of the base is one that changed.
func (f *finder) isTouched(path string, def int) bool {
	for _, s := range f.subjects {
		if s.old != nil && s.old.path == path {
			return slices.Contains(s.touched, def)
		}
	}
	return false
}

// shown lists the forms of an offered definition: whole at once if it is small, else its signature; last, in a separate
// tier, whole at any size.
func (f *finder) shown(s *source, def, tier int, why, note string) []*snippet {
	o := snippet{source: s, tier: tier, why: why, def: def, form: syntax.Whole, atMost: f.opts.SmallDefinitionTokens}
	stub, full := o, o
	stub.form, stub.atMost, stub.note = syntax.Stub, 0, note
	full.tier, full.atMost = tierGrow, 0
	return []*snippet{&o, &stub, &full}
}

// ordered sorts snippets by tier; within a tier files alternate, in the order of their first snippet.
func ordered(snippets []*snippet) []*snippet {
	type key struct {
		tier int
		path string
	}
	seen, first := map[key]int{}, map[key]int{}
	turn := make(map[*snippet][2]int, len(snippets))
	for i, o := range snippets {
		k := key{o.tier, o.path}
		if _, ok := first[k]; !ok {
			first[k] = i
		}
		turn[o] = [2]int{seen[k], first[k]}
		seen[k]++
	}
	slices.SortStableFunc(snippets, func(a, b *snippet) int {
		if a.tier != b.tier {
			return a.tier - b.tier
		}
		if x, y := turn[a], turn[b]; x[0] != y[0] {
			return x[0] - y[0]
		} else {
			return x[1] - y[1]
		}
	})
	return snippets
}

// alreadyShown says whether the diff shows most of what a snippet would, or most of
// the definition that it is a part of.
func alreadyShown(diff *diffLayer) func(*snippet) bool {
	const most = 0.7                           // of the lines that are not blank
	known, at := map[string]map[int]bool{}, "" // lines shown while the layer says this
	shows := func(o *snippet) bool {
		if at != diff.text() {
			at = diff.text()
			clear(known)
		}
		lines, ok := known[o.path]
		if !ok {
			lines = diff.oldLines(o.path)
			known[o.path] = lines
		}
		if len(lines) == 0 {
			return false
		}
		seen, all := 0, 0
		for n := range o.shows() {
			if strings.TrimSpace(o.line(n)) != "" {
				all++
				if lines[n] {
					seen++
				}
			}
		}
		return float64(seen) >= most*float64(all)
	}
	return func(o *snippet) bool {
		return shows(o) || len(o.places) > 0 && shows(&snippet{source: o.source, def: o.def, form: syntax.Whole})
	}
}

// isTest reports test files, which layer 3 skips and layer 5 shows.
func isTest(path string) bool { return pathkind.IsTest(path) }

// The tiers of layer 3, best first.
const (
	tierEnclosing = iota // what the changed lines lie in, at its narrowest
	tierWiden            // more of what the changed lines lie in
	tierImports          // the imports that those use
	tierCallees          // what the changed lines call and use
	tierCallers          // who calls and uses what changed
	tierTypes            // what the definitions around the change use
	tierGrow             // longer forms of the above
	tierOutline          // signatures beside the change
	tierRest             // the code of those signatures, where there is still room
	tierLast             // windows of files without syntax
)
