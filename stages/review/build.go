package review

import (
	"context"
	"errors"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// Build makes the review benchmark and freezes it in Env.Out. It returns a report with every error after which there
// is something to report. An error that Is ErrPartial means that only the freeze is missing.
func Build(ctx context.Context, s *run.Session) (*run.Report, error) {
	report, err := build(ctx, s)
	return report, errors.Join(err, s.WriteReport(report))
}

func build(ctx context.Context, s *run.Session) (*run.Report, error) {
	shards, err := run.EachRepository(ctx, s, s.Repositories(), FetchSamples,
		func(ctx context.Context, ref model.RepoRef) (*Shard, error) {
			sh, err := RunRepository(ctx, s, ref)
			if err == nil {
				s.Progress.Done(sh.Name(), sh.Summary())
			}
			return sh, err
		})
	if err != nil {
		return nil, err
	}
	s.Licenses.Drop()
	r := Merge(shards)
	r.SelectPulls(s)
	rendered, err := r.renderTasks(ctx, s)
	if err != nil {
		return nil, err
	}
	snapshots, err := r.snapshots(ctx, s, rendered.Tasks(r.Releases))
	if err != nil {
		return nil, err
	}
	return r.Finish(ctx, s, rendered.Tasks(r.Releases), run.RawFiles(ctx, s, r.Shards), snapshots)
}

// RunRepository runs every step that needs one repository alone (spec section 1). An error ends the run.
func RunRepository(ctx context.Context, s *run.Session, asked model.RepoRef) (sh *Shard, err error) {
	sh, err = run.OpenShard[*Finalist](s, asked)
	if err != nil || sh.Repo == nil {
		return sh, err
	}
	defer func() { err = errors.Join(err, sh.Repo.Release()) }()
	if err := Gate(ctx, s, sh); err != nil || !sh.Trail.Alive() {
		return sh, err
	}
	return sh, runPulls(ctx, s, sh)
}

// reviewPulls takes the repository's pull requests through pullStages.
func runPulls(ctx context.Context, s *run.Session, sh *Shard) error {
	passed, err := sh.RunPulls(ctx, s, PullStages(s))
	if err != nil {
		return err
	}
	readLicenses(s, passed)
	sh.Finalists = make([]*Finalist, len(passed))
	for i, p := range passed {
		sh.Finalists[i] = newFinalist(p)
	}
	return nil
}

// readLicenses reads the licenses of the repositories that may be released before rendering, because the license
// classifier needs much memory and rendering needs it too. The renderer reports any error.
func readLicenses(s *run.Session, items []run.Passed) {
	for _, p := range items {
		if sources, err := p.Sources(); err == nil {
			_, _ = s.Licenses.At(sources, p.Candidate.Repo)
		}
	}
}

// Merge puts the shards of a run together, in the order of the
// configuration.
func Merge(shards []*Shard) *Merged {
	run.DropDuplicates(shards)
	return &Merged{Shards: shards}
}

// Finish counts, reports, and freezes the dataset unless something failed. snapshots may be nil.
func (r *Merged) Finish(ctx context.Context, s *run.Session, tasks TaskSeq, raw run.FileSeq,
	snapshots *freeze.Snapshots) (*run.Report, error) {
	starts := []string{verdict.StageWindow}
	if s.Config.Revisions == config.RevisionsAll {
		starts = append(starts, verdict.StageRevision) // further records come in
	}
	funnel, err := pipeline.Count(run.TrailsOf(r.Shards), stepNames(s), starts...)
	if err != nil {
		return nil, err
	}
	report := run.NewReport(s, artifacts.Review, funnel, r.Shards)
	report.CopyleftShort, report.Target = r.short, s.Selection.Target
	report.Languages, report.Difficulty = map[string]int{}, map[string]int{}
	for _, c := range r.Releases {
		report.Languages[c.Language]++
		report.Difficulty[string(c.Difficulty)]++
	}
	d, err := s.Dataset(artifacts.Review)
	if err != nil {
		return report, err
	}
	c := s.Config
	sameDiff := c.Contexts.SameDiff || c.Contexts.Diff == config.DiffWhole
	d.Manifest.Parameters, d.Manifest.SameDiff, d.Manifest.ContextDiff = parameters(c, s.RVS), &sameDiff, c.Contexts.Diff
	d.Manifest.Profile, d.Manifest.Revision = c.Profile, c.Revision
	if c.Revisions == config.RevisionsAll {
		d.Manifest.Revisions = c.Revisions
	}
	d.Tasks, d.Split, d.Raw, d.Snapshots, d.Funnel = tasks, r.drawSplit(s), raw, snapshots, *funnel
	report.Split = &d.Split
	d.Decisions, d.Repositories = run.AuditLines(run.TrailsOf(r.Shards)), run.RepositoryAudits(r.Shards)
	var comments []run.Ruled
	for _, sh := range r.Shards {
		comments = append(comments, sh.Ruled...)
	}
	d.Judged = judged(s, comments)
	return report, s.Freeze(ctx, report, d, len(r.Releases))
}
