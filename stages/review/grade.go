package review

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/run"
)

// labelStage checks every review comment against the comment rules.
type labelStage struct{ s *run.Session }

func (labelStage) Name() string { return verdict.StageLabel }

func (l labelStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	if it.Candidate.Labels == nil { // the repository's score may have read it
		it.Candidate.Labels = substance.Label(it.Candidate.Pull, l.s.Registry, l.s.Substance)
	}
	return verdict.Pass(), nil
}

// scoreStage computes the PR Review Value Score.
type scoreStage struct{ s *run.Session }

func (scoreStage) Name() string { return verdict.StageScore }

func (st scoreStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	if it.Candidate.Parsed == nil {
		return verdict.Undetermined(verdict.DiffMissing, "there is no diff to count from"), nil
	}
	rvs := scoring.RVS(scoring.RVSInputs(it.Candidate.Pull, it.Candidate.Labels, it.Candidate.Parsed), st.s.RVS)
	it.Candidate.RVS = &rvs
	return verdict.Pass(), nil
}

// anchorStage finds each comment's position in the final diff.
type anchorStage struct{}

func (anchorStage) Name() string { return verdict.StageAnchor }

func (anchorStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	it.Candidate.Anchors = scoring.Anchors(it.Candidate.Pull, it.Candidate.Parsed, it.Candidate.Revisions)
	return verdict.Pass(), nil
}

// gradeStage classifies the pull request and the difficulty of its review. It needs the repository's sources and the
// selection does not use it, so only released pull requests are graded.
type gradeStage struct{ s *run.Session }

func (gradeStage) Name() string { return verdict.StageGrade }

func (st gradeStage) Run(ctx context.Context, it *run.Item) (verdict.Verdict, error) {
	sources, err := it.Sources()
	if err != nil {
		return verdict.Verdict{}, err
	}
	if sources == nil {
		return verdict.Undetermined(verdict.BaseMissing, "there are no sources to resolve names in"), nil
	}
	graph := imports.Build(ctx, sources, st.s.Graphs, imports.DefaultOptions(st.s.Filters.Supported))
	difficulty, classes, because := scoring.GradeDifficulty(it.Ref.Repo, groundTruth(it.Candidate), it.Candidate.Parsed,
		graph)
	if err := ctx.Err(); err != nil {
		return verdict.Verdict{}, fmt.Errorf("grade %s: %w", it.Ref, err)
	}
	var supported *languages.Set
	if st.s.Filters.Languages == filters.SupportedLanguages {
		supported = st.s.Filters.Supported
	}
	prType, from := scoring.PRType(it.Candidate.Pull.Title, it.Candidate.Pull.Labels)
	it.Candidate.Grade = &model.Grade{
		Difficulty: difficulty, Comments: classes, Because: because, PRType: prType, TypeFrom: from,
		Language: scoring.Language(it.Candidate.Parsed, it.Candidate.Repo.Language, supported),
		SameAs:   substance.SameAs(it.Candidate),
	}
	return verdict.Pass(), nil
}

// groundTruth pairs the substantive comments with their anchors.
func groundTruth(c *model.Candidate) []scoring.GroundTruth {
	var out []scoring.GroundTruth
	for k := range c.ReviewComments() {
		if k.Substantive() {
			out = append(out, scoring.GroundTruth{
				CommentID: k.Comment.ID, Path: k.Anchor.Path, Side: k.Anchor.Side, Line: k.Anchor.Line, InDiff: k.Anchor.InDiff,
				Body: k.Comment.Body,
			})
		}
	}
	return out
}

// secondScore computes the second review value from a record's finished evidence.
func secondScore(e *artifacts.Evidence) *artifacts.SecondScore {
	v := model.RVS2{Standing: e.Revision.Standing}
	reviewers := map[string]bool{}
	for _, c := range e.Comments {
		if !c.GroundTruth {
			continue
		}
		reviewers[c.Author] = true
		if _, valid, known := c.Since(); known && valid.Holds() {
			v.Validated++
		}
	}
	v.Reviewers = len(reviewers)
	if e.Coverage != nil {
		v.Coverage = float64(*e.Coverage)
	}
	v = scoring.SecondRVS(v, scoring.DefaultRVS2Options())
	return &artifacts.SecondScore{
		Validated: v.Validated, Standing: v.Standing, Reviewers: v.Reviewers, Coverage: artifacts.Float(v.Coverage),
		RVS: artifacts.Float(v.Score),
	}
}
