package show

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
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
	fmt.Fprintf(&b, "%s, frozen %s: %d questions with one fault, %d without\n", s.Name, s.FreezeDate, s.Questions,
		s.Controls)
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

func summary(s *report.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, frozen %s: %d pull requests released of %d looked at, %d ground-truth comments of %d\n",
		s.Name, s.PipelineVersion, s.FreezeDate, s.Records, s.LookedAt, s.Substantive, s.Comments)
	section(&b, "The funnel", auditFunnel(s))
	section(&b, "Released pull requests",
		countTable(map[string]int{"language": s.Records, "difficulty": s.Records, "type": s.Records},
			titled{"language", s.Languages}, titled{"difficulty", s.Difficulty}, titled{"type", s.PRTypes}))
	section(&b, "Distributions", spreadTable(s))
	section(&b, fmt.Sprintf("Review comments of the released pull requests (%d of %d ground truth on a changed line)",
		s.InDiff, s.Substantive),
		countTable(map[string]int{"anchored": s.Substantive, "no ground truth because": s.Comments - s.Substantive},
			titled{"anchored", s.Anchors}, titled{"no ground truth because", s.LabelReasons}))
	section(&b, "Repositories", yieldTable(s))
	return b.String()
}

func section(b *strings.Builder, title, body string) { fmt.Fprintf(b, "\n%s\n\n%s\n", title, body) }

func auditFunnel(s *report.Summary) string {
	t := newStageTable()
	for _, f := range s.Funnel {
		addStage(t, f.Stage, f.In, f.Pass, f.Reject, f.Undetermined, f.Failed, f.Reasons)
	}
	return t.Render()
}

// titled is one group of rows of a table of counts.
type titled struct {
	title  string
	counts []card.Count
}

// countTable shows groups of counts with their share of a whole.
func countTable(whole map[string]int, groups ...titled) string {
	t := table.New("", "", "count", "share")
	for _, g := range groups {
		for i, c := range g.counts {
			title := ""
			if i == 0 {
				title = g.title
			}
			t.Row(title, c.Name, c.Count, share(c.Count, whole[g.title]))
		}
	}
	return t.Render()
}

func spreadTable(s *report.Summary) string {
	t := table.New("", "n", "min", "25 %", "median", "75 %", "max")
	add := func(name string, d report.Distribution) {
		t.Row(name, d.N, number(d.Min), number(d.P25), number(d.Median), number(d.P75), number(d.Max))
	}
	add("review value (RVS)", s.RVS)
	add("repository quality (RQS)", s.RQS)
	add("changed lines", s.LinesChanged)
	add("changed files", s.FilesChanged)
	add("ground-truth comments", s.GroundTruth)
	for _, c := range s.Tokens {
		add("tokens of "+c.Config, c.Sizes)
	}
	return t.Render()
}

func yieldTable(s *report.Summary) string {
	t := table.New("repository", "gate", "RQS", "looked at", "released", "ground truth", "reasons")
	for _, y := range s.Repositories {
		rqs := "unknown"
		if y.RQS != nil {
			rqs = number(*y.RQS)
		}
		gate := string(y.Outcome)
		if y.Code != "" {
			gate = string(y.Code)
		}
		t.Row(y.Repo, gate, rqs, y.LookedAt, y.Released, y.GroundTruth, Listed(y.Reasons))
	}
	return t.Render()
}

// share is a part of a whole in percent.
func share(n, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

func number(f artifacts.Float) string { return strconv.FormatFloat(float64(f), 'f', -1, 64) }
