package review

import (
	"context"
	"strconv"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// shownStage removes comments from the ground truth whose line the contexts do not show. It does nothing if contexts
// show as much of a change as fits a budget: the evidence then says what they show.
type shownStage struct{ s *run.Session }

func (shownStage) Name() string { return verdict.StageShown }

func (st shownStage) Run(ctx context.Context, it *run.Item) (verdict.Verdict, error) {
	if st.s.Config.Contexts.Diff != config.DiffWhole {
		return verdict.Pass(), nil
	}
	builder, err := st.s.Builder()
	if err != nil {
		return verdict.Verdict{}, err
	}
	sources, err := it.Sources()
	if err != nil {
		return verdict.Verdict{}, err
	}
	diff, err := builder.Diff(ctx, contextbuilder.Input{Repo: it.Ref.Repo, Diff: it.Candidate.Parsed, Base: sources})
	if err != nil {
		return verdict.Verdict{}, err
	}
	shown, visible := artifacts.ShownBy(diff), map[int64]bool{}
	for k := range it.Candidate.ReviewComments() {
		visible[k.Comment.ID] = k.Anchor != nil && shown.Has(k.Anchor)
	}
	it.Candidate.Labels = it.Candidate.Labels.Keep(model.RuleShown, verdict.NotShown,
		func(id int64) bool { return visible[id] })
	left, least := it.Candidate.Labels.Substantive, leastStanding(st.s)
	found := verdict.Evidence{What: "substantive comments whose line is shown", Found: strconv.Itoa(left),
		Limit: strconv.Itoa(least)}
	if left < least {
		return verdict.Reject(verdict.TooFewShown, "too few substantive comments are on lines that the contexts show", found),
			nil
	}
	return verdict.Pass(found), nil
}
