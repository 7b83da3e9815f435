package bugs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
)

// FaultKind is a kind of fault of a dataset, in kebab case. Kinds are never
// renamed.
type FaultKind string

// The kinds.
const (
	FaultEdit    FaultKind = "bug-edit"
	FaultProof   FaultKind = "bug-proof"
	FaultLine    FaultKind = "bug-line"
	FaultChance  FaultKind = "bug-chance"
	FaultLeak    FaultKind = "bug-leak"
	FaultControl FaultKind = "bug-control"
	FaultTwice   FaultKind = "bug-twice"
	FaultSource  FaultKind = "bug-source"
	FaultView    FaultKind = "bug-view"
	FaultDraw    FaultKind = "bug-draw"
)

// FaultTexts say of each kind what should have been, in the order of reports.
var FaultTexts = []struct {
	Kind FaultKind
	Text string
}{
	{FaultSource, "the raw records have the pull request, and its base and diff give the original"},
	{FaultEdit, "undoing the edits in what is shown gives the original, and they are as many as the kind makes"},
	{FaultProof, "the original is clean, and the rule proves the fault with its lines, class and level"},
	{FaultLine, "in mode change the fault is on an added line"},
	{FaultChance, "the chance follows from the candidate lines and the fault"},
	{FaultLeak, "nothing that is shown leads to the original or gives the fault away"},
	{FaultControl, "a control has no fault, is edited as its kind says, and goes with a question"},
	{FaultTwice, "no question and no original comes twice"},
	{FaultView, "view and tokens are those that follow from the file"},
	{FaultDraw, "the questions are those that seed and quotas draw"},
}

// Problem is one fault of a dataset.
type Problem struct {
	Kind   FaultKind
	Detail string
}

// Check checks one question against its key, from the two alone.
func Check(d Draft) []Problem {
	var out []Problem
	bad := func(kind FaultKind, format string, args ...any) {
		out = append(out, Problem{kind, d.Question.QuestionID + ": " + fmt.Sprintf(format, args...)})
	}
	a := d.Answer
	shown, original, ok := Original(d)
	if !ok {
		bad(FaultEdit, "undoing the edits does not give %s", a.HeadBlob)
		return append(out, leaks(d)...)
	}
	want := 1
	switch a.Kind {
	case Untouched:
		want = 0
	case "U7", "W7":
		want = 2
	}
	if n := len(a.Edits); a.Fault != nil && n != want || a.Fault == nil && (n == 0) != (want == 0) {
		bad(FaultEdit, "%d edits", n)
	}
	s, err := injection.Read(original)
	if err != nil || s.Clean() != nil {
		bad(FaultProof, "the original is not clean")
		return append(out, leaks(d)...)
	}
	if a.Fault == nil {
		for _, what := range checkControl(s, d, shown) {
			bad(FaultControl, "%s", what)
		}
	} else if what := checkFault(s, d); what != "" {
		bad(FaultProof, "%s", what)
	}
	if a.Fault != nil && math.Abs(a.Chance-Chance(a.CandidateLines, a.Fault)) > 1e-9 {
		bad(FaultChance, "%v, not %v", a.Chance, Chance(a.CandidateLines, a.Fault))
	}
	if a.Mode == ModeChange && a.Fault != nil && !slices.Contains([]string{"U3", "U4", "W8", "W9"}, a.Kind) &&
		!slices.Contains(a.AddedLines, a.Fault.CauseLine) {
		bad(FaultLine, "line %d", a.Fault.CauseLine)
	}
	return append(out, leaks(d)...)
}

// Original is the file that a question shows, and what it was before the edits;
// false where the edits do not lead to the blob that the key names.
func Original(d Draft) (shown, original []byte, ok bool) {
	shown = Shown(d.Question.View)
	for _, text := range [][]byte{shown, bytes.TrimSuffix(shown, []byte("\n"))} { // the view ends its last line
		original, err := injection.Undo(text, d.Answer.Edits)
		if err == nil && BlobID(original) == d.Answer.HeadBlob {
			return text, original, true
		}
	}
	return nil, nil, false
}

// checkFault proves the fault again; "" where the key says the same. Of an
// import, the module is the one that context B shows: whether it is so in the
// repository, only the raw records can say.
func checkFault(s *injection.Source, d Draft) string {
	a := d.Answer
	kind, ok := injection.KindOf(a.Kind)
	if !ok || string(kind.Family) != a.Family || kind.Level != a.Level {
		return fmt.Sprintf("kind %s, family %s, level %d", a.Kind, a.Family, a.Level)
	}
	if !slices.Equal(a.DecidableIn, decidable(a.Family)) {
		return fmt.Sprintf("decidable in %v", a.DecidableIn)
	}
	if d.Evidence.Behavior != nil { // whether the call does so, only a run can say
		s = s.WithBehaviors(func(injection.Mutation) *model.Behavior { return d.Evidence.Behavior })
	}
	p, err := s.Prove(injection.Mutation{Kind: a.Kind, Edits: a.Edits, Intended: a.Fault.Intended},
		ReadContext(ContextOf(&d.Question, ConfigB)))
	if err != nil {
		return err.Error()
	}
	if !sameFault(p.Fault, *a.Fault) || string(p.Rule) != d.Evidence.Rule {
		return fmt.Sprintf("rule %s proves %+v", p.Rule, p.Fault)
	}
	return ""
}

func sameFault(a, b model.BugFault) bool {
	return a.Name == b.Name && a.Intended == b.Intended && a.CauseLine == b.CauseLine && a.ReportLine == b.ReportLine &&
		a.Error == b.Error && slices.Equal(a.EffectLines, b.EffectLines)
}

func checkControl(s *injection.Source, d Draft, shown []byte) []string {
	a := d.Answer
	var out []string
	if a.Family != FamilyNone || a.Level != 0 || a.Chance != 0 || a.ControlOf == nil {
		out = append(out, "its key is not a control's")
	}
	if a.Kind == Untouched {
		return out
	}
	if !slices.ContainsFunc(injection.Harmless, func(op injection.Operator) bool {
		return op.Kind == a.Kind &&
			slices.ContainsFunc(op.Find(s), func(m injection.Mutation) bool { return slices.Equal(m.Edits, a.Edits) })
	}) {
		out = append(out, "the edits are not those of its kind")
	}
	if edited, err := s.ProveHarmless(injection.Mutation{Kind: a.Kind, Edits: a.Edits}); err != nil ||
		!bytes.Equal(edited, shown) {
		out = append(out, fmt.Sprintf("the edits are not harmless: %v", err))
	}
	return out
}

// leaks finds in the shown text what leads to the original: ids, names, numbers of the pull request, and the names of
// the fault in its description.
func leaks(d Draft) []Problem {
	a, view := d.Answer, d.Question.View
	var out []Problem
	forbidden := append(namesOf(fmt.Sprintf("%s#%d", a.Repo, a.PRNumber)), a.HeadBlob, a.TaskID, a.QuestionID)
	if a.BaseBlob != nil {
		forbidden = append(forbidden, *a.BaseBlob)
	}
	for _, text := range forbidden {
		if text != "" && strings.Contains(Shows(&d.Question, ConfigC), text) {
			out = append(out, Problem{FaultLeak, d.Question.QuestionID + ": what is shown has " + text})
		}
	}
	about := view[:len(view)-len(numberedPart(view))]
	if withoutSources(about) != strings.TrimSpace(about) {
		out = append(out, Problem{FaultLeak, d.Question.QuestionID + ": the description leads to the original"})
	}
	description := strings.TrimPrefix(about, "A pull request changes the file "+a.Path)
	if a.Fault != nil && a.Fault.Name != "" && a.Mode == ModeChange &&
		givenAway(description, Shown(view), a.Fault.Intended) {
		out = append(out, Problem{FaultLeak, d.Question.QuestionID + ": the description has " + a.Fault.Intended})
	}
	return out
}

// numberedPart is the part of a view from the first numbered line on.
func numberedPart(view string) string {
	rest := view
	for rest != "" && !numbered.MatchString(rest) {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return rest
}

// CheckSet looks at questions together: ids, originals, controls.
func CheckSet(drafts []Draft) []Problem {
	var out []Problem
	ids := map[string]bool{}
	pulls := map[string]string{} // of an original
	families := map[string]bool{}
	for _, d := range drafts {
		if d.Answer.Fault != nil {
			ids[d.Question.QuestionID] = true
		}
	}
	seen := map[string]bool{}
	for _, d := range drafts {
		a := d.Answer
		if seen[a.QuestionID] || a.QuestionID != d.Question.QuestionID || a.QuestionID != d.Evidence.QuestionID {
			out = append(out,
				Problem{FaultTwice, a.QuestionID + ": the id comes twice, or question, key and evidence differ in it"})
		}
		seen[a.QuestionID] = true
		pull := fmt.Sprintf("%s#%d", a.Repo, a.PRNumber)
		if other := pulls[a.HeadBlob]; other != "" && other != pull {
			out = append(out, Problem{FaultTwice, a.QuestionID + ": " + other + " has the same original"})
		}
		pulls[a.HeadBlob] = pull
		if family := a.HeadBlob + " " + a.Family; a.Fault != nil && families[family] {
			out = append(out, Problem{FaultTwice, a.QuestionID + ": a second fault of its family in one file"})
		} else {
			families[family] = true
		}
		if a.Fault == nil && a.ControlOf != nil && !ids[*a.ControlOf] {
			out = append(out, Problem{FaultControl, a.QuestionID + ": it goes with no question"})
		}
	}
	return out
}
