package show

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/internal/verdict"
)

// Funnel shows the funnel stage by stage. It skips stages that pass everything.
func Funnel(f verdict.Funnel, markdown bool) string {
	return funnelRows(f, func(s verdict.StageCounts) bool { return s.Pass != s.In || s.Stage == "select" }).Text(markdown)
}

// funnelRows is a table of the stages to show.
func funnelRows(f verdict.Funnel, shown func(verdict.StageCounts) bool) table.Table {
	t := newStageTable()
	for _, s := range f.Stages {
		if shown(s) {
			addStage(t, s.Stage, s.In, s.Pass, s.Reject, s.Undetermined, s.Failed, card.Ranked(s.Reasons))
		}
	}
	return t
}

func newStageTable() table.Table {
	return table.New("stage", "in", "pass", "reject", "undetermined", "failed", "reasons")
}

// addStage adds a row to a table of stages.
func addStage(t table.Table, name string, in, pass, reject, undetermined, failed int, reasons []card.Count) {
	t.Row(name, in, pass, blank(reject), blank(undetermined), blank(failed), Listed(reasons))
}

// blank returns "" for 0.
func blank(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Listed is "code 3, other 1".
func Listed(counts []card.Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%s %d", c.Name, c.Count)
	}
	return strings.Join(parts, ", ")
}

// Cost says what a run asked of GitHub.
func Cost(s ghapi.Stats) string {
	if s.GraphQL+s.REST == 0 {
		return "cost:     GitHub was not asked: everything was kept"
	}
	line := fmt.Sprintf("cost:     %s (%s), %s, %.1f MB",
		Plural(s.GraphQL, "GraphQL request"), Plural(s.Points, "point"), Plural(s.REST, "REST request"), float64(s.Bytes)/1e6)
	if s.Waited > time.Second {
		line += fmt.Sprintf(", %s waited", s.Waited.Round(time.Second))
	}
	return line
}
