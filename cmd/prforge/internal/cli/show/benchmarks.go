package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/verdict"
)

// BugSummary is a summary as text.
func BugSummary(s *artifacts.BugSummary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, frozen %s: %d questions with one fault, %d without\n", s.Name, s.FreezeDate, s.Questions, s.Controls)
	section(&b, "The funnel", funnelRows(s.Funnel, func(verdict.StageCounts) bool { return true }).Render())
	for _, g := range []struct {
		title string
		rows  []artifacts.BugCount
	}{{"kind", s.Kinds}, {"level", s.Levels}, {"repository", s.Repositories}} {
		t := NewTable(g.title, "questions", "mean chance of a drawn line")
		for _, c := range g.rows {
			t.Row(c.Name, c.Questions, fmt.Sprintf("%.3f", c.Chance))
		}
		section(&b, "Questions by "+g.title, t.Render())
	}
	return b.String()
}

// Question is a question of a pull request with its proof.
func Question(d bugs.Draft) string {
	q, e := d.Answer, d.Evidence
	var b strings.Builder
	fmt.Fprintf(&b, "question %s: %s, %s\n", q.QuestionID, q.Kind, q.Path)
	for _, edit := range q.Edits {
		fmt.Fprintf(&b, "   line %d of the original: %.80q -> %.80q\n", edit.Line, edit.Old, edit.New)
	}
	if q.Fault == nil {
		of := "no question, which is a fault of the dataset"
		if q.ControlOf != nil {
			of = *q.ControlOf
		}
		fmt.Fprintf(&b, "   no fault: a control of %s\n", of)
		return b.String()
	}
	name := ""
	if q.Fault.Name == q.Fault.Intended && q.Fault.Name != "" {
		name = " for " + q.Fault.Name
	} else if q.Fault.Name != "" {
		name = fmt.Sprintf(" for %s, which should be %s", q.Fault.Name, q.Fault.Intended)
	}
	fmt.Fprintf(&b, "   %s%s: caused on line %d, reported on line %d, shows on %v\n", q.Fault.Error, name, q.Fault.CauseLine, q.Fault.ReportLine, q.Fault.EffectLines)
	fmt.Fprintf(&b, "   level %d, proven by rule %s, decidable in %s; a drawn line is right with a chance of %.3f\n", q.Level, e.Rule, strings.Join(q.DecidableIn, ", "), q.Chance)
	for _, kind := range slices.Sorted(maps.Keys(e.Refused)) {
		fmt.Fprintf(&b, "   before it %s was tried: %s\n", kind, e.Refused[kind])
	}
	return b.String()
}

// DebuggingSummary is a summary as text.
func DebuggingSummary(s *debugging.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d samples of %d scripts, %d with one error, %d with several; %s\n", s.Name, s.Samples, s.Scripts, s.Single, s.Multi, s.Runtime)
	fmt.Fprintf(&b, "%d of %d single errors show after other statements ran\n\n", s.MultiHop, s.Single)
	for _, st := range s.Funnel.Stages {
		fmt.Fprintf(&b, "%-12s %6d in %6d pass %6d reject %4d failed", st.Stage, st.In, st.Pass, st.Reject, st.Failed)
		for _, code := range slices.Sorted(maps.Keys(st.Reasons)) {
			fmt.Fprintf(&b, "  %s %d", code, st.Reasons[code])
		}
		b.WriteByte('\n')
	}
	for _, t := range []struct {
		name string
		rows []debugging.Row
	}{{"errors", s.Counts}, {"type", s.Types}, {"operator", s.Operators}, {"library", s.Libraries}, {"license", s.Licenses}} {
		fmt.Fprintf(&b, "\n%-28s samples  share\n", t.name)
		for _, r := range t.rows {
			fmt.Fprintf(&b, "%-28s %7d  %s\n", Clip(r.Name, 28), r.Count, r.Share)
		}
	}
	return b.String()
}

// FunnelSummary is the summary of a dataset that has only a funnel, as text.
func FunnelSummary(s *load.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, frozen %s: %s\n", s.Name, s.FreezeDate, Plural(s.Records, "record"))
	section(&b, "The funnel", funnelRows(s.Funnel, func(verdict.StageCounts) bool { return true }).Render())
	return b.String()
}
