package contextbuilder

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// enclosing offers the definitions and top-level statements around changed lines, and the imports that they use.
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

// byOrigin lists the imports of a file, without those of tests in the same file: first those that look like its own
// repository's, then others, and the standard library's last.
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

// reduced offers the definitions around changed lines: first only the statements of those lines, then the enclosing
// blocks, and so on outwards up to the whole definition. So a large definition never shrinks to a signature because
// others came first.
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

// placesIn returns the changed places whose innermost definition is this one; if there are none, all those in it.
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
