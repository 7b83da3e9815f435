package show

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/internal/text"
)

// ScriptExplanation is an explanation as text.
func ScriptExplanation(x *debugging.Explanation) string {
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
