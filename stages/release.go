package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	conciter "github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// release is one selected pull request with the repository it is read from.
type release struct {
	taskID string
	shard  *shard
	pull   *graded
}

// render builds everything that the dataset holds of each selected pull
// request, as many at once as there are workers, and keeps it in the state:
// memory does not grow with their number. One whose contexts cannot be built
// counts as failed; an error is one that ends the run.
func (b *Build) render(ctx context.Context, s *settings, run *outcome) error {
	b.Progress.Phase(verdict.StageContexts, len(run.releases))
	errs := make([]error, 0, len(run.releases))
	for batch := range byRepository(run.releases, 4*max(1, b.Workers)) {
		mapper := conciter.Mapper[*release, error]{MaxGoroutines: max(1, b.Workers)}
		errs = append(errs, mapper.Map(batch, func(r **release) error { return b.renderOne(ctx, s, *r, run) })...)
		for _, r := range batch {
			if err := r.shard.repo.Release(); err != nil {
				return err
			}
		}
	}
	var kept []*release
	for i, r := range run.releases {
		if collectors.IsFatal(errs[i]) {
			return errs[i]
		}
		v := verdict.Pass()
		if errs[i] != nil {
			v, r.pull.failure = verdict.Fail(verdict.ContextsFailed, "the contexts could not be built"), errs[i]
		} else {
			kept = append(kept, r)
		}
		r.pull.decisions = append(r.pull.decisions, verdict.Decision{Stage: verdict.StageContexts, Verdict: v})
	}
	run.releases = kept
	return nil
}

// renderOne builds one task and keeps it.
func (b *Build) renderOne(ctx context.Context, s *settings, r *release, run *outcome) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	task, err := b.task(ctx, s, r, run)
	if err == nil {
		err = r.shard.repo.KeepRendered(r.pull.ref.Number, task)
	}
	if err == nil {
		b.Progress.Done(r.taskID, string(task.Record.Difficulty))
	}
	return err
}

// byRepository cuts releases into batches of at least n that do not divide what
// stands together of a repository, so that a repository is opened once.
func byRepository(releases []*release, n int) iter.Seq[[]*release] {
	return func(yield func([]*release) bool) {
		for from := 0; from < len(releases); {
			to := min(from+n, len(releases))
			for to < len(releases) && releases[to].shard == releases[to-1].shard {
				to++
			}
			if !yield(releases[from:to]) {
				return
			}
			from = to
		}
	}
}

// freeze writes the dataset from what was rendered.
func (b *Build) freeze(ctx context.Context, s *settings, run *outcome) error {
	digest, err := b.Config.Digest()
	if err != nil {
		return err
	}
	return artifacts.Freeze(ctx, b.Out, artifacts.Dataset{
		Manifest:     manifest(s, digest, run),
		Card:         card(s),
		Tasks:        run.tasks(),
		Split:        run.split,
		Decisions:    run.decisions(),
		Repositories: run.repositories(s),
		Funnel:       run.funnel,
		Tombstones:   s.takedowns.Tombstones(),
		Raw:          run.raw(s),
	})
}

// tasks reads the rendered pull requests in the order of their task ids.
func (run *outcome) tasks() iter.Seq2[*artifacts.Task, error] {
	return func(yield func(*artifacts.Task, error) bool) {
		for i, r := range run.releases {
			task := new(artifacts.Task)
			err := r.shard.repo.Rendered(r.pull.ref.Number, task)
			if err == nil && (i+1 == len(run.releases) || run.releases[i+1].shard != r.shard) {
				err = r.shard.repo.Release()
			}
			if !yield(task, err) || err != nil {
				return
			}
		}
	}
}

// task builds everything that the dataset holds of one pull request.
func (b *Build) task(ctx context.Context, s *settings, r *release, run *outcome) (*artifacts.Task, error) {
	it, err := reload(ctx, s, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.pull.ref, err)
	}
	sources, err := it.repo.Sources(it.ref.Number)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.pull.ref, err)
	}
	license, err := s.licenses.at(sources, it.c.Repo)
	if err != nil {
		return nil, fmt.Errorf("%s: tell the license: %w", r.pull.ref, err)
	}
	candidate := it.c
	if s.pseudonyms != nil {
		candidate = s.pseudonyms.Candidate(it.c)
	}
	task, err := artifacts.NewTask(artifacts.Source{
		TaskID: r.taskID, Candidate: candidate, License: license,
		Reverts: run.links.Reverts[r.pull.ref], RevertedBy: run.links.RevertedBy[r.pull.ref],
	})
	if err != nil {
		return nil, err
	}
	contexts, err := b.contexts(ctx, s, it, candidate.Pull, sources, r.taskID)
	if err != nil {
		return nil, err
	}
	task.SetContexts(contexts)
	return task, nil
}

// reload reads a selected pull request again from the raw store and runs the
// stages that passed it before: they are pure, so they pass it again.
func reload(ctx context.Context, s *settings, r *release) (*item, error) {
	it := newItem(r.shard.repo, r.pull.summary)
	for _, stage := range pullStages(s) {
		if stage.Name() == verdict.StageGrade {
			it.c.Grade = &r.pull.grade.grade // the costliest one is kept
			continue
		}
		v, err := stage.Run(ctx, it)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", stage.Name(), err)
		}
		if v.Outcome != verdict.OutcomePass {
			return nil, fmt.Errorf("%s passed it before and now says %s: a fault of prforge", stage.Name(), v.Code)
		}
	}
	it.c.Decisions = r.pull.decisions
	return it, nil
}

// contexts renders the three texts.
func (b *Build) contexts(ctx context.Context, s *settings, it *item, pull *model.PullRequest, sources model.Snapshot, taskID string) (texts []artifacts.Context, err error) {
	in := contextbuilder.Input{
		Repo: it.ref.Repo, Title: pull.Title, Description: pull.Body, Diff: it.c.Parsed, Base: sources,
		Language: it.c.Grade.Language, PRType: it.c.Grade.PRType, FilesChanged: len(it.c.Parsed.Files), Difficulty: it.c.Grade.Difficulty,
	}
	in.Summary, err = s.summarise(ctx, pull.Title, it.c.Parsed)
	if err != nil {
		return nil, err
	}
	result, err := s.contexts.Build(in)
	if err != nil {
		return nil, err
	}
	for _, c := range []contextbuilder.Context{result.A, result.B, result.C} {
		texts = append(texts, artifacts.Context{
			PRNumber: it.ref.Number, Repo: it.ref.Repo.String(), TaskID: taskID, ConfigName: "config_" + string(c.Config),
			PipelineVersion: s.config.Dataset.PipelineVersion, TotalTokens: c.Tokens, Rendered: c.Rendered,
		})
	}
	for _, p := range result.Problems {
		b.Log.Debug("context is poorer than it could be", "task", taskID, "problem", p)
	}
	return texts, nil
}

// raw are the raw records of every repository, by name.
func (run *outcome) raw(s *settings) iter.Seq2[artifacts.File, error] {
	shards := slices.DeleteFunc(slices.Clone(run.shards), func(sh *shard) bool { return sh.repo == nil })
	slices.SortFunc(shards, func(a, b *shard) int { return strings.Compare(a.asked.FileName(), b.asked.FileName()) })
	asked := s.summary != nil || s.config.Encoder.Provider == "openai"
	return func(yield func(artifacts.File, error) bool) {
		if asked && !yield(artifacts.File{Path: rawAnswers, Open: exported(func(w io.Writer) error { return run.answers.Export(w, nil) })}, nil) {
			return
		}
		for _, sh := range shards {
			file := artifacts.File{Path: rawFile(sh.asked), Open: exported(func(w io.Writer) error {
				return errors.Join(sh.repo.Export(w, sh.used(), s.published()), sh.repo.Release())
			})}
			if !yield(file, nil) {
				return
			}
		}
	}
}

// exported turns what writes a file into what opens it.
func exported(write func(io.Writer) error) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() { w.CloseWithError(write(w)) }()
		return r, nil
	}
}

// used are the raw records that the shard's decisions rested on.
func (sh *shard) used() collectors.Used {
	var used collectors.Used
	if sh.quality != nil {
		used.Pulls = append(used.Pulls, sh.quality.sample...)
	}
	for _, p := range sh.pulls {
		for _, d := range p.decisions {
			switch d.Stage {
			case verdict.StageCollect:
				used.Pulls = append(used.Pulls, p.ref.Number)
			case verdict.StageFetchDiff:
				used.Diffs = append(used.Diffs, p.ref.Number)
			case verdict.StageFetchBase:
				used.Bases = append(used.Bases, p.ref.Number)
			}
		}
	}
	return used
}

func manifest(s *settings, digest string, run *outcome) artifacts.Manifest {
	c := s.config
	return artifacts.Manifest{
		Benchmark: artifacts.Review, Name: c.Dataset.Name, PipelineVersion: c.Dataset.PipelineVersion, FreezeDate: c.Dataset.FreezeDate.String(), ConfigSHA256: digest,
		SameDiff: &c.Contexts.SameDiff, Tokenizer: c.Contexts.Tokenizer, Encoder: run.encoder,
		Parameters: artifacts.Parameters{
			RVSWeights: artifacts.RVSBreakdown{
				ReviewDepth: artifacts.Float(s.rvs.DepthWeight), CodeComplexity: artifacts.Float(s.rvs.ComplexityWeight),
				DiscussionSignal: artifacts.Float(s.rvs.DiscussionWeight), TestChangeSignal: artifacts.Float(s.rvs.TestWeight),
				BugFixSignal: artifacts.Float(s.rvs.BugWeight),
			},
			RVSFloor: artifacts.Float(c.RVS.Floor), RVSHardFloor: artifacts.Float(c.RVS.HardFloor), RQSMinScore: artifacts.Float(c.RQS.MinScore),
			MinSubstantiveComments: c.Filters.MinSubstantiveComments, MinWords: c.Filters.MinWords, MaxAIShare: artifacts.Float(c.Filters.MaxAIShare),
			MaxAddedLines: c.Filters.MaxAddedLines, MaxPerRepository: c.Selection.MaxPerRepository,
			Budgets: artifacts.ContextBudget(c.Contexts.Budgets), ShowDifficulty: c.Contexts.ShowDifficulty,
		},
	}
}

func card(s *settings) artifacts.Card {
	out := artifacts.DefaultCard()
	out.Title = s.config.Dataset.Name
	return out
}

// fate is an outcome as the audit words it.
func fate(o verdict.Outcome) artifacts.Fate {
	switch o {
	case verdict.OutcomePass:
		return artifacts.Selected
	case verdict.OutcomeReject:
		return artifacts.Rejected
	case verdict.OutcomeUndetermined:
		return artifacts.Undetermined
	}
	return artifacts.Failed
}

// pullNumber is a number as a decision has it.
func pullNumber(p model.PullRef) *int { return &p.Number }
