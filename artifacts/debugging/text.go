package debugging

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/internal/text"
)

// String is the counts as text.
func (s *Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d samples of %d scripts, %d with one error, %d with several; %s\n", s.Name, s.Samples, s.Scripts,
		s.Single, s.Multi, s.Runtime)
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
		rows []Row
	}{{"errors", s.Counts}, {"type", s.Types}, {"operator", s.Operators}, {"library", s.Libraries},
		{"license", s.Licenses}} {
		fmt.Fprintf(&b, "\n%-28s samples  share\n", t.name)
		for _, r := range t.rows {
			fmt.Fprintf(&b, "%-28s %7d  %s\n", brief(r.Name, 28), r.Count, r.Share)
		}
	}
	return b.String()
}

// String is the explanation as text.
func (x *Explanation) String() string {
	var b strings.Builder
	if x.Sample != nil {
		b.WriteString(sampleText(x.Sample, x.Evidence))
	}
	t := table.New("what", "stage", "outcome", "code", "detail")
	for _, d := range x.Decisions {
		t.Row(text.Printable(d.Item), d.Stage, string(d.Outcome), string(d.Code), brief(d.Detail, 70))
	}
	fmt.Fprintf(&b, "\n%s\n", t.Render())
	return b.String()
}

// sampleText says where a sample comes from and what its errors are.
func sampleText(s *Sample, e *Evidence) string {
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
		fmt.Fprintf(&b, "   effect    %s  %s  in %s\n", lineRange(x.EffectLine, x.EffectEndLine),
			text.Printable(x.EffectText), text.Printable(x.EffectFunction))
		fmt.Fprintf(&b, "   shows     %s: %s\n", text.Printable(x.ErrorType), brief(x.ErrorMessage, 110))
		fmt.Fprintf(&b, "   hop       %d lines, %d other statements ran between\n", x.HopLines, x.HopExecuted)
	}
	for _, step := range e.Peel {
		fmt.Fprintf(&b, "   peeled    %s shows on line %d as %s\n", step.Shows, step.EffectLine,
			text.Printable(step.ErrorType))
	}
	return b.String()
}

func changeOf(e *Evidence, id string) []Edit {
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

// brief shortens a text for one line.
func brief(s string, n int) string {
	return text.Clip(strings.Join(strings.Fields(text.Printable(s)), " "), n)
}
