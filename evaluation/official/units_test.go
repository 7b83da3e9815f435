package official

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation/internal/python"
	"github.com/prforge/prforge/evaluation/stats"
)

func TestDiffLines(t *testing.T) {
	for _, u := range read[[]struct {
		ID    string
		Diff  string
		Added []int64
	}](t, golden(t), "units/diff_lines.json") {
		if diff := cmp.Diff(u.Added, append([]int64{}, addedLines(u.Diff)...)); diff != "" {
			t.Errorf("%s: %s", u.ID, diff)
		}
	}
}

func TestDiffSnippet(t *testing.T) {
	type chunk struct {
		File    string
		Chars   int
		Changed int  `json:"lines_changed"`
		Logic   int  `json:"logic_markers"`
		Test    bool `json:"is_test"`
	}
	for _, u := range read[[]struct {
		ID       string
		Diff     string
		MaxChars int `json:"max_chars"`
		Shown    string
		Chunks   []chunk
	}](t, golden(t), "units/diff_snippet.json") {
		if diff := cmp.Diff(u.Shown, snippet(u.Diff, u.MaxChars)); diff != "" {
			t.Errorf("%s: %s", u.ID, diff)
		}
		chunks := []chunk{}
		for _, p := range diffParts(u.Diff) {
			chunks = append(chunks, chunk{p.file, len([]rune(p.text)), p.changed, p.logic, p.test})
		}
		if diff := cmp.Diff(u.Chunks, chunks); diff != "" {
			t.Errorf("%s: %s", u.ID, diff)
		}
	}
}

func TestLexical(t *testing.T) {
	for _, u := range read[[]struct {
		A, B       string
		Similarity float64
	}](t, golden(t), "units/lexical.json") {
		if got, err := Lexical(u.A, u.B); err != nil || math.Abs(got-u.Similarity) > 1e-9 {
			t.Errorf("%q and %q: %v, %v, want %v", u.A, u.B, got, err, u.Similarity)
		}
	}
}

func TestAffinity(t *testing.T) {
	line := func(v any) *int64 {
		if f, ok := v.(float64); ok && f == math.Trunc(f) {
			v = int64(f)
		}
		n, ok := python.Int(v)
		if !ok {
			return nil
		}
		return &n
	}
	for _, u := range read[[]struct {
		Similarity float64
		AgentFile  string `json:"agent_file"`
		HumanFile  string `json:"human_file"`
		AgentLine  any    `json:"agent_line"`
		HumanLine  any    `json:"human_line"`
		Affinity   float64
	}](t, golden(t), "units/affinity.json") {
		if got := affinity(u.Similarity, u.AgentFile, line(u.AgentLine), u.HumanFile, line(u.HumanLine)); math.Abs(got-u.Affinity) > 1e-9 {
			t.Errorf("%+v: %v", u, got)
		}
	}
}

func TestOverall(t *testing.T) {
	for i, u := range read[[]struct {
		Parts   map[string]float64
		Overall float64
	}](t, golden(t), "units/overall.json") {
		// The composite has one number for precision and efficiency; the unit
		// takes them apart.
		p := Parts{Recall: u.Parts["recall"], Precision: u.Parts["precision"], SemanticAlignment: u.Parts["semantic_alignment"],
			Actionability: u.Parts["actionability_score"], Hallucination: u.Parts["hallucination_rate"], Redundancy: u.Parts["redundancy_penalty"],
			PlausiblePenalty: u.Parts["plausible_penalty"], Confirmed: int(u.Parts["confirmed_count"]), FallbackPenalty: u.Parts["fallback_penalty"]}
		if got := p.overall(u.Parts["efficiency"]); math.Abs(got-u.Overall) > 1e-9 {
			t.Errorf("%d: %v, want %v", i, got, u.Overall)
		}
	}
}

func TestRound3(t *testing.T) {
	for _, u := range read[[]struct{ Value, Rounded float64 }](t, golden(t), "units/round3.json") {
		if got := round3(u.Value); got != u.Rounded || math.Signbit(got) != math.Signbit(u.Rounded) {
			t.Errorf("%v: %v, want %v", u.Value, got, u.Rounded)
		}
	}
}

func TestAggregate(t *testing.T) {
	for _, u := range read[[]struct {
		ID       string
		Results  []Result
		Report   map[string]any
		Weighted float64 `json:"weighted_mean_of_all"`
		Mean     float64 `json:"mean_of_all"`
	}](t, golden(t), "units/aggregate.json") {
		got := plain(t, NewReport(u.Results)).(map[string]any)
		delete(got, "records") // the unit leaves them out
		delete(u.Report, "run_date")
		if diff := cmp.Diff(u.Report, got); diff != "" {
			t.Errorf("%s (-official +ours):\n%s", u.ID, diff)
		}
		if math.Abs(weightedMean(u.Results)-u.Weighted) > 1e-9 || math.Abs(mean(u.Results, overall)-u.Mean) > 1e-9 {
			t.Errorf("%s: means %v and %v, want %v and %v", u.ID, weightedMean(u.Results), mean(u.Results, overall), u.Weighted, u.Mean)
		}
	}
}

func TestChecks(t *testing.T) {
	for _, u := range read[[]struct {
		ID       string
		Result   Result
		Failures []string
	}](t, golden(t), "units/checks.json") {
		if diff := cmp.Diff(u.Failures, append([]string{}, u.Result.checks()...)); diff != "" {
			t.Errorf("%s: %s", u.ID, diff)
		}
	}
}

func TestLoader(t *testing.T) {
	record := map[string]any{"task_id": "shardkeeper__412", "repo": "quayside/shardkeeper", "pr_number": int64(412),
		"difficulty": "Type1_Direct", "pr_type": "feature", "language": "Python"}
	for _, u := range read[[]struct {
		ID                  string
		Annotation, Context map[string]any
		Loaded              map[string]any
	}](t, golden(t), "units/loader.json") {
		task := newTask(record, integers(u.Annotation), integers(u.Context), "B")
		ids := []any{}
		for _, h := range task.Humans {
			ids = append(ids, h.ID)
		}
		got := map[string]any{"task_id": task.ID, "pr_number": float64(task.PRNumber), "repo": task.Repo, "config_name": task.Config,
			"rendered_context": task.Rendered, "total_tokens": float64(task.TotalTokens), "pipeline_version": task.PipelineVersion,
			"difficulty": task.Difficulty, "pr_type": task.PRType, "language": task.Language, "human_comments": ids,
			"has_severity_annotations": task.HasSeverity}
		if diff := cmp.Diff(u.Loaded, got); diff != "" {
			t.Errorf("%s (-official +ours):\n%s", u.ID, diff)
		}
	}
}

// integers makes whole numbers integers again, which encoding/json makes
// floats.
func integers(m map[string]any) map[string]any {
	for k, v := range m {
		if f, ok := v.(float64); ok && f == math.Trunc(f) {
			m[k] = int64(f)
		}
	}
	return m
}

// The agreement that the evaluation reports is the one of the published code,
// which answers 1 where chance explains everything: ours is undefined there.
func TestKappa(t *testing.T) {
	compared := 0
	for i, u := range read[[]struct {
		A, B             []string
		Kappa, Agreement *float64
	}](t, golden(t), "units/kappa.json") {
		if u.Kappa == nil {
			continue // raters of nothing, or of different items
		}
		var items []stats.Rated
		for j, a := range u.A {
			items = append(items, stats.Rated{A: a, B: u.B[j]})
		}
		got := stats.Kappa(stats.Default(), items)
		if math.Abs(float64(got.Observed)-*u.Agreement) > 1e-9 {
			t.Errorf("%d: agreement %v, want %v", i, got.Observed, *u.Agreement)
		}
		if !got.Kappa.Value.Defined() {
			if *u.Kappa != 1 {
				t.Errorf("%d: kappa is undefined, want %v", i, *u.Kappa)
			}
			continue
		}
		compared++
		if math.Abs(float64(got.Kappa.Value)-*u.Kappa) > 1e-9 {
			t.Errorf("%d: kappa %v, want %v", i, got.Kappa.Value, *u.Kappa)
		}
	}
	if compared < 5 {
		t.Errorf("only %d compared", compared)
	}
}
