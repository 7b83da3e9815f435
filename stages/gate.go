package stages

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
	"github.com/prforge/prforge/scoring"
)

// gate measures the repository score and decides about the repository (spec
// section 3). The error is one that ends the run.
func (sh *shard[F]) gate(ctx context.Context, s *Session) error {
	s.Progress.Doing(sh.name(), verdict.StageRepositoryScore, 0, 1)
	facts, sample, err := sh.scoreFacts(ctx, s)
	if err != nil {
		if collectors.IsFatal(err) {
			return err
		}
		sh.fail(verdict.StageRepositoryScore, err)
		return nil
	}
	score := scoring.ScoreRepository(facts, s.rqs)
	sh.Score = &score
	sh.Used.Pulls = append(sh.Used.Pulls, sample...)
	v := scoring.Gate(score, s.rqs)
	why, err := sh.undecided(s, v)
	switch {
	case err != nil:
		return err
	case why != nil:
		sh.fail(verdict.StageRepositoryScore, why)
	default:
		sh.decide(verdict.StageRepositoryScore, v)
	}
	return nil
}

// undecided is the error that keeps a verdict about the score from being one about
// the data: that of a pull request which the score should have read. Where the
// repository passes without it, it fails alone, as an item of the window.
func (sh *shard[F]) undecided(s *Session, v verdict.Verdict) (why, err error) {
	if len(sh.unread) == 0 {
		return nil, nil
	}
	census, err := sh.repo.Census()
	if err != nil {
		return nil, err
	}
	inside, _ := s.window.Split(census)
	for _, number := range slices.Sorted(maps.Keys(sh.unread)) {
		shown := slices.ContainsFunc(inside, func(p model.PullSummary) bool { return p.Number == number })
		if v.Outcome != verdict.OutcomePass || !shown {
			return sh.unread[number], nil
		}
	}
	return nil, nil
}

// read is a pull request that the score reads; nil where it is known to be
// unavailable, or failed in this run, which unread then says. The error is one
// that ends the run, or ErrHidden.
func (sh *shard[F]) read(number int) (*model.PullRequest, error) {
	pull, err := sh.repo.Pull(number)
	if err == nil || collectors.IsFatal(err) || errors.Is(err, collectors.ErrHidden) {
		return pull, err
	}
	if f := (*collectors.Failure)(nil); !errors.As(err, &f) || !f.Settled() {
		if sh.unread == nil {
			sh.unread = map[int]error{}
		}
		sh.unread[number] = err
	}
	return nil, nil
}

// scoreFacts counts what the score is made from. What could not be collected
// stays nil: missing, never zero. The numbers are those of the pull requests
// that were read for it.
func (sh *shard[F]) scoreFacts(ctx context.Context, s *Session) (facts scoring.RepositoryFacts, read []int, err error) {
	repo := sh.repo
	stars := repo.Facts().Stars
	facts.Stars = &stars
	census, err := repo.Census()
	if err != nil {
		return facts, nil, err
	}
	if !census.Complete {
		return facts, nil, nil
	}
	freeze := s.config.Dataset.FreezeDate.Time
	recent := scoring.MergedBetween(census, freeze.AddDate(0, 0, -s.config.RQS.RecentDays), freeze)
	months := s.config.RQS.VolumeMonths
	monthly := float64(len(scoring.MergedBetween(census, freeze.AddDate(0, -months, 0), freeze))) / float64(months)
	n := len(recent)
	facts.RecentPulls, facts.MonthlyPulls = &n, &monthly

	sample := recent[:min(len(recent), s.config.RQS.ReviewedPulls)]
	wanted := s.samplePulls(census)
	if err := repo.FetchPulls(ctx, wanted); err != nil {
		return facts, nil, err
	}
	for _, p := range wanted {
		read = append(read, p.Number)
	}
	if facts.Comments, err = sh.sampleComments(s, sample); err != nil {
		return facts, nil, err
	}
	sh.Used.Tree = true
	facts.Tree, err = sh.treeFacts(ctx, wanted)
	return facts, read, err
}

// samplePulls are the pull requests that the score reads: the newest merged
// recently, or the newest merged at all, for the tree that it left.
func (s *Session) samplePulls(census *model.Census) []model.PullSummary {
	freeze := s.config.Dataset.FreezeDate.Time
	recent := scoring.MergedBetween(census, freeze.AddDate(0, 0, -s.config.RQS.RecentDays), freeze)
	if len(recent) == 0 {
		all := scoring.MergedBetween(census, census.Since, freeze)
		return all[:min(len(all), 1)]
	}
	return recent[:min(len(recent), s.config.RQS.ReviewedPulls)]
}

// sampleComments counts the review comments of the sampled pull requests; nil
// when one of them could not be collected.
func (sh *shard[F]) sampleComments(s *Session, sample []model.PullSummary) (*scoring.CommentSample, error) {
	out := &scoring.CommentSample{Pulls: len(sample)}
	sh.labels = map[int]*model.Labels{}
	for _, p := range sample {
		pull, err := sh.read(p.Number)
		if errors.Is(err, collectors.ErrHidden) {
			continue
		}
		if err != nil || pull == nil {
			return nil, err
		}
		labels := substance.Label(pull, s.registry, s.substance)
		sh.labels[p.Number] = labels
		out.Comments += len(labels.Comments)
		out.Substantive += labels.Substantive
	}
	return out, nil
}

// treeFacts reads the repository's tree as the newest pull request before the
// freeze date left it; nil when it could not be collected.
func (sh *shard[F]) treeFacts(ctx context.Context, merged []model.PullSummary) (*scoring.TreeFacts, error) {
	if len(merged) == 0 {
		return nil, nil
	}
	pull, err := sh.read(merged[0].Number)
	if errors.Is(err, collectors.ErrHidden) {
		return nil, nil
	}
	if err != nil || pull == nil {
		return nil, err
	}
	snapshot, err := sh.repo.FetchTree(ctx, pull)
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
