package contextbuilder

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// newExecutionLayer is layer 3.
func newExecutionLayer(m measure, p *pull, diff *diffLayer, _ Options) layer {
	l := newCodeLayer(m, 3, slices.Clone(p.execution), p.blocks, alreadyShown(diff))
	l.order = func() { everyChange(&l.measure, l.snippets, diff) }
	return l
}

// everyChange orders the narrowest forms of the changes by cost, so that as many definitions as possible are shown
// before any is shown widely. If the diff shows the changed lines, the heads of their blocks are enough at first;
// fields and constants elsewhere say little.
func everyChange(m *measure, snippets []*snippet, diff *diffLayer) {
	n := slices.IndexFunc(snippets, func(o *snippet) bool { return o.tier != tierEnclosing })
	if n < 0 {
		n = len(snippets)
	}
	turn := make(map[*snippet]int, n)
	for _, o := range snippets[:n] {
		lines := diff.oldLines(o.path)
		seen := len(o.places) > 0 && !slices.ContainsFunc(o.places, func(n int) bool { return !lines[n] })
		switch {
		case o.heads && !seen:
			turn[o] = 2
		case !o.heads && seen, o.def >= 0 && !o.file.Definitions[o.def].HasBody():
			turn[o] = 1
		}
	}
	slices.SortStableFunc(snippets[:n], func(a, b *snippet) int {
		return cmp.Or(turn[a]-turn[b], a.estimate(m)-b.estimate(m))
	})
}

// execution collects the snippets of layer 3.
func (f *finder) execution(ctx context.Context) []*snippet {
	var out []*snippet
	for _, s := range f.subjects {
		if ctx.Err() != nil {
			return nil
		}
		if s.old == nil {
			out = append(out, f.importedByNew(s)...)
			continue
		}
		if s.like != nil {
			continue // the other file says the same
		}
		if s.was.Degraded != "" {
			out = append(out, windows(s.old, s.diff)...)
			continue
		}
		out = append(out, f.enclosing(s)...)
		out = append(out, f.used(s)...)
		out = append(out, f.callees(s)...)
		out = append(out, f.callers(s)...)
		out = append(out, f.stateReaders(s)...)
		out = append(out, f.siblings(s)...)
		out = append(out, f.outline(s)...)
	}
	out = slices.DeleteFunc(out, func(o *snippet) bool { return o.def >= 0 && o.file.Definitions[o.def].InTests })
	if len(out) == 0 {
		out = f.otherFiles()
	}
	return ordered(out)
}

// used offers definitions of the same file, and of imported files, that the change uses: those of the changed lines
// first, then those of the enclosing definitions.
func (f *finder) used(s *changedFile) []*snippet {
	var out []*snippet
	add := func(from *source, def int, changed, around bool) {
		tier, why := tierTypes, "used around the change"
		if changed {
			tier, why = tierCallees, "used by the change"
		}
		if from == s.old {
			why = ""
		}
		if (changed || around) && !f.isTouched(from.path, def) && len(out) < 3*f.opts.MaxRelated {
			out = append(out, f.known(s, from, def, tier, why)...)
		}
	}
	var around []string
	for _, def := range s.touched {
		around = append(around, strings.Split(s.old.join(s.was.Definitions[def].Lines), "\n")...)
	}
	for def := range s.was.Definitions {
		if d := &s.was.Definitions[def]; d.Parent < 0 || !isLocal(s.was, def) {
			add(s.old, def, s.changed[d.Name] && s.uses(s.lines, def), s.around[d.Name] && s.uses(around, def))
		}
	}
	for _, edge := range f.importsOf(s) {
		if len(out) >= 3*f.opts.MaxRelated {
			break
		}
		if isTest(edge.To) ||
			!slices.ContainsFunc(edge.Names, func(name string) bool { return s.changed[name] || s.around[name] }) {
			continue
		}
		to := f.sources.get(edge.To)
		if to == nil {
			continue
		}
		for def := range to.file.Definitions {
			if d := &to.file.Definitions[def]; d.Parent < 0 && slices.Contains(edge.Names, d.Name) {
				add(to, def, s.changed[d.Name], s.around[d.Name])
			}
		}
	}
	return out
}

// callees offers definitions of the repository that the changed lines call, then those that the enclosing definitions
// call.
func (f *finder) callees(s *changedFile) []*snippet {
	if f.head == nil || s.is == nil {
		return nil
	}
	var out []*snippet
	add := func(spans []syntax.Span, tier int, why string) {
		for _, span := range spans {
			for _, callee := range f.head.Callees(s.diff.NewPath, span) {
				if o := f.target(callee.Target); o != nil && len(out) < 3*f.opts.MaxRelated {
					out = append(out, f.known(s, o.source, o.def, tier, why)...)
				}
			}
		}
	}
	changed := newSpans(s.diff)
	add(changed, tierCallees, "called by the change")
	var around []syntax.Span
	for _, span := range changed {
		if def := s.is.Enclosing(span.Start); def >= 0 && isFunction(s.is.Definitions[def].Kind) {
			around = append(around, s.is.Definitions[def].Lines)
		}
	}
	add(slices.Compact(around), tierTypes, "called around the change")
	return out
}

// target finds the base's counterpart of a definition after the change; nil if there is none, or if it is itself part
// of the change.
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
			if !isType(d.Kind) { // an empty body says nothing
				out = append(out, &snippet{source: s.old, tier: tierOutline, def: def, form: syntax.Stub})
			}
			out = append(out, &snippet{source: s.old, tier: tierRest, def: def, form: syntax.Whole})
		}
	}
	return out
}

// importedByNew offers definitions of the repository that an added file imports.
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
			if d := &to.file.Definitions[def]; d.Parent < 0 && slices.Contains(edge.Names, d.Name) &&
				!f.isTouched(edge.To, def) && len(out) < 3*f.opts.MaxRelated {
				out = append(out, f.known(s, to, def, tierCallees, "used by "+shownPath(s.path))...)
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

// otherFiles offers line windows of the other changed files, for a pull request without any source file in a
// supported language.
func (f *finder) otherFiles() []*snippet {
	var out []*snippet
	for _, c := range f.changes {
		if c.raw == nil || c.class == test || c.class == generated || c.language != nil ||
			strings.Contains(path.Base(c.path), "lock") {
			continue
		}
		text := syntax.Normalize(c.raw)
		file := syntax.Parse(nil, c.path, text, f.opts.Imports.Syntax)
		out = append(out, windows(newSource(c.diff.OldPath, file, text), c.diff)...)
	}
	return out
}
