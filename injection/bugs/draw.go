package bugs

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// maxRuns bounds how many slips of a kind are run in a file.
const maxRuns = 5

// Runs are the slips of the kinds that only a run proves, as they are to be run: in the
// order of drawing, as many of each kind as are run. None where these kinds are not
// looked for.
func (f *File) Runs(o Options) []injection.Mutation {
	if !slices.Contains(o.Families, injection.Logic) {
		return nil
	}
	var out []injection.Mutation
	for _, k := range injection.Kinds {
		if k.Family == injection.Logic {
			drawn := f.drawn(k.Mutations(f.source, nil), o)
			out = append(out, drawn[:min(len(drawn), maxRuns)]...)
		}
	}
	return out
}

// Learn notes the results of runs of slips, one behavior each.
func (f *File) Learn(slips []injection.Mutation, behaviors []model.Behavior) {
	known := map[string]*model.Behavior{}
	for i, m := range slips {
		known[rank(m.Kind, m.Edits)] = &behaviors[i]
	}
	f.source = f.source.WithBehaviors(func(m injection.Mutation) *model.Behavior { return known[rank(m.Kind, m.Edits)] })
}

// Draw returns, for each family, the first fault that the rules prove, with modules for imports, and the reasons of
// the slips before it. With EveryKind, the first of each kind of the family follow. A family without a fault is
// missing from the result.
func Draw(f *File, o Options, modules injection.Modules) []Draft {
	var out []Draft
	for _, family := range o.Families {
		refused := map[string]string{}
		kinds := slices.DeleteFunc(slices.Clone(injection.Kinds), func(k injection.Kind) bool { return k.Family != family })
		slices.SortFunc(kinds, func(a, b injection.Kind) int {
			return cmp.Compare(rank(o.Seed, f.Pull, f.Path, f.HeadBlob, a.Kind),
				rank(o.Seed, f.Pull, f.Path, f.HeadBlob, b.Kind))
		})
		for _, k := range kinds {
			m, p, why := f.first(k, o, modules)
			if p == nil {
				refused[k.Kind] = why
				continue
			}
			d := f.draft(k.Kind, m.Edits, p.Faulty, o, modules)
			d.fault(f, k, m, p, maps.Clone(refused))
			out = append(out, d)
			if !o.EveryKind {
				break
			}
		}
	}
	return out
}

// FamiliesOf counts the families of some faults.
func FamiliesOf(drafts []Draft) int {
	of := map[string]bool{}
	for _, d := range drafts {
		of[d.Answer.Family] = true
	}
	return len(of)
}

// first is the first slip of a kind that is a fault, in the order of drawing.
func (f *File) first(k injection.Kind, o Options, modules injection.Modules) (injection.Mutation, *injection.Proof,
	string) {
	why := string(verdict.NoSite)
	for _, m := range f.drawn(k.Mutations(f.source, modules), o) {
		p, err := f.source.Prove(m, modules)
		if err != nil {
			why = codeOf(err)
			continue
		}
		if o.Mode == ModeChange && givenAway(f.Title+" "+f.Body, p.Faulty, p.Fault.Intended) {
			why = string(verdict.NamedInDescription)
			continue
		}
		return m, p, ""
	}
	return injection.Mutation{}, nil, why
}

// givenAway reports whether a description has the right name and the file no longer has it. A name that is still in
// the file reveals nothing.
func givenAway(description string, faulty []byte, intended string) bool {
	name := lastName(intended)
	return injection.HasWord(description, name) && !injection.HasWord(string(faulty), name)
}

func codeOf(err error) string {
	if r, ok := errors.AsType[*injection.Refusal](err); ok {
		return r.Code
	}
	return string(verdict.NoSite)
}
