package stages

import (
	"fmt"
	"iter"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
)

// ExplainFrom reads from a frozen dataset what was decided about a pull
// request. Of one that was dropped the dataset keeps its verdicts and no
// evidence.
func ExplainFrom(dir string, ref model.PullRef) (*Explanation, error) {
	manifest, err := artifacts.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	out := &Explanation{Weights: manifest.Parameters.RVSWeights}
	is := func(repo string, number int) bool {
		return strings.EqualFold(repo, ref.Repo.String()) && number == ref.Number
	}

	repository, err := first(artifacts.ReadLines[artifacts.RepositoryAudit](dir, artifacts.FileRepositories),
		func(r *artifacts.RepositoryAudit) bool { return strings.EqualFold(r.Repo, ref.Repo.String()) })
	if err != nil {
		return nil, err
	}
	if repository != nil {
		out.Repository = *repository
	}
	record, err := first(artifacts.ReadLines[artifacts.Record](dir, artifacts.FileRecords),
		func(r *artifacts.Record) bool { return is(r.Repo, r.PRNumber) })
	if err != nil {
		return nil, err
	}
	if record != nil {
		out.Evidence, err = artifacts.ReadJSON[artifacts.Evidence](dir, artifacts.FileEvidence(record.TaskID))
		if err == nil {
			out.Verdicts = out.Evidence.Verdicts
		}
		return out, err
	}
	rejection, err := first(artifacts.ReadLines[artifacts.Rejection](dir, artifacts.FileRejections),
		func(r *artifacts.Rejection) bool { return r.PRNumber != nil && is(r.Repo, *r.PRNumber) })
	if err != nil {
		return nil, err
	}
	if rejection != nil {
		out.Verdicts = rejection.Verdicts
		return out, nil
	}
	return nil, fmt.Errorf("%s: the dataset says nothing of it: it was not looked at, or could not be decided", ref)
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
