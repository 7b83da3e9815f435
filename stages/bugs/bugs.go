// Package bugs is the benchmark of one injected fault in a real change: its ordered list (bugs.go), the faults that a
// pull request can take (inject.go), drawing, freezing, verifying, and the questions as an evaluation reads them
// (items.go). Package injection/bugs defines faults and their proof.
package bugs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/run"
)

// bugSteps is the order of every step for a repository and a pull request of the bugs benchmark. There is no gate:
// reviews do not matter here.
func stepNames(s *run.Session) []string {
	return slices.Concat(
		[]string{verdict.StageCollectRepository}, // repositories: run.EachRepository
		[]string{verdict.StageWindow},            // pull requests come in
		pipeline.Names(pullStages(s, nil)),       // each pull request: Shard.RunPulls
		[]string{verdict.StageDraw},              // all of them: draw
	)
}

// bugStages is the order of the steps for one pull request within its repository, without the filters on comments.
func pullStages(s *run.Session, t *toolbox) []pipeline.Stage[*run.Item] {
	return slices.Concat(
		[]pipeline.Stage[*run.Item]{run.CollectStage{}},
		s.ChangeFilters(),
		[]pipeline.Stage[*run.Item]{run.DiffStage{}},
		run.FilterStages(filters.OfDiff(s.Filters)),
		[]pipeline.Stage[*run.Item]{run.BaseStage{}},
		run.FilterStages(filters.OfBase(s.Filters)),
		[]pipeline.Stage[*run.Item]{
			s.Decontaminate(),
			filesStage{t},  // changed files that a fault can be put into
			injectStage{t}, // a fault of each wanted family, proven; controls
		},
	)
}

// Build makes the bugs benchmark and freezes it in Env.Out. Report and errors are those of run.Build. It asks confirm
// about every fault unless it is nil; a fault that confirm denies is an internal error.
func Build(ctx context.Context, s *run.Session, confirm Confirm) (*run.Report, error) {
	tools, err := newToolbox(ctx, s)
	if err != nil {
		return nil, err
	}
	var names []string
	var selection bugs.Selection
	return run.Build(ctx, s, run.Recipe[*finalist]{
		Benchmark: artifacts.Bugs, Steps: stepNames(s), Finalists: newFinalist,
		// There is no score of repositories, and so no sample of reviewed pull requests.
		Stages: func(context.Context, *shard) ([]pipeline.Stage[*run.Item], error) { return pullStages(s, tools), nil },
		Select: func(ctx context.Context, shards []*shard) error {
			names, selection = namesOf(shards), drawQuestions(s, shards)
			if err := mustConfirm(ctx, s, selection.Drafts, confirm); err != nil {
				return err
			}
			return underCeilings(ctx, s, selection.Drafts)
		},
		Fill: func(_ context.Context, d *freeze.Dataset, report *run.Report) (err error) {
			d.Manifest.Records = len(selection.Drafts)
			report.Short = quotasOf(s).Short(selection, names)
			d.Files, err = ownFiles(s, *d, selection.Drafts, report.Short)
			return err
		},
	})
}

// bugShard is a shard of the bugs benchmark.
type shard = run.Shard[*finalist]

// bugFinal is a pull request's whole questions, for drawing.
type finalist struct {
	Item     int // index of its trail in the shard's Items
	Ref      model.PullRef
	Blob     string // of the original
	Drafts   []bugs.Draft
	Controls []bugs.Draft
}

func newFinalist(p run.Passed) []*finalist {
	faults := faultsOf(p.Item)
	return []*finalist{{
		Item: p.Index, Ref: p.Ref, Blob: faults.drafts[0].Answer.HeadBlob, Drafts: faults.drafts, Controls: faults.controls,
	}}
}

// drawQuestions runs the global step: it draws the questions and their controls, completes their keys and returns them
// by question id.
func drawQuestions(s *run.Session, shards []*shard) bugs.Selection {
	var candidates []bugs.Candidate
	trails := map[string]*pipeline.Trail{}
	refs := map[string]model.PullRef{}
	var repos []model.RepoRef
	for _, sh := range shards {
		for _, f := range sh.Finalists {
			name := f.Ref.String()
			candidates = append(candidates,
				bugs.Candidate{Pull: name, Repo: f.Ref.Repo.String(), Path: f.Drafts[0].Question.Path, Blob: f.Blob,
					Drafts: f.Drafts, Controls: f.Controls})
			trails[name], refs[name] = sh.Items[f.Item], f.Ref
			repos = append(repos, f.Ref.Repo)
		}
	}
	selection := bugs.Select(candidates, quotasOf(s))
	for _, v := range selection.Verdicts {
		trails[v.Pull].Decide(verdict.StageDraw, v.Verdict)
	}
	ids := artifacts.NewTaskIDs(repos)
	for i := range selection.Drafts {
		d := &selection.Drafts[i]
		d.Answer.TaskID = ids.Of(refs[d.Pull])
		d.Evidence.TaskID = d.Answer.TaskID
	}
	return selection
}

// namesOf are the repositories that were looked at.
func namesOf(shards []*shard) []string {
	var out []string
	for _, sh := range shards {
		out = append(out, sh.Name())
	}
	return out
}

// bugSplit draws the smaller list of questions: as many of each level, by the rule
// of the review benchmark's split, and the controls that go with them.
func drawSplit(s *run.Session, drawn []bugs.Draft) model.Split {
	var strata []model.Stratum
	for _, level := range quotasOf(s).Levels() {
		strata = append(strata, model.Stratum{Difficulty: levelName(level), Target: s.Config.Bugs.SplitPerLevel})
	}
	var records []scoring.SplitRecord
	for _, d := range drawn {
		if d.Answer.Fault != nil {
			records = append(records, scoring.SplitRecord{TaskID: d.Question.QuestionID, Difficulty: levelName(d.Answer.Level)})
		}
	}
	split := scoring.Split(records, s.Config.Bugs.Seed, strata)
	questions := slices.Clone(split.TaskIDs)
	for _, d := range drawn {
		if of := d.Answer.ControlOf; of != nil && slices.Contains(questions, *of) {
			split.TaskIDs = append(split.TaskIDs, d.Question.QuestionID)
		}
	}
	slices.Sort(split.TaskIDs)
	split.N = len(split.TaskIDs)
	return split
}

// levelName is a level as the difficulty of a question.
func levelName(level int) model.Difficulty { return model.Difficulty(model.LevelName(level)) }

// bugFiles are the benchmark's own files.
func ownFiles(s *run.Session, d freeze.Dataset, drawn []bugs.Draft, short []model.BugShortage) (run.FileSeq, error) {
	set := freeze.BugSet{Manifest: d.Manifest, Card: d.Card, Mode: s.Config.Bugs.Mode, Options: s.Config.Bugs,
		Short: short, Split: drawSplit(s, drawn)}
	for _, q := range drawn {
		q.Question.Canary = d.Manifest.Canary()
		set.Questions = append(set.Questions, q.Question)
		set.Answers = append(set.Answers, q.Answer)
		set.Evidence = append(set.Evidence, q.Evidence)
	}
	files, err := set.Files()
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", strings.TrimSuffix(artifacts.DirBugs, "/"), err)
	}
	return freeze.Seq(files...), nil
}
