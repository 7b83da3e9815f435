package stages

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
)

// quality is what the gate found of a repository.
type quality struct {
	score  scoring.RQS
	sample []int // the pull requests that were read for it
}

// gate measures the Repository Quality Score and decides about the repository
// (spec section 3).
func (b *Build) gate(ctx context.Context, s *settings, repo *collectors.Repository, out *shard) error {
	b.Progress.Doing(out.facts.Ref.String(), verdict.StageRQS)
	facts, sample, err := qualityFacts(ctx, s, repo)
	if err != nil {
		return err
	}
	score := scoring.ScoreRepository(facts, s.rqs)
	out.quality = &quality{score, sample}
	out.repository = verdict.Decision{Stage: verdict.StageRQS, Verdict: score.Verdict(s.rqs)}
	return nil
}

// qualityFacts counts what the score is made from. What could not be had stays
// nil: missing, never zero.
// The numbers are those of the pull requests that were read for it.
func qualityFacts(ctx context.Context, s *settings, repo *collectors.Repository) (facts scoring.RQSFacts, read []int, err error) {
	stars := repo.Facts().Stars
	facts.Stars = &stars
	census := repo.Census()
	if !census.Complete {
		return facts, nil, nil
	}
	freeze := s.config.Dataset.FreezeDate.Time
	recent := mergedBetween(census, freeze.AddDate(0, 0, -s.config.RQS.RecentDays), freeze)
	months := s.config.RQS.VolumeMonths
	monthly := float64(len(mergedBetween(census, freeze.AddDate(0, -months, 0), freeze))) / float64(months)
	n := len(recent)
	facts.RecentPulls, facts.MonthlyPulls = &n, &monthly

	sample := recent[:min(len(recent), s.config.RQS.ReviewedPulls)]
	wanted := samplePulls(s, census)
	if err := repo.FetchPulls(ctx, wanted); err != nil {
		return facts, nil, err
	}
	for _, p := range wanted {
		read = append(read, p.Number)
	}
	if facts.Comments, err = sampleComments(s, repo, sample); err != nil {
		return facts, nil, err
	}
	facts.Tree, err = treeFacts(ctx, repo, wanted)
	return facts, read, err
}

// samplePulls are the pull requests that the score reads: the newest merged
// recently, or the newest merged at all, for the tree that it left.
func samplePulls(s *settings, census *model.Census) []model.PullSummary {
	freeze := s.config.Dataset.FreezeDate.Time
	recent := mergedBetween(census, freeze.AddDate(0, 0, -s.config.RQS.RecentDays), freeze)
	if len(recent) == 0 {
		all := mergedBetween(census, census.Since, freeze)
		return all[:min(len(all), 1)]
	}
	return recent[:min(len(recent), s.config.RQS.ReviewedPulls)]
}

// fetchSamples fetches what the scores of all repositories read, in shared
// requests.
func fetchSamples(ctx context.Context, c *collectors.Collector, s *settings, refs []model.RepoRef) error {
	var wanted []collectors.Wanted
	for _, ref := range refs {
		repo, err := c.Repository(ref)
		if collectors.IsFatal(err) {
			return err
		}
		if err == nil {
			wanted = append(wanted, collectors.Wanted{Repository: repo, Pulls: samplePulls(s, repo.Census())})
		}
	}
	err := c.FetchPulls(ctx, wanted...)
	for _, w := range wanted {
		err = errors.Join(err, w.Repository.Release())
	}
	return err
}

// mergedBetween lists the pull requests merged in [from, to), newest first.
func mergedBetween(census *model.Census, from, to time.Time) []model.PullSummary {
	var out []model.PullSummary
	for _, p := range census.Pulls {
		if p.MergedAt != nil && !p.MergedAt.Before(from) && p.MergedAt.Before(to) {
			out = append(out, p)
		}
	}
	newestFirst(out)
	return out
}

// sampleComments counts the review comments of the sampled pull requests; nil
// when one of them could not be had.
func sampleComments(s *settings, repo *collectors.Repository, sample []model.PullSummary) (*scoring.CommentSample, error) {
	out := &scoring.CommentSample{Pulls: len(sample)}
	for _, p := range sample {
		pull, err := repo.Pull(p.Number)
		if errors.Is(err, collectors.ErrHidden) {
			continue
		}
		if collectors.IsFatal(err) {
			return nil, err
		}
		if err != nil {
			return nil, nil
		}
		labels := substance.Label(pull, s.registry, s.substance)
		out.Comments += len(labels.Comments)
		out.Substantive += labels.Substantive
	}
	return out, nil
}

// treeFacts reads the repository's tree as the newest pull request before the
// freeze date left it; nil when it cannot be had.
func treeFacts(ctx context.Context, repo *collectors.Repository, merged []model.PullSummary) (*scoring.TreeFacts, error) {
	if len(merged) == 0 {
		return nil, nil
	}
	pull, err := repo.Pull(merged[0].Number)
	if err != nil {
		if collectors.IsFatal(err) {
			return nil, err
		}
		return nil, nil
	}
	snapshot, err := repo.FetchTree(ctx, pull)
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

// audit is the shard's line of audit/repositories.jsonl.
func (sh *shard) audit(s *settings) artifacts.RepositoryAudit {
	out := artifacts.RepositoryAudit{
		Repo: sh.name(), Asked: sh.asked.String(), Outcome: fate(sh.repository.Verdict.Outcome),
		Code: sh.repository.Verdict.Code, Detail: sh.repository.Verdict.Detail, Missing: []string{}, Parts: []artifacts.RQSPart{},
	}
	if sh.facts != nil {
		if sh.facts.SPDX != "" {
			out.SPDX = &sh.facts.SPDX
		}
		out.Copyleft = scoring.IsCopyleft(sh.facts.SPDX)
		out.Stars, out.Language = sh.facts.Stars, sh.facts.Language
	}
	if sh.quality == nil {
		return out
	}
	score := artifacts.Float(sh.quality.score.Score)
	out.RQS = &score
	out.Missing = append(out.Missing, sh.quality.score.Missing...)
	for _, p := range sh.quality.score.Parts {
		part := artifacts.RQSPart{Name: p.Name, Max: artifacts.Float(p.Max), Note: p.Note, Inputs: []artifacts.Input{}}
		if p.Points != nil {
			points := artifacts.Float(*p.Points)
			part.Points = &points
		}
		for _, in := range p.Inputs {
			part.Inputs = append(part.Inputs, artifacts.Input{Name: in.Name, Value: artifacts.Float(in.Value)})
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// name is the repository's present name, or the configured one where nothing
// else is known.
func (sh *shard) name() string {
	if sh.facts != nil {
		return sh.facts.Ref.String()
	}
	return sh.asked.String()
}
