package contextbuilder

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

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
	for _, i := range byOrigin(s.was) {
		if !localNames(i).any(s.around) && !localNames(i).any(s.changed) {
			continue
		}
		out = append(out, &snippet{source: s.old, tier: tierImports, def: -1, imports: i.Lines})
	}
	return out
}

// byOrigin lists the imports of a file, but for those of tests beside the code: those of its own repository as far as
// their form says so, then the others, those of the standard library last.
func byOrigin(f *syntax.File) []syntax.Import {
	origin := func(i syntax.Import) syntax.Origin {
		if i.Level > 0 || strings.HasPrefix(i.Module, ".") {
			return syntax.OwnModule
		}
		return f.Language.Origin(f.Path, i.Module)
	}
	out := slices.DeleteFunc(slices.Clone(f.Imports), func(i syntax.Import) bool {
		return i.Kind == syntax.ImportModule || i.Def >= 0 && f.Definitions[i.Def].InTests
	})
	slices.SortStableFunc(out, func(a, b syntax.Import) int { return int(origin(a) - origin(b)) })
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
	reducer := f.reducer(s.old)
	if reducer == nil {
		return nil
	}
	places := oldPlaces(s.diff)
	widths := make([][]syntax.Reduction, len(s.touched))
	most := 0
	var out []*snippet
	offer := func(def, tier int, form syntax.Form, reduction syntax.Reduction) *snippet {
		o := &snippet{source: s.old, tier: tier, def: def, form: form, reduction: reduction}
		out = append(out, o)
		return o
	}
	for i, def := range s.touched {
		own := placesIn(s.was, def, places)
		heads := offer(def, tierEnclosing, syntax.Stub, syntax.Reduction{})
		if reduction, ok := reducer.Heads(def, own); ok {
			heads.form, heads.reduction = syntax.Reduced, reduction
		}
		heads.heads, heads.places = true, own
		widths[i] = reducer.Reduce(def, own)
		most = max(most, len(widths[i]))
		if len(widths[i]) == 0 {
			o := offer(def, tierEnclosing, syntax.Whole, syntax.Reduction{})
			o.places, o.atMost = own, f.opts.MaxDefinitionTokens
			continue
		}
		offer(def, tierEnclosing, syntax.Reduced, widths[i][0]).places = own
	}
	for width := 1; width < most; width++ {
		for i, def := range s.touched {
			if width < len(widths[i]) {
				offer(def, tierWiden, syntax.Reduced, widths[i][width])
			}
		}
	}
	for _, def := range s.touched {
		offer(def, tierWiden, syntax.Whole, syntax.Reduction{}).atMost = f.opts.MaxDefinitionTokens
		offer(def, tierWiden, syntax.Whole, syntax.Reduction{})
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
