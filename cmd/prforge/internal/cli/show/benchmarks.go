package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/verdict"
)

// Text is a benchmark's figures, or what it holds about an item, as text; "" if there is none for the type.
func Text(what any) string {
	switch x := what.(type) {
	case *report.Summary:
		return summary(x)
	case *artifacts.BugSummary:
		return bugSummary(x)
	case []bugs.Draft:
		return questions(x)
	case *load.Summary:
		return funnelSummary(x)
	case *debugging.Summary:
		return debuggingSummary(x)
	case *debugging.Explanation:
		return scriptExplanation(x)
	}
	return ""
}

func bugSummary(s *artifacts.BugSummary) string {
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

// questions are the questions of a pull request with their proofs.
func questions(drafts []bugs.Draft) string {
	var b strings.Builder
	for _, d := range drafts {
		b.WriteByte('\n')
		writeQuestion(&b, d)
	}
	return b.String()
}

func writeQuestion(b *strings.Builder, d bugs.Draft) {
	q, e := d.Answer, d.Evidence
	fmt.Fprintf(b, "question %s: %s, %s\n", q.QuestionID, q.Kind, q.Path)
	for _, edit := range q.Edits {
		fmt.Fprintf(b, "   line %d of the original: %.80q -> %.80q\n", edit.Line, edit.Old, edit.New)
	}
	if q.Fault == nil {
		of := "no question, which is a fault of the dataset"
		if q.ControlOf != nil {
			of = *q.ControlOf
		}
		fmt.Fprintf(b, "   no fault: a control of %s\n", of)
		return
	}
	name := ""
	if q.Fault.Name == q.Fault.Intended && q.Fault.Name != "" {
		name = " for " + q.Fault.Name
	} else if q.Fault.Name != "" {
		name = fmt.Sprintf(" for %s, which should be %s", q.Fault.Name, q.Fault.Intended)
	}
	fmt.Fprintf(b, "   %s%s: caused on line %d, reported on line %d, shows on %v\n", q.Fault.Error, name, q.Fault.CauseLine, q.Fault.ReportLine, q.Fault.EffectLines)
	fmt.Fprintf(b, "   level %d, proven by rule %s, decidable in %s; a drawn line is right with a chance of %.3f\n", q.Level, e.Rule, strings.Join(q.DecidableIn, ", "), q.Chance)
	for _, kind := range slices.Sorted(maps.Keys(e.Refused)) {
		fmt.Fprintf(b, "   before it %s was tried: %s\n", kind, e.Refused[kind])
	}
}

func debuggingSummary(s *debugging.Summary) string {
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

// funnelSummary is the summary of a dataset that has only a funnel.
func funnelSummary(s *load.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, frozen %s: %s\n", s.Name, s.FreezeDate, Plural(s.Records, "record"))
	section(&b, "The funnel", funnelRows(s.Funnel, func(verdict.StageCounts) bool { return true }).Render())
	return b.String()
}

func scriptExplanation(x *debugging.Explanation) string {
	var b strings.Builder
	if x.Sample != nil {
		b.WriteString(sampleText(x.Sample, x.Evidence))
	}
	t := NewTable("what", "stage", "outcome", "code", "detail")
	for _, d := range x.Decisions {
		t.Row(text.Printable(d.Item), d.Stage, string(d.Outcome), string(d.Code), Clip(text.Printable(d.Detail), 70))
	}
	fmt.Fprintf(&b, "\n%s\n", t.Render())
	return b.String()
}

// sampleText says where a sample comes from and what its errors are.
func sampleText(s *debugging.Sample, e *debugging.Evidence) string {
	var b strings.Builder
	from := s.Path
	if s.Repo != "" {
		from = s.Repo + ":" + s.Path
	}
	if s.PRNumber != nil {
		from += fmt.Sprintf(" of pull request %d", *s.PRNumber)
	}
	if s.Commit != "" {
		from += " at " + s.Commit
	}
	fmt.Fprintf(&b, "%s, %s\n", text.Printable(from), text.Printable(s.License))
	for i, x := range s.Errors {
		fmt.Fprintf(&b, "\nerror %d of %d, by %s of %s\n", i+1, len(s.Errors), x.Operator, text.Printable(x.Injector))
		for _, edit := range changeOf(e, x.ErrorID) {
			fmt.Fprintf(&b, "   changed   line %d: %q -> %q\n", edit.Line, edit.Old, edit.New)
		}
		fmt.Fprintf(&b, "   cause     %s  %s\n", lineRange(x.CauseLine, x.CauseEndLine), text.Printable(x.CauseText))
		fmt.Fprintf(&b, "   effect    %s  %s  in %s\n", lineRange(x.EffectLine, x.EffectEndLine), text.Printable(x.EffectText), text.Printable(x.EffectFunction))
		fmt.Fprintf(&b, "   shows     %s: %s\n", text.Printable(x.ErrorType), Clip(text.Printable(x.ErrorMessage), 110))
		fmt.Fprintf(&b, "   hop       %d lines, %d other statements ran between\n", x.HopLines, x.HopExecuted)
	}
	for _, step := range e.Peel {
		fmt.Fprintf(&b, "   peeled    %s shows on line %d as %s\n", step.Shows, step.EffectLine, text.Printable(step.ErrorType))
	}
	return b.String()
}

func changeOf(e *debugging.Evidence, id string) []debugging.Edit {
	for _, c := range e.Changes {
		if c.ErrorID == id {
			return c.Edits
		}
	}
	return nil
}

// lineRange is "line 3" or "lines 3-5".
func lineRange(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d-%d", first, last)
}
