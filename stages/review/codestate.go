package review

import (
	"context"
	"strconv"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// stateStage finds what became of the code under each comment before the merge, and the evidence for the comment.
// Under the policy "standing" it removes comments from the ground truth whose code is no longer in the final diff.
type stateStage struct{ s *run.Session }

func (stateStage) Name() string { return verdict.StageCodeState }

func (st stateStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	if err := st.tell(it); err != nil {
		return verdict.Verdict{}, err
	}
	if it.Candidate.Reviewed != nil || st.s.Config.GroundTruth.Policy != config.PolicyStanding {
		return verdict.Pass(), nil
	}
	standing := map[int64]bool{}
	for _, s := range it.Candidate.States {
		standing[s.CommentID] = s.State.Standing()
	}
	it.Candidate.Labels = it.Candidate.Labels.Keep(model.RuleStands, verdict.CodeChanged,
		func(id int64) bool { return standing[id] })
	return enough(it.Candidate.Labels.Substantive, st.s.Config.Filters.MinSubstantiveComments), nil
}

// tell fills in the states. It holds the commented files at the head only while it runs.
func (st stateStage) tell(it *run.Item) error {
	f := scoring.Final{Pull: it.Candidate.Final.Pull, Diff: it.Candidate.Final.Parsed, Revisions: it.Candidate.Revisions}
	if it.Candidate.Final.Base != nil {
		f.Base = it.Candidate.Final.Base.ForkPoint
	}
	head, err := it.Repo.Head(it.Ref.Number)
	if err != nil {
		return err
	}
	if head != nil {
		f.Head = func(path string) ([]byte, bool) {
			data, err := head.Read(path)
			return data, err == nil
		}
	}
	it.Candidate.States = scoring.CommentStates(f)
	scoring.Validate(it.Candidate.Final.Pull, it.Candidate.States)
	return nil
}

// enough is the verdict on the number of comments left.
func enough(left, minimum int) verdict.Verdict {
	found := verdict.Evidence{What: "substantive comments that stand", Found: strconv.Itoa(left),
		Limit: strconv.Itoa(minimum)}
	if left < minimum {
		return verdict.Reject(verdict.TooFewStanding, "too few substantive comments are about code that the record shows",
			found)
	}
	return verdict.Pass(found)
}
