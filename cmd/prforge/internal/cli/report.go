package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/run"
)

// showReport shows how a run went: as JSON, or as the funnel, the cost, the failures, and the paths of all files.
func (a *app) showReport(state string, r *run.Report, asJSON bool) error {
	if asJSON {
		return a.writeJSON(r)
	}
	fmt.Fprintln(a.stdout, show.Funnel(r.Funnel, false))
	if r.Cost != nil {
		fmt.Fprintln(a.stdout, show.Cost(*r.Cost))
	}
	if r.Runs != nil {
		fmt.Fprintf(a.stdout, "runs:     %d warm, %d from the start, in %s\n", r.Runs.Warm, r.Runs.Cold, r.Sandbox)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(a.stdout, "failed: %s at %s (%s): %s\n", f.Name, f.Stage, f.Code, show.Clip(f.Error, 300))
	}
	for _, f := range r.Gone {
		fmt.Fprintf(a.stdout, "gone:     %s (%s): %s; take it out of repositories\n", f.Name, f.Code, f.Detail)
	}
	for _, line := range shortfalls(r) {
		fmt.Fprintln(a.stdout, line)
	}
	if len(r.Unmatched) > 0 {
		fmt.Fprintf(a.stdout, "accounts: %d entries of the registry matched nobody in this run (listed in the run report)\n",
			len(r.Unmatched))
	}
	if !r.Frozen {
		return nil
	}
	benchmark := stages.BenchmarkOf(r.Benchmark)
	fmt.Fprintf(a.stdout, "dataset:  %s (%s of %s looked at)\n", r.Dataset, show.Plural(r.Records, "record"),
		show.Plural(r.LookedAt, benchmark.Unit))
	if len(r.Languages) > 0 {
		fmt.Fprintf(a.stdout, "holds:    %s; %s\n", show.Listed(card.Ranked(r.Languages)),
			show.Listed(card.Ranked(r.Difficulty)))
	}
	fmt.Fprintf(a.stdout, "audit:    %s (why each was kept or dropped)\n", filepath.Join(r.Dataset, "audit"))
	fmt.Fprintf(a.stdout, "evidence: %s\n", filepath.Join(r.Dataset, benchmark.EvidenceDir))
	if !a.ephemeral {
		fmt.Fprintf(a.stdout, "run:      %s (cost and failures of this run)\n", filepath.Join(state, run.ReportFile))
		fmt.Fprintf(a.stdout, "next:     %[1]s verify %[2]s, then %[1]s audit %[2]s --html report.html\n", a.program,
			show.ShellQuote(r.Dataset))
	}
	return nil
}

// shortfalls are lines on what a dataset should hold but lacks.
func shortfalls(r *run.Report) []string {
	var out []string
	if r.Split != nil && r.Records < r.Target && r.Frozen {
		out = append(out,
			fmt.Sprintf("short:    %d of %d records (selection.target): list more repositories, or widen the window", r.Records,
				r.Target))
	}
	if r.Split != nil && r.Frozen {
		for _, s := range r.Split.Strata {
			if s.Short {
				out = append(out, fmt.Sprintf("short:    %d of %d of %s in the evaluation split", s.Taken, s.Target, s.Difficulty))
			}
		}
	}
	if r.NotCollected > 0 {
		out = append(out,
			fmt.Sprintf("short:    %d left out (not_collected), because the raw records lack what decides about them: build without --from to collect it", r.NotCollected))
	}
	if r.CopyleftShort > 0 {
		out = append(out,
			fmt.Sprintf("short:    %d more pull requests of copyleft repositories would be needed for selection.min_copyleft_share", r.CopyleftShort))
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
