package review

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	conciter "github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// renderTasks builds everything that the dataset holds about each selected pull request and stores it in the state,
// so that memory does not grow with their number. If its contexts cannot be built, it counts as failed and is not
// released.
func (r *Merged) renderTasks(ctx context.Context, s *run.Session) (*RenderedTasks, error) {
	s.Progress.Phase(verdict.StageContexts, len(r.Releases))
	kept, err := NewRenderedTasks(s)
	if err != nil {
		return nil, err
	}
	var released []*Release
	err = RenderEach(ctx, s, kept, r.Releases, func(res *pipeline.Result[*Release]) {
		pipeline.Take(res.Item.Trail(), res)
		if res.Alive() {
			released = append(released, res.Item)
		}
	})
	r.Releases = released
	return kept, err
}

// RenderEach renders pull requests, as many at once as there are workers, and passes each result to a function in
// their order.
func RenderEach(ctx context.Context, s *run.Session, kept *RenderedTasks, releases []*Release,
	each func(*pipeline.Result[*Release])) error {
	contexts, err := newRenderer(s, kept)
	if err != nil {
		return err
	}
	defer s.Graphs.Clear()
	opts := pipeline.Options{Workers: 1, Fatal: collectors.IsFatal, Failure: contextsFailed}
	// Each goes through both stages before a worker takes the next, because the first reads large data.
	one := func(rel **Release) (out rendered) {
		var results []pipeline.Result[*Release]
		if out.err = ctx.Err(); out.err == nil {
			results, out.err = pipeline.Run(ctx, []pipeline.Stage[*Release]{regradeStage{s}, contexts}, []*Release{*rel}, opts)
			out.result, (*rel).item = results[0], nil
		}
		return out
	}
	several := conciter.Mapper[*Release, rendered]{MaxGoroutines: max(1, s.Workers)}
	for batch := range byRepository(releases, 4*max(1, s.Workers)) {
		for _, out := range several.Map(batch, one) {
			if out.err != nil {
				return out.err
			}
			each(&out.result)
			if err := out.result.Item.Shard.Repo.Release(); err != nil {
				return err
			}
		}
	}
	return nil
}

// rendered is the result of a release. An error ends the run.
type rendered struct {
	result pipeline.Result[*Release]
	err    error
}

// contextsFailed is the reason and the sentence for contexts that could not be built.
func contextsFailed(error) (verdict.Code, string) {
	return verdict.ContextsFailed, "the contexts could not be built"
}

// byRepository splits releases into batches of at least n and keeps adjacent releases of a repository together, so
// that each repository is opened once.
func byRepository(releases []*Release, n int) iter.Seq[[]*Release] {
	return func(yield func([]*Release) bool) {
		for from := 0; from < len(releases); {
			to := min(from+n, len(releases))
			for to < len(releases) && releases[to].Shard == releases[to-1].Shard {
				to++
			}
			if !yield(releases[from:to]) {
				return
			}
			from = to
		}
	}
}

// regradeStage reads a selected pull request again and grades it.
type regradeStage struct{ s *run.Session }

func (regradeStage) Name() string { return verdict.StageGrade }

func (g regradeStage) Run(ctx context.Context, c *Release) (verdict.Verdict, error) {
	c.item = run.NewItem(c.Shard.Repo, c.Summary)
	c.item.Record = c.Record
	if err := reload(ctx, g.s, c.item); err != nil {
		return verdict.Verdict{}, fmt.Errorf("%s: %w", c.Ref, err)
	}
	v, err := gradeStage(g).Run(ctx, c.item)
	if grade := c.item.Candidate.Grade; grade != nil {
		c.Difficulty, c.Language = grade.Difficulty, grade.Language
	}
	return v, err
}

// renderer is the last stage: it makes the task of a selected pull request.
type renderer struct {
	s        *run.Session
	contexts *contextbuilder.Builder // nil if Env.Contexts provides them
	kept     *RenderedTasks
}

func newRenderer(s *run.Session, kept *RenderedTasks) (*renderer, error) {
	r := &renderer{s: s, kept: kept}
	if s.Contexts != "" {
		return r, nil // nothing is rendered
	}
	var err error
	r.contexts, err = s.Builder()
	return r, err
}

func (*renderer) Name() string { return verdict.StageContexts }

func (r *renderer) Run(ctx context.Context, c *Release) (verdict.Verdict, error) {
	task, err := r.task(ctx, c)
	if err == nil {
		err = r.kept.Keep(task)
	}
	if err != nil {
		return verdict.Verdict{}, err
	}
	r.s.Progress.Done(c.TaskID, string(task.Record.Difficulty))
	return verdict.Pass(), nil
}

// task builds everything that the dataset holds of one pull request.
func (r *renderer) task(ctx context.Context, c *Release) (*artifacts.Task, error) {
	it := c.item
	it.Candidate.Decisions = c.Decisions()
	sources, err := it.Sources()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Ref, err)
	}
	license, err := r.s.Licenses.At(sources, it.Candidate.Repo)
	if err != nil {
		return nil, fmt.Errorf("%s: tell the license: %w", c.Ref, err)
	}
	candidate := it.Candidate
	if r.s.Pseudonyms != nil {
		candidate = r.s.Pseudonyms.Candidate(it.Candidate)
	}
	task,
		err := convert.NewTask(convert.Source{TaskID: c.TaskID, Candidate: candidate, License: license, Reverts: c.Reverts,
		RevertedBy: c.RevertedBy})
	if err != nil {
		return nil, err
	}
	texts, layers, err := r.given(c.TaskID)
	if texts == nil && err == nil {
		texts, layers, err = r.texts(ctx, it, candidate.Pull, sources, c.TaskID)
	}
	if err != nil {
		return nil, err
	}
	task.SetContexts(texts)
	task.Evidence.Scores.V2 = secondScore(&task.Evidence)
	task.Evidence.Contexts = layers
	r.warnOfNames(it.Candidate.Pull, task)
	return task, nil
}

// warnOfNames warns where code names an account that is hidden elsewhere. Diffs, hunks and sources stay unchanged, so
// that they still apply.
func (r *renderer) warnOfNames(pull *model.PullRequest, task *artifacts.Task) {
	if r.s.Pseudonyms == nil && r.s.Takedowns.Empty() {
		return
	}
	code := task.Record.DiffPatch
	for _, c := range task.Contexts {
		code += "\n" + c.Rendered
	}
	if n := r.s.Takedowns.Named(code, r.s.Pseudonyms, pull); n > 0 {
		r.s.Log.Warn("released code names accounts that are hidden elsewhere; takedown.pull_requests leaves the record out",
			"task", task.Record.TaskID, "accounts", n)
	}
}

// given are the contexts of the dataset in Env.Contexts; nil if it names none.
func (r *renderer) given(taskID string) (texts []artifacts.Context, layers []artifacts.ContextEvidence, err error) {
	if r.s.Contexts == "" {
		return nil, nil, nil
	}
	d := load.Reader{Dir: r.s.Contexts}
	for _, name := range artifacts.Configs {
		text, err := d.Context(name, taskID)
		if err != nil {
			return nil, nil, err
		}
		texts = append(texts, *text)
	}
	e, err := d.Evidence(taskID)
	if err != nil {
		return nil, nil, err
	}
	return texts, e.Contexts, nil
}

// texts renders the three contexts and reports what they hold of each layer.
func (r *renderer) texts(ctx context.Context, it *run.Item, pull *model.PullRequest, sources model.Snapshot,
	taskID string) (texts []artifacts.Context, layers []artifacts.ContextEvidence, err error) {
	in := contextbuilder.Input{
		Repo: it.Ref.Repo, Title: pull.Title, Description: pull.Body, Diff: it.Candidate.Parsed, Base: sources,
		Language: it.Candidate.Grade.Language, PRType: it.Candidate.Grade.PRType,
		FilesChanged: len(it.Candidate.Parsed.Files), Difficulty: it.Candidate.Grade.Difficulty,
	}
	if r.s.Summary != nil {
		if in.Summary, err = contextbuilder.Summarize(ctx, r.s.Summary, pull.Title, it.Candidate.Parsed); err != nil {
			return nil, nil, err
		}
	}
	result, err := r.contexts.Build(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range []contextbuilder.Context{result.A, result.B, result.C} {
		texts = append(texts, artifacts.Context{
			PRNumber: it.Ref.Number, Repo: it.Ref.Repo.String(), TaskID: taskID, ConfigName: "config_" + string(c.Config),
			PipelineVersion: r.s.Config.Dataset.PipelineVersion, TotalTokens: c.Tokens, Rendered: c.Rendered,
		})
		layers = append(layers, layerEvidence(c))
	}
	for _, p := range result.Problems {
		r.s.Log.Debug("context is poorer than it could be", "task", taskID, "problem", p)
	}
	return texts, layers, nil
}

func layerEvidence(c contextbuilder.Context) artifacts.ContextEvidence {
	out := artifacts.ContextEvidence{Config: "config_" + string(c.Config)}
	for _, l := range c.Layers {
		out.Layers = append(out.Layers, artifacts.LayerEvidence{Layer: l.Layer, Tokens: l.Tokens, Fragments: l.Fragments,
			LeftOut: l.LeftOut})
	}
	return out
}

// RenderedTasks stores rendered tasks in a folder of the state, rendered/ID/TASK.json with the store's ID, until they
// are frozen. It holds only the tasks of the last run.
type RenderedTasks struct {
	dir   string
	store *store.Store
}

// NewRenderedTasks empties the folder.
func NewRenderedTasks(s *run.Session) (*RenderedTasks, error) {
	t := &RenderedTasks{store: s.Collector.Store()}
	t.dir = filepath.Join(s.State, "rendered", t.store.ID())
	err := os.RemoveAll(t.dir)
	if err == nil {
		err = os.MkdirAll(t.dir, 0o700)
	}
	return t, stateError(err)
}

func (t *RenderedTasks) path(taskID string) string { return filepath.Join(t.dir, taskID+".json") }

// Keep stores a finished task.
func (t *RenderedTasks) Keep(task *artifacts.Task) error {
	if err := artifacts.CheckTaskID(task.Record.TaskID); err != nil {
		return err
	}
	if err := t.store.InUse(); err != nil {
		return err
	}
	data, err := json.Marshal(task)
	if err != nil {
		return err
	}
	return stateError(os.WriteFile(t.path(task.Record.TaskID), data, 0o600))
}

func (t *RenderedTasks) read(taskID string) (*artifacts.Task, error) {
	data, err := os.ReadFile(t.path(taskID))
	if err != nil {
		return nil, stateError(err)
	}
	task := new(artifacts.Task)
	return task, stateError(json.Unmarshal(data, task))
}

// Tasks reads the rendered tasks of the releases, in their order.
func (t *RenderedTasks) Tasks(releases []*Release) TaskSeq {
	return func(yield func(*artifacts.Task, error) bool) {
		for _, c := range releases {
			task, err := t.read(c.TaskID)
			if !yield(task, err) || err != nil {
				return
			}
		}
	}
}

// stateError marks an error of a file in the state; nil stays nil.
func stateError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", store.ErrState, err)
}

// reload reads a pull request from the raw store again and repeats the stages that it passed: they are pure, so it
// passes again.
func reload(ctx context.Context, s *run.Session, it *run.Item) error {
	for _, stage := range PullStages(s) {
		v, err := stage.Run(ctx, it)
		if err != nil {
			return fmt.Errorf("%s: %w", stage.Name(), err)
		}
		if v.Outcome != verdict.OutcomePass {
			return fmt.Errorf("internal error: %s passed it before and now says %s", stage.Name(), v.Code)
		}
	}
	return nil
}
