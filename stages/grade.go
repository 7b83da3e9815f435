package stages

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
)

// scoreStage computes the PR Review Value Score.
type scoreStage struct{ s *Session }

func (scoreStage) Name() string { return verdict.StageScore }

func (st scoreStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	if it.c.Parsed == nil {
		return verdict.Undetermined(verdict.DiffMissing, "there is no diff to count from"), nil
	}
	rvs := scoring.RVS(scoring.RVSInputs(it.c.Pull, it.c.Labels, it.c.Parsed), st.s.rvs)
	it.c.RVS = &rvs
	return verdict.Pass(), nil
}

// anchorStage finds each comment's place in the final diff.
type anchorStage struct{}

func (anchorStage) Name() string { return verdict.StageAnchor }

func (anchorStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	it.c.Anchors = scoring.Anchors(it.c.Pull, it.c.Parsed, it.c.Revisions)
	return verdict.Pass(), nil
}

// gradeStage says what kind of pull request it is and how hard its review. The
// selection does not ask, and to know takes the repository's sources: only what is
// released is graded.
type gradeStage struct{ s *Session }

func (gradeStage) Name() string { return verdict.StageGrade }

func (st gradeStage) Run(ctx context.Context, it *item) (verdict.Verdict, error) {
	sources, err := it.sources()
	if err != nil {
		return verdict.Verdict{}, err
	}
	if sources == nil {
		return verdict.Undetermined(verdict.BaseMissing, "there are no sources to resolve names in"), nil
	}
	graph := imports.Build(ctx, sources, st.s.graphs, imports.DefaultOptions(languages.All()))
	difficulty, classes, because := scoring.GradeDifficulty(it.ref.Repo, groundTruth(it.c), it.c.Parsed, graph)
	if err := ctx.Err(); err != nil {
		return verdict.Verdict{}, fmt.Errorf("grade %s: %w", it.ref, err)
	}
	prType, from := scoring.PRType(it.c.Pull.Title, it.c.Pull.Labels)
	it.c.Grade = &model.Grade{
		Difficulty: difficulty, Comments: classes, Because: because, PRType: prType, TypeFrom: from,
		Language: scoring.Language(it.c.Parsed, it.c.Repo.Language, st.s.filters.Languages == filters.SupportedLanguages),
	}
	return verdict.Pass(), nil
}

// groundTruth pairs the substantive comments with their anchors.
func groundTruth(c *model.Candidate) []scoring.GroundTruth {
	var out []scoring.GroundTruth
	for k := range c.ReviewComments() {
		if k.Substantive() {
			out = append(out, scoring.GroundTruth{
				CommentID: k.Comment.ID, Path: k.Anchor.Path, Side: k.Anchor.Side, Line: k.Anchor.Line, InDiff: k.Anchor.InDiff, Body: k.Comment.Body,
			})
		}
	}
	return out
}
