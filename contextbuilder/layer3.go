package contextbuilder

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/imports"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

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

// newExecutionLayer is layer 3.
func newExecutionLayer(m measure, p *pull, diff *diffLayer, _ Options) layer {
	return newCodeLayer(m, 3, p.execution, p.blocks, alreadyShown(diff))
}

// execution collects the snippets of layer 3.
func (f *finder) execution() []*snippet {
	var out []*snippet
	for _, s := range f.subjects {
		if s.old == nil {
			out = append(out, f.importedByNew(s)...)
			continue
		}
		if s.was.Degraded != "" {
			out = append(out, windows(s.old, s.diff)...)
			continue
		}
		out = append(out, f.enclosing(s)...)
		out = append(out, f.used(s)...)
		out = append(out, f.callees(s)...)
		out = append(out, f.callers(s)...)
		out = append(out, f.outline(s)...)
	}
	if len(out) == 0 {
		out = f.otherFiles()
	}
	return ordered(out)
}

// enclosing offers the definitions and top-level statements that changed lines
// lie in, and the imports that those use.
func (f *finder) enclosing(s *changedFile) []*snippet {
	var out []*snippet
	out = append(out, f.reduced(s)...)
	for _, line := range oldPlaces(s.diff) {
		if span := s.was.StatementAt(line); span.Start > 0 {
			out = append(out, &snippet{source: s.old, tier: tierEnclosing, def: -1, statement: span})
		}
	}
	for _, i := range s.was.Imports {
		if !localNames(i).any(s.around) && !localNames(i).any(s.changed) {
			continue
		}
		out = append(out, &snippet{source: s.old, tier: tierImports, def: -1, imports: i.Lines})
	}
	return out
}

// reduced offers the definitions that changed lines lie in: each at first with
// no more than the statements of those lines, then the blocks around them, and so
// on outwards until it is whole. Thus a large definition is never a mere
// signature because others came first.
func (f *finder) reduced(s *changedFile) []*snippet {
	if len(s.touched) == 0 {
		return nil
	}
	reducer, ok := s.was.NewReducer(s.base, f.opts.Imports.Syntax)
	if !ok {
		return nil
	}
	places := oldPlaces(s.diff)
	widths := make([][]syntax.Reduction, len(s.touched))
	most := 0
	for i, def := range s.touched {
		widths[i] = reducer.Reduce(def, placesIn(s.was, def, places))
		most = max(most, len(widths[i]))
	}
	var out []*snippet
	for width := range most {
		for i, def := range s.touched {
			if width < len(widths[i]) {
				o := &snippet{source: s.old, tier: tierWiden, def: def, form: syntax.Reduced, reduction: widths[i][width]}
				if width == 0 {
					o.tier = tierEnclosing
				}
				out = append(out, o)
			}
		}
	}
	for i, def := range s.touched {
		snippets := f.shown(s.old, def, tierWiden, tierWiden, "", "", f.opts.MaxDefinitionTokens)
		if len(widths[i]) == 0 {
			snippets[0].tier = tierEnclosing
		}
		snippets[1].tier = tierEnclosing // the signature, where nothing of the body has room
		out = append(out, snippets...)
	}
	return out
}

// placesIn are the changed places that a definition is the innermost around; all
// those in it, if there are none.
func placesIn(f *syntax.File, def int, places []int) []int {
	var own, all []int
	for _, line := range places {
		if !f.Definitions[def].Lines.Contains(line) {
			continue
		}
		all = append(all, line)
		if f.Enclosing(line) == def {
			own = append(own, line)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}

// oldPlaces lists the lines of the old file that a change deletes, and those
// before and after what it inserts.
func oldPlaces(f *unidiff.File) []int {
	var out []int
	for _, h := range f.Hunks {
		for i, l := range h.Lines {
			near := func(j int) bool { return j >= 0 && j < len(h.Lines) && h.Lines[j].Kind == unidiff.Added }
			if l.Kind == unidiff.Deleted || l.Kind == unidiff.Context && (near(i-1) || near(i+1)) {
				out = append(out, l.Old)
			}
		}
	}
	return out
}

// localName holds the names by which an import is known in its file.
type localName []string

func (n localName) any(words map[string]bool) bool {
	return slices.ContainsFunc(n, func(name string) bool { return words[name] })
}

func localNames(i syntax.Import) localName {
	var out localName
	for _, name := range i.Names {
		out = append(out, name.Local())
	}
	if len(i.Names) > 0 && i.Alias == "" {
		return out
	}
	if i.Alias != "" {
		return append(out, i.Alias)
	}
	first, _, _ := strings.Cut(i.Module, ".") // Python binds the first part
	last := i.Module[strings.LastIndexAny(i.Module, "/.")+1:]
	return append(out, first, last)
}

// used offers definitions of the same file, and of the files that it imports,
// whose names the change uses: those on the changed lines first, then those in
// the definitions around them.
func (f *finder) used(s *changedFile) []*snippet {
	var out []*snippet
	add := func(from *source, def int, why string) {
		d := &from.file.Definitions[def]
		tier := tierTypes
		if s.changed[d.Name] {
			tier = tierCallees
		} else if !s.around[d.Name] {
			return
		}
		if !f.isTouched(from.path, def) && len(out) < 3*f.opts.MaxRelated {
			out = append(out, f.shown(from, def, tier, tierGrow, why, "", f.opts.SmallDefinitionTokens)...)
		}
	}
	for def := range s.was.Definitions {
		if d := &s.was.Definitions[def]; d.Parent < 0 || !isLocal(s.was, def) {
			add(s.old, def, "")
		}
	}
	graph, file := f.graph, s.diff.OldPath
	if f.head != nil && s.is != nil {
		graph, file = f.head, s.diff.NewPath
	}
	for _, edge := range graph.Imports(file) {
		to := f.sources.get(edge.To)
		if to == nil || isTest(edge.To) {
			continue
		}
		for def := range to.file.Definitions {
			if d := &to.file.Definitions[def]; d.Parent < 0 && slices.Contains(edge.Names, d.Name) {
				add(to, def, "used by the change")
			}
		}
	}
	return out
}

// isLocal reports whether a definition lies inside a function.
func isLocal(f *syntax.File, def int) bool {
	for def = f.Definitions[def].Parent; def >= 0; def = f.Definitions[def].Parent {
		if isFunction(f.Definitions[def].Kind) {
			return true
		}
	}
	return false
}

// callees offers what the changed lines call elsewhere in the repository.
func (f *finder) callees(s *changedFile) []*snippet {
	if f.head == nil || s.is == nil {
		return nil
	}
	var out []*snippet
	for _, span := range newSpans(s.diff) {
		for _, callee := range f.head.Callees(s.diff.NewPath, span) {
			if o := f.target(callee.Target); o != nil && len(out) < 3*f.opts.MaxRelated {
				out = append(out, f.shown(o.source, o.def, tierCallees, tierGrow, "called by the change", "", f.opts.SmallDefinitionTokens)...)
			}
		}
	}
	return out
}

// target finds a definition after the change at the base; nil if it is not
// there, or is itself part of what changed.
func (f *finder) target(to imports.Location) *snippet {
	if isTest(to.Path) {
		return nil
	}
	for _, s := range f.subjects {
		if s.diff.NewPath != to.Path {
			continue
		}
		if s.old == nil || s.is == nil {
			return nil
		}
		def := counterpart(s.is, to.Def, s.was)
		if def < 0 || slices.Contains(s.touched, def) || s.was.Definitions[def].Qualified != to.Definition.Qualified {
			return nil
		}
		return &snippet{source: s.old, def: def}
	}
	from := f.sources.get(to.Path)
	if from == nil || to.Def >= len(from.file.Definitions) {
		return nil
	}
	return &snippet{source: from, def: to.Def}
}

// newSpans lists the runs of added lines, on the new side.
func newSpans(f *unidiff.File) []syntax.Span {
	var out []syntax.Span
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Kind != unidiff.Added {
				continue
			}
			if n := len(out); n > 0 && out[n-1].End == l.New-1 {
				out[n-1].End = l.New
			} else {
				out = append(out, syntax.Span{Start: l.New, End: l.New})
			}
		}
	}
	return out
}

// callers offers the code that calls or uses what changed: short callers
// whole, long ones by their signature with the line of the call.
func (f *finder) callers(s *changedFile) []*snippet {
	var out []*snippet
	for _, def := range s.touched {
		d := &s.was.Definitions[def]
		n := 0
		for _, site := range f.graph.CallersOf(s.diff.OldPath, d.Qualified) {
			if isTest(site.Path) || n >= f.opts.MaxCallers {
				continue
			}
			if snippets := f.callSite(site, d); len(snippets) > 0 {
				out = append(out, snippets...)
				n++
			}
		}
		if d.Parent < 0 && distinctiveEnough(d.Name) {
			out = append(out, f.mentions(s.old, d)...)
			if n == 0 {
				out = append(out, f.users(s, d)...)
			}
		}
	}
	return out
}

func (f *finder) callSite(site imports.CallSite, d *syntax.Definition) []*snippet {
	from := f.sources.get(site.Path)
	if from == nil || site.Caller != nil && f.isTouched(site.Path, site.Caller.Def) {
		return nil
	}
	if site.Caller == nil {
		if span := from.file.StatementAt(site.Call.Line); span.Start > 0 {
			return []*snippet{{source: from, tier: tierCallers, why: "calls " + text.OneLine(d.Name), def: -1, statement: span}}
		}
		return nil
	}
	return f.shown(from, site.Caller.Def, tierCallers, tierGrow, "calls "+text.OneLine(d.Name), lineNote(from, site.Call.Line), f.opts.SmallDefinitionTokens)
}

// lineNote quotes one line as a comment: where it stands and what it says. A
// line too long to read is only named.
func lineNote(s *source, n int) string {
	const readable = 160
	text := strings.TrimSpace(s.line(n))
	if len(text) > readable || strings.Contains(text, "*/") {
		return fmt.Sprintf("line %d", n)
	}
	return fmt.Sprintf("line %d: %s", n, text)
}

// distinctiveEnough keeps names of one or two letters from matching everything.
func distinctiveEnough(name string) bool { return len(name) > 2 }

// mentions offers the functions of the same file that use a changed definition
// other than by a call: handed on, bound, or as a type.
func (f *finder) mentions(s *source, d *syntax.Definition) []*snippet {
	var out []*snippet
	seen := map[int]bool{}
	for n := 1; n <= len(s.lines) && len(seen) < f.opts.MaxCallers; n++ {
		if d.Lines.Contains(n) || !strings.Contains(s.line(n), d.Name) || isComment(s.file.Language, strings.TrimSpace(s.line(n))) {
			continue
		}
		def := s.file.Enclosing(n)
		if def < 0 || seen[def] || !isFunction(s.file.Definitions[def].Kind) || f.isTouched(s.path, def) || !s.words(syntax.Span{Start: n, End: n})[d.Name] {
			continue
		}
		seen[def] = true
		out = append(out, f.shown(s, def, tierCallers, tierGrow, "", lineNote(s, n), f.opts.SmallDefinitionTokens)...)
	}
	return out
}

// users offers the definitions, in files that import the changed one, that use
// a name of it other than by a call that could be resolved.
func (f *finder) users(s *changedFile, d *syntax.Definition) []*snippet {
	var out []*snippet
	for _, edge := range f.graph.ImportedBy(s.diff.OldPath) {
		from := f.sources.get(edge.From)
		if from == nil || isTest(edge.From) || len(edge.Names) > 0 && !slices.Contains(edge.Names, d.Name) {
			continue
		}
		if line := firstUse(from, d.Name); line > 0 {
			if def := from.file.Enclosing(line); def >= 0 && !f.isTouched(edge.From, def) {
				out = append(out, f.shown(from, def, tierCallers, tierGrow, "uses "+text.OneLine(d.Name), lineNote(from, line), f.opts.SmallDefinitionTokens)...)
			}
		}
		if len(out) >= 3*f.opts.MaxCallers {
			break
		}
	}
	return out
}

// firstUse is the first line outside the imports that has the word; 0 if there
// is none.
func firstUse(s *source, word string) int {
	for n := 1; n <= len(s.lines); n++ {
		if !strings.Contains(s.line(n), word) || slices.ContainsFunc(s.file.Imports, func(i syntax.Import) bool { return i.Lines.Contains(n) }) {
			continue
		}
		if s.words(syntax.Span{Start: n, End: n})[word] {
			return n
		}
	}
	return 0
}

// outline offers signatures beside the change: the members of the types that
// changed definitions belong to, then the rest of the file.
func (f *finder) outline(s *changedFile) []*snippet {
	parents := map[int]bool{}
	for _, def := range s.touched {
		parents[def] = true
		parents[s.was.Definitions[def].Parent] = true
	}
	var out []*snippet
	for _, siblings := range []bool{true, false} {
		for def := range s.was.Definitions {
			d := &s.was.Definitions[def]
			if isLocal(s.was, def) || (d.Parent >= 0 && parents[d.Parent]) != siblings || len(out) >= 2*f.opts.MaxRelated {
				continue
			}
			out = append(out, &snippet{source: s.old, tier: tierOutline, def: def, form: syntax.Stub}, &snippet{source: s.old, tier: tierRest, def: def, form: syntax.Whole})
		}
	}
	return out
}

// importedByNew offers what an added file takes from the repository.
func (f *finder) importedByNew(s *changedFile) []*snippet {
	if f.head == nil || s.is == nil {
		return nil
	}
	var out []*snippet
	for _, edge := range f.head.Imports(s.diff.NewPath) {
		to := f.sources.get(edge.To)
		if to == nil || isTest(edge.To) {
			continue
		}
		for def := range to.file.Definitions {
			if d := &to.file.Definitions[def]; d.Parent < 0 && slices.Contains(edge.Names, d.Name) && !f.isTouched(edge.To, def) && len(out) < 3*f.opts.MaxRelated {
				out = append(out, f.shown(to, def, tierCallees, tierGrow, "used by "+shownPath(s.path), "", f.opts.SmallDefinitionTokens)...)
			}
		}
	}
	return append(out, f.callees(s)...)
}

// windows offers the lines around the change in a file without syntax.
func windows(s *source, diff *unidiff.File) []*snippet {
	var out []*snippet
	for _, line := range oldPlaces(diff) {
		if w := s.file.Window(line); w.Start > 0 {
			out = append(out, &snippet{source: s, tier: tierLast, def: -1, window: w})
		}
	}
	return out
}

// otherFiles offers line windows of what else changed, for a pull request
// without any source file in the five languages.
func (f *finder) otherFiles() []*snippet {
	var out []*snippet
	for _, c := range f.changes {
		if c.raw == nil || c.class == test || c.class == generated || pathkind.IsSource(c.path) || strings.Contains(path.Base(c.path), "lock") {
			continue
		}
		text := syntax.Normalize(c.raw)
		file := syntax.Parse(c.path, text, f.opts.Imports.Syntax)
		out = append(out, windows(newSource(c.diff.OldPath, file, text), c.diff)...)
	}
	return out
}
