// Package artifactstest holds a small dataset made by hand, in which every
// invariant of the specification holds, for the tests of artifacts and of what
// reads datasets.
package artifactstest

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Words is a simple substitute for a tokenizer and for the prose counter: words outside
// fences and quotes.
func Words(text string) int {
	n, fenced := 0, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced && !strings.HasPrefix(line, ">") {
			n += len(strings.Fields(line))
		}
	}
	return n
}

// Tokens is a simple substitute for a tokenizer: every word is one.
func Tokens(text string) int { return len(strings.Fields(text)) }

// Bot is a simple substitute for the registry of accounts.
func Bot(a model.Account) bool {
	return a.Type == model.Bot || strings.HasSuffix(a.Login, "[bot]") || a.Login == "coderabbitai"
}

// Tasks are the three tasks of the sample, one of each difficulty, fresh on
// every call.
func Tasks() []*artifacts.Task {
	return TasksOf(func(c *model.Candidate) *model.Candidate { return c })
}

// TasksOf are the same tasks, from candidates that a function changed.
func TasksOf(change func(*model.Candidate) *model.Candidate) []*artifacts.Task {
	var out []*artifacts.Task
	for _, c := range Candidates() {
		out = append(out, task(change(c)))
	}
	return out
}

// Dataset is the whole sample; callers may pass changed tasks.
func Dataset(tasks []*artifacts.Task) freeze.Dataset {
	sameDiff := true
	d := freeze.Dataset{
		Manifest: artifacts.Manifest{
			Benchmark: artifacts.Review, Name: "sample", PipelineVersion: "v1.0.0", FreezeDate: "2026-04-15",
			Tokenizer: "words", Encoder: "builtin", SameDiff: &sameDiff, Parameters: Parameters(),
		},
		Card:         card.DefaultCard(),
		Config:       []byte("version: 1\n"),
		Tasks:        freeze.Seq(tasks...),
		Split:        split(tasks),
		Decisions:    freeze.Seq(decisions(tasks)...),
		Repositories: repositories(),
		Funnel:       funnel(len(tasks)),
		Tombstones:   []model.Tombstone{{Date: "2026-04-01", Kind: "pull_request"}},
		Raw: freeze.Seq(raw("raw/acme+widget.jsonl.zst"), raw("raw/acme+gadget.jsonl.zst"),
			raw("raw/acme+quiet.jsonl.zst")),
	}
	d.Card.Contact = "takedown@example.org"
	return d
}

func raw(path string) freeze.File {
	return freeze.File{Path: path, Open: func() (io.ReadCloser, error) {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b)
		if err != nil {
			return nil, err
		}
		// sha256 of the content's bytes, as the raw store writes it
		fmt.Fprintln(w,
			`{"schema":1,"kind":"repository","key":"x","sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","data":{}}`)
		return io.NopCloser(&b), w.Close()
	}}
}

func task(c *model.Candidate) *artifacts.Task {
	c.SetDiff(c.Diff)
	c.States = states(c.Pull)
	spdx := c.Repo.SPDX
	t, err := convert.NewTask(convert.Source{
		TaskID:    artifacts.NewTaskIDs(nil).Of(c.Pull.Ref),
		Candidate: c,
		License:   model.License{SPDX: &spdx, File: "LICENSE", From: "base commit"},
	})
	if err != nil {
		panic(err)
	}
	var contexts []artifacts.Context
	for _, config := range artifacts.Configs {
		text := render(t, config)
		contexts = append(contexts, artifacts.Context{
			PRNumber: t.Record.PRNumber, Repo: t.Record.Repo, TaskID: t.Record.TaskID, ConfigName: config,
			PipelineVersion: "v1.0.0", TotalTokens: Tokens(text), Rendered: text,
		})
	}
	t.SetContexts(contexts)
	return t
}

// states are the states of comments whose outdated threads were edited.
func states(p *model.PullRequest) (out []model.CommentState) {
	for _, t := range p.Threads {
		s := model.CommentState{State: model.StateAtHead, Method: "commit", Valid: model.ValidNone}
		if t.IsOutdated {
			zero := 0
			s = model.CommentState{State: model.StateEdited, Distance: &zero, Method: "commit", Valid: model.ValidEdited}
		}
		for _, k := range t.Comments {
			s.CommentID = k.ID
			out = append(out, s)
		}
	}
	return out
}

func render(t *artifacts.Task, config string) string {
	sections := []string{
		"## Layer 0 - Task + Focus\nReview this change of " + t.Record.Repo + ": " + t.Record.Title,
		"## Layer 1 - Key Changes Summary\n- src/app.py: parse changed",
		"## Layer 2 - Diff (Core)\n\n### " + t.Record.ChangedFiles[0] + "\n```diff\n" + strings.SplitAfter(t.Record.DiffPatch,
			"\ndiff --git")[0],
	}
	sections[2] = strings.TrimSuffix(sections[2], "diff --git") + "```"
	if config != "config_A" {
		sections = append(sections,
			"## Layer 3 - Execution Context\n\n### src/app.py\n```python\ndef parse(text):\n    return text\n```",
			"## Layer 4 - Behavior Mapping\n- APP_MODE -> mode -> src/app.py:3")
	}
	if config == "config_C" {
		sections = append(sections,
			"## Layer 5 - Test Signatures\n\n### tests/test_app.py\n```python\ndef test_parse(): ...\n```")
	}
	sections = append(sections,
		"## Layer 6 - Minimal Metadata\n- Language: Python\n- Files changed: 2\n- PR type: bug_fix")
	return strings.Join(sections, "\n\n---\n\n") + "\n"
}

func split(tasks []*artifacts.Task) model.Split {
	s := model.Split{Seed: 1}
	for i, d := range []model.Difficulty{model.Type1, model.Type2, model.Type3} {
		st := model.Stratum{Difficulty: d, Target: []int{40, 40, 20}[i], Short: true}
		for _, t := range tasks {
			if t.Record.Difficulty == d {
				st.Available++
				st.Taken++
				s.TaskIDs = append(s.TaskIDs, t.Record.TaskID)
			}
		}
		s.Strata = append(s.Strata, st)
	}
	s.N = len(s.TaskIDs)
	return s
}

func decisions(tasks []*artifacts.Task) []artifacts.Rejection {
	number := func(n int) *int { return &n }
	out := []artifacts.Rejection{
		{Decision: artifacts.Decision{Kind: artifacts.KindRepository, Repo: "acme/gadget", Stage: "rqs",
			Outcome: artifacts.Selected}},
		{Decision: artifacts.Decision{Kind: artifacts.KindRepository, Repo: "acme/quiet", Stage: "rqs",
			Outcome: artifacts.Rejected, Code: "rqs_too_low", Detail: "12 of 60"}},
		{Decision: artifacts.Decision{Kind: artifacts.KindRepository, Repo: "acme/widget", Stage: "rqs",
			Outcome: artifacts.Selected}},
	}
	for _, t := range tasks {
		out = append(out, artifacts.Rejection{Decision: artifacts.Decision{
			Kind: artifacts.KindPullRequest, Repo: t.Record.Repo, PRNumber: number(t.Record.PRNumber), Stage: "select",
			Outcome: artifacts.Selected}})
	}
	return append(out,
		artifacts.Rejection{Decision: artifacts.Decision{
			Kind: artifacts.KindPullRequest, Repo: "acme/widget", PRNumber: number(8), Stage: "merged",
			Outcome: artifacts.Rejected, Code: verdict.NotMerged}},
		artifacts.Rejection{Decision: artifacts.Decision{
			Kind: artifacts.KindPullRequest, Repo: "acme/widget", PRNumber: number(9), Stage: "base-accessible",
			Outcome: artifacts.Undetermined, Code: verdict.BaseMissing}})
}

func repositories() []artifacts.RepositoryAudit {
	parts := func(points ...artifacts.Float) (out []artifacts.ScorePart) {
		for i, name := range []string{"review_culture", "pr_recency", "test_quality", "pr_volume", "contamination"} {
			part := artifacts.ScorePart{Name: name, Max: []artifacts.Float{30, 25, 20, 15, 10}[i], Inputs: []artifacts.Input{}}
			if points[i] >= 0 {
				part.Points = &points[i]
			}
			out = append(out, part)
		}
		return out
	}
	score := func(f artifacts.Float) *artifacts.Float { return &f }
	mit, gpl := "MIT", "GPL-3.0-only"
	return []artifacts.RepositoryAudit{
		{Repo: "acme/gadget", Asked: "acme/gadget", Outcome: artifacts.Selected, RQS: score(80),
			Parts: parts(30, 20, 15, 10, 5), Missing: []string{}, SPDX: &gpl, Copyleft: true},
		{Repo: "acme/quiet", Asked: "acme/quiet", Outcome: artifacts.Rejected, Code: "rqs_too_low", RQS: score(12),
			Parts: parts(2, 0, -1, 5, 5), Missing: []string{"test_quality"}},
		{Repo: "acme/widget", Asked: "acme/Widget", Outcome: artifacts.Selected, RQS: score(80),
			Parts: parts(30, 20, 15, 10, 5), Missing: []string{}, SPDX: &mit},
	}
}

func funnel(selected int) verdict.Funnel {
	all := selected + 2
	return verdict.Funnel{Stages: []verdict.StageCounts{
		{Stage: "rqs", Counts: verdict.Counts{In: 3, Pass: 2, Reject: 1, Reasons: map[string]int{"rqs_too_low": 1}}},
		{Stage: "merged",
			Counts: verdict.Counts{In: all, Pass: all - 1, Reject: 1, Reasons: map[string]int{"not_merged": 1}}},
		{Stage: "base-accessible", Counts: verdict.Counts{In: all - 1, Pass: selected, Undetermined: 1,
			Reasons: map[string]int{"base_missing": 1}}},
		{Stage: "select", Counts: verdict.Counts{In: selected, Pass: selected, Reasons: map[string]int{}}},
	}}
}

// Parameters are those of the sample: the limits that its records keep.
func Parameters() artifacts.Parameters {
	return artifacts.Parameters{
		RVSWeights: artifacts.RVSBreakdown{ReviewDepth: 0.25, CodeComplexity: 0.20, DiscussionSignal: 0.20,
			TestChangeSignal: 0.15, BugFixSignal: 0.20},
		RVSFloor: 0.35, RVSHardFloor: 0.30, RQSMinScore: 60,
		MinSubstantiveComments: 2, MinWords: 10, SuggestionCounts: true,
		CommentRules: []string{"explanations", "reasoned_praise", "pointers", "clarifications", "documentation", "names",
			"forms", "asides", "withdrawn"}, GroundTruthPolicy: "all", MinValidated: 2, MaxAIShare: 0.30, MaxAddedLines: 800,
		CountAdded: "production", MaxPerRepository: 30,
		Budgets: model.Budgets{A: 2000, B: 2200, C: 2500},
	}
}
