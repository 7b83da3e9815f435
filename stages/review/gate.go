package review

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/run"
)

// Gate measures the repository score and decides about the repository (spec
// section 3). The error is one that ends the run.
func Gate(ctx context.Context, s *run.Session, sh *Shard) error {
	g := &gating{s: s, sh: sh, unread: map[int]error{}}
	s.Progress.Doing(sh.Name(), pipeline.Step{Stage: verdict.StageRepositoryScore, Of: 1})
	facts, sample, err := g.facts(ctx)
	if err != nil {
		if collectors.IsFatal(err) {
			return err
		}
		sh.Fail(verdict.StageRepositoryScore, err)
		return nil
	}
	score := scoring.ScoreRepository(facts, s.RQS)
	sh.Score = &score
	sh.Used.Pulls = append(sh.Used.Pulls, sample...)
	v := scoring.Gate(score, s.RQS)
	why, err := g.undecided(v)
	switch {
	case err != nil:
		return err
	case why != nil:
		sh.Fail(verdict.StageRepositoryScore, why)
	default:
		sh.Decide(verdict.StageRepositoryScore, v)
	}
	return nil
}

// gating is one measurement of a repository.
type gating struct {
	s      *run.Session
	sh     *Shard
	unread map[int]error // the score's pull requests that failed in this run
}

// undecided is the error that prevents a verdict on the score: that of a pull request which the score should have
// read. If the repository passes without it, only this pull request fails, as an item of the window.
func (g *gating) undecided(v verdict.Verdict) (why, err error) {
	if len(g.unread) == 0 {
		return nil, nil
	}
	census, err := g.sh.Repo.Census()
	if err != nil {
		return nil, err
	}
	inside, _ := g.s.Window.Split(census)
	for _, number := range slices.Sorted(maps.Keys(g.unread)) {
		shown := slices.ContainsFunc(inside, func(p model.PullSummary) bool { return p.Number == number })
		if v.Outcome != verdict.OutcomePass || !shown {
			return g.unread[number], nil
		}
	}
	return nil, nil
}

// read is a pull request for the score; nil if it is known to be unavailable, or if it failed in this run, which
// unread then records. An error ends the run or is ErrHidden.
func (g *gating) read(number int) (*model.PullRequest, error) {
	pull, err := g.sh.Repo.Pull(number)
	if err == nil || collectors.IsFatal(err) || errors.Is(err, collectors.ErrHidden) {
		return pull, err
	}
	if f := (*collectors.Failure)(nil); !errors.As(err, &f) || !f.Settled() {
		g.unread[number] = err
	}
	return nil, nil
}

// facts counts the inputs of the score. What could not be collected stays nil: missing, never zero. It notes the
// numbers of the pull requests that it read.
func (g *gating) facts(ctx context.Context) (facts scoring.RepositoryFacts, read []int, err error) {
	s, repo := g.s, g.sh.Repo
	stars := repo.Facts().Stars
	facts.Stars = &stars
	census, err := repo.Census()
	if err != nil {
		return facts, nil, err
	}
	if !census.Complete {
		return facts, nil, nil
	}
	freeze := s.Config.Dataset.FreezeDate.Time
	recent := scoring.MergedBetween(census, freeze.AddDate(0, 0, -s.Config.RQS.RecentDays), freeze)
	months := s.Config.RQS.VolumeMonths
	monthly := float64(len(scoring.MergedBetween(census, freeze.AddDate(0, -months, 0), freeze))) / float64(months)
	n := len(recent)
	facts.RecentPulls, facts.MonthlyPulls = &n, &monthly

	sample := recent[:min(len(recent), s.Config.RQS.ReviewedPulls)]
	wanted := samplePulls(s, census)
	if err := repo.FetchPulls(ctx, wanted); err != nil {
		return facts, nil, err
	}
	for _, p := range wanted {
		read = append(read, p.Number)
	}
	if facts.Comments, err = g.comments(sample); err != nil {
		return facts, nil, err
	}
	g.sh.Used.Tree = true
	facts.Tree, err = g.tree(ctx, wanted)
	return facts, read, err
}

// FetchSamples fetches the inputs of all repositories' scores, in shared requests.
func FetchSamples(ctx context.Context, s *run.Session, refs []model.RepoRef) error {
	var wanted []collectors.Wanted
	for _, ref := range refs {
		repo, err := s.Collector.Repository(ref)
		if collectors.IsFatal(err) {
			return err
		}
		if err != nil {
			continue
		}
		census, err := repo.Census()
		if err != nil {
			return err
		}
		wanted = append(wanted, collectors.Wanted{Repository: repo, Pulls: samplePulls(s, census)})
	}
	err := s.Collector.FetchPulls(ctx, wanted...)
	for _, w := range wanted {
		err = errors.Join(err, w.Repository.Release())
	}
	return err
}

// samplePulls are the pull requests that the score reads: those merged most recently, or for the tree the newest of
// all.
func samplePulls(s *run.Session, census *model.Census) []model.PullSummary {
	freeze := s.Config.Dataset.FreezeDate.Time
	recent := scoring.MergedBetween(census, freeze.AddDate(0, 0, -s.Config.RQS.RecentDays), freeze)
	if len(recent) == 0 {
		all := scoring.MergedBetween(census, census.Since, freeze)
		return all[:min(len(all), 1)]
	}
	return recent[:min(len(recent), s.Config.RQS.ReviewedPulls)]
}

// comments counts the review comments of the sampled pull requests; nil
// when one of them could not be collected.
func (g *gating) comments(sample []model.PullSummary) (*scoring.CommentSample, error) {
	out := &scoring.CommentSample{Pulls: len(sample)}
	g.sh.Labels = map[int]*model.Labels{}
	for _, p := range sample {
		pull, err := g.read(p.Number)
		if errors.Is(err, collectors.ErrHidden) {
			continue
		}
		if err != nil || pull == nil {
			return nil, err
		}
		labels := substance.Label(pull, g.s.Registry, g.s.Substance)
		g.sh.Labels[p.Number] = labels
		out.Comments += len(labels.Comments)
		out.Substantive += labels.Substantive
	}
	return out, nil
}

// tree reads the repository's tree as the newest pull request before the
// freeze date left it; nil when it could not be collected.
func (g *gating) tree(ctx context.Context, merged []model.PullSummary) (*scoring.TreeFacts, error) {
	if len(merged) == 0 {
		return nil, nil
	}
	pull, err := g.read(merged[0].Number)
	if errors.Is(err, collectors.ErrHidden) {
		return nil, nil
	}
	if err != nil || pull == nil {
		return nil, err
	}
	snapshot, err := g.sh.Repo.FetchTree(ctx, pull)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := &scoring.TreeFacts{Configs: map[string]string{}}
	for _, e := range snapshot.Entries() {
		out.Paths = append(out.Paths, e.Path)
	}
	for _, name := range scoring.CoverageConfigs(slices.Clone(out.Paths)) {
		if data, err := snapshot.Read(name); err == nil {
			out.Configs[name] = string(data)
		}
	}
	return out, nil
}
