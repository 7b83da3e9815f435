package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/run"
)

// showReport shows how a run went: as JSON, or as the funnel, the cost, the failures, and the paths of all files.
func (a *app) showReport(state string, r *run.Report, asJSON bool) error {
	if asJSON {
		return a.writeJSON(r)
	}
	fmt.Fprintln(a.stdout, funnelTable(r.Funnel, false))
	if r.Benchmark != artifacts.Debugging {
		fmt.Fprintln(a.stdout, costLine(r.Cost))
	}
	if r.Runs != nil {
		fmt.Fprintf(a.stdout, "runs:     %d warm, %d from the start, in %s\n", r.Runs.Warm, r.Runs.Cold, r.Sandbox)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(a.stdout, "failed: %s at %s (%s): %s\n", f.Name, f.Stage, f.Code, clip(f.Error, 300))
	}
	for _, f := range r.Gone {
		fmt.Fprintf(a.stdout, "gone:     %s (%s): %s; take it out of repositories\n", f.Name, f.Code, f.Detail)
	}
	for _, line := range shortfalls(r) {
		fmt.Fprintln(a.stdout, line)
	}
	if len(r.Unmatched) > 0 {
		fmt.Fprintf(a.stdout, "accounts: %d entries of the registry matched nobody in this run (listed in the run report)\n", len(r.Unmatched))
	}
	if !r.Frozen {
		return nil
	}
	lookedAt := plural(r.LookedAt, "pull request")
	if r.Benchmark == artifacts.Debugging {
		lookedAt = plural(r.Scripts, "script")
	}
	fmt.Fprintf(a.stdout, "dataset:  %s (%s of %s looked at)\n", r.Dataset, plural(r.Records, "record"), lookedAt)
	if len(r.Languages) > 0 {
		fmt.Fprintf(a.stdout, "holds:    %s; %s\n", listed(card.Ranked(r.Languages)), listed(card.Ranked(r.Difficulty)))
	}
	fmt.Fprintf(a.stdout, "audit:    %s (why each was kept or dropped)\n", filepath.Join(r.Dataset, "audit"))
	fmt.Fprintf(a.stdout, "evidence: %s\n", filepath.Join(r.Dataset, stages.BenchmarkOf(r.Benchmark).EvidenceDir))
	if !a.ephemeral {
		fmt.Fprintf(a.stdout, "run:      %s (cost and failures of this run)\n", filepath.Join(state, run.ReportFile))
		fmt.Fprintf(a.stdout, "next:     %[1]s verify %[2]s, then %[1]s audit %[2]s --html report.html\n", a.program, shellQuote(r.Dataset))
	}
	return nil
}

// shortfalls are lines on what a dataset should hold but lacks.
func shortfalls(r *run.Report) []string {
	var out []string
	if r.Split != nil && r.Records < r.Target && r.Frozen {
		out = append(out, fmt.Sprintf("short:    %d of %d records (selection.target): list more repositories, or widen the window", r.Records, r.Target))
	}
	if r.Split != nil && r.Frozen {
		for _, s := range r.Split.Strata {
			if s.Short {
				out = append(out, fmt.Sprintf("short:    %d of %d of %s in the evaluation split", s.Taken, s.Target, s.Difficulty))
			}
		}
	}
	if r.CopyleftShort > 0 {
		out = append(out, fmt.Sprintf("short:    %d more pull requests of copyleft repositories would be needed for selection.min_copyleft_share", r.CopyleftShort))
	}
	for _, g := range r.Short {
		line := fmt.Sprintf("short:    %s: %d of %d", g.Group, g.Have, g.Want)
		if g.Group == model.ShortOfFiles {
			line += "; widen the window, list more repositories, or set bugs.quotas.shared_files"
		}
		out = append(out, line)
	}
	return out
}

// writeJSON writes a value to standard output for machines, where the terminal's
// rule does not apply.
func (a *app) writeJSON(v any) error {
	e := json.NewEncoder(a.raw)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// funnelTable shows the funnel stage by stage. It skips stages that pass everything.
func funnelTable(f verdict.Funnel, markdown bool) string {
	return funnelRows(f, func(s verdict.StageCounts) bool { return s.Pass != s.In || s.Stage == "select" }).render(markdown)
}

// funnelRows is a table of the stages to show.
func funnelRows(f verdict.Funnel, shown func(verdict.StageCounts) bool) textTable {
	t := newStageTable()
	for _, s := range f.Stages {
		if shown(s) {
			t.stage(s.Stage, s.In, s.Pass, s.Reject, s.Undetermined, s.Failed, card.Ranked(s.Reasons))
		}
	}
	return t
}

func newStageTable() textTable {
	return newTable("stage", "in", "pass", "reject", "undetermined", "failed", "reasons")
}

// stage adds a row to a table of stages.
func (t textTable) stage(name string, in, pass, reject, undetermined, failed int, reasons []card.Count) {
	t.row(name, in, pass, blank(reject), blank(undetermined), blank(failed), listed(reasons))
}

// listed is "code 3, other 1".
func listed(counts []card.Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%s %d", c.Name, c.Count)
	}
	return strings.Join(parts, ", ")
}

func costLine(s ghapi.Stats) string {
	if s.GraphQL+s.REST == 0 {
		return "cost:     GitHub was not asked: everything was kept"
	}
	line := fmt.Sprintf("cost:     %s (%s), %s, %.1f MB",
		plural(s.GraphQL, "GraphQL request"), plural(s.Points, "point"), plural(s.REST, "REST request"), float64(s.Bytes)/1e6)
	if s.Waited > time.Second {
		line += fmt.Sprintf(", %s waited", s.Waited.Round(time.Second))
	}
	return line
}
