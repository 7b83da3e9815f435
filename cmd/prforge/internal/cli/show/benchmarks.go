package show

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/internal/verdict"
)

// Text is a benchmark's figures, or what it holds about an item, as text; "" if there is none for the type.
func Text(what any) string {
	switch x := what.(type) {
	case *report.Summary:
		return summary(x)
	case *artifacts.BugSummary:
		return bugSummary(x)
	case *load.Summary:
		return funnelSummary(x)
	case fmt.Stringer:
		return x.String()
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
		t := table.New(g.title, "questions", "mean chance of a drawn line")
		for _, c := range g.rows {
			t.Row(c.Name, c.Questions, fmt.Sprintf("%.3f", c.Chance))
		}
		section(&b, "Questions by "+g.title, t.Render())
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
