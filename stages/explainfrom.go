package stages

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

// ExplainFrom reads from a frozen dataset what was decided about a pull
// request, or about a further record of one. Of one that was rejected the dataset keeps
// its verdicts, of one that could not be decided the last of them, and of both, in its
// raw records, what was said in it, but no evidence.
func ExplainFrom(dir string, ref model.PullRef, record int) (*run.Explanation, error) {
	manifest, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	out := &run.Explanation{Weights: manifest.Parameters.RVSWeights}
	is := func(repo string, number int) bool {
		return strings.EqualFold(repo, ref.Repo.String()) && number == ref.Number
	}

	repository, err := first(load.ReadLines[artifacts.RepositoryAudit](dir, artifacts.FileRepositories),
		func(r *artifacts.RepositoryAudit) bool { return strings.EqualFold(r.Repo, ref.Repo.String()) })
	if err != nil {
		return nil, err
	}
	if repository != nil {
		out.Repository = *repository
	}
	if explain := BenchmarkOf(manifest.Benchmark).Explain; explain != nil {
		if done, err := explain(dir, out, is, record); done || err != nil {
			return out, err
		}
	}
	mark := artifacts.RecordMark(record)
	rejection, err := first(load.ReadLines[artifacts.Rejection](dir, artifacts.FileRejections),
		func(r *artifacts.Rejection) bool {
			return r.PRNumber != nil && is(r.Repo, *r.PRNumber) && r.Mark() == mark
		})
	if err != nil {
		return nil, err
	}
	if rejection != nil {
		out.Verdicts = rejection.Verdicts
		out.Pull, err = review.SeenPull(dir, ref)
		return out, err
	}
	decision, err := first(load.ReadLines[artifacts.Decision](dir, artifacts.FileDecisions),
		func(d *artifacts.Decision) bool {
			return d.PRNumber != nil && is(d.Repo, *d.PRNumber) && d.Mark() == mark
		})
	if err != nil {
		return nil, err
	}
	if decision != nil && decision.Outcome == artifacts.Undetermined {
		out.Verdicts = []artifacts.VerdictLine{{Filter: decision.Stage, Outcome: verdict.OutcomeUndetermined,
			Code: decision.Code, Detail: decision.Detail, Evidence: decision.Evidence}}
		out.Pull, err = review.SeenPull(dir, ref)
		return out, err
	}
	if decision != nil && decision.Outcome == artifacts.Selected { // its verdicts before the last are not kept
		out.Verdicts = []artifacts.VerdictLine{{Filter: decision.Stage, Outcome: verdict.OutcomePass, Detail: decision.Detail,
			Evidence: decision.Evidence}}
		return out, nil
	}
	return nil, fmt.Errorf("%s: the dataset says nothing of it: %s", ref, neverSeen(repository, record))
}

// neverSeen says why a dataset has no decision about a pull request.
func neverSeen(repository *artifacts.RepositoryAudit, record int) string {
	switch {
	case repository == nil:
		return "its repository was not looked at"
	case record > 1:
		return fmt.Sprintf("there was no record %d of it", record)
	case repository.Code != "":
		return fmt.Sprintf("its repository was left out (%s), so it was never looked at", repository.Code)
	}
	return "it was never looked at: no pull request of this number was merged within the window"
}

// PullOfTask is the pull request of a record of a frozen dataset, by its task id,
// and which of its records that is.
func PullOfTask(dir, id string) (model.PullRef, int, error) {
	record, err := first(load.ReadLines[artifacts.Record](dir, artifacts.FileRecords),
		func(r *artifacts.Record) bool { return r.TaskID == id })
	if errors.Is(err, fs.ErrNotExist) {
		return model.PullRef{}, 0, fmt.Errorf("%s: this dataset has no task ids: name the pull request, OWNER/NAME#N", id)
	}
	if err != nil {
		return model.PullRef{}, 0, err
	}
	if record == nil {
		return model.PullRef{}, 0, fmt.Errorf("%s: no record has this task id", id)
	}
	ref, err := model.ParsePullRef(fmt.Sprintf("%s#%d", record.Repo, record.PRNumber))
	return ref, artifacts.RecordOf(id), err
}

// first is the first value of a sequence that fits, or nil.
func first[T any](values iter.Seq2[*T, error], fits func(*T) bool) (*T, error) {
	for v, err := range values {
		if err != nil {
			return nil, err
		}
		if fits(v) {
			return v, nil
		}
	}
	return nil, nil
}
