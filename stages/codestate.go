package stages

import (
	"context"
	"strconv"

	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
)

// stateStage says what became of the code under each comment before the merge,
// and what speaks for the comment. Under the policy "standing" it takes comments
// whose code is no longer in the final diff out of the ground truth.
type stateStage struct{ s *Session }

func (stateStage) Name() string { return verdict.StageCodeState }

func (st stateStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	if err := st.tell(it); err != nil {
		return verdict.Verdict{}, err
	}
	if it.c.Reviewed != nil || st.s.config.GroundTruth.Policy != config.PolicyStanding {
		return verdict.Pass(), nil
	}
	standing := map[int64]bool{}
	for _, s := range it.c.States {
		standing[s.CommentID] = s.State.Standing()
	}
	it.c.Labels = it.c.Labels.Keep(model.RuleStands, verdict.CodeChanged, func(id int64) bool { return standing[id] })
	return enough(it.c.Labels.Substantive, st.s.config.Filters.MinSubstantiveComments), nil
}

// tell fills in the states. The commented files at the head are read here and let
// go of again.
func (st stateStage) tell(it *item) error {
	f := scoring.Final{Pull: it.c.Final.Pull, Diff: it.c.Final.Parsed, Revisions: it.c.Revisions}
	if it.c.Final.Base != nil {
		f.Base = it.c.Final.Base.ForkPoint
	}
	head, err := it.repo.Head(it.ref.Number)
	if err != nil {
		return err
	}
	if head != nil {
		f.Head = func(path string) ([]byte, bool) {
			data, err := head.Read(path)
			return data, err == nil
		}
	}
	it.c.States = scoring.CommentStates(f)
	scoring.Validate(it.c.Final.Pull, it.c.States)
	return nil
}

// enough is the verdict on how many comments are left.
func enough(left, minimum int) verdict.Verdict {
	found := verdict.Evidence{What: "substantive comments that stand", Found: strconv.Itoa(left), Limit: strconv.Itoa(minimum)}
	if left < minimum {
		return verdict.Reject(verdict.TooFewStanding, "too few substantive comments are about code that the record shows", found)
	}
	return verdict.Pass(found)
}
