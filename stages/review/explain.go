package review

import (
	"context"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// Explain evaluates one pull request of any repository, for its first record or a further one. It collects what the
// state lacks.
func Explain(ctx context.Context, s *run.Session, ref model.PullRef, record int) (*run.Explanation, error) {
	it, err := s.Pull(ctx, ref)
	if err != nil {
		return nil, err
	}
	sh, err := run.OpenShard[*Finalist](s, ref.Repo)
	if err == nil {
		err = Gate(ctx, s, sh)
	}
	if err != nil {
		return nil, err
	}
	it.Record = record
	return explain(ctx, s, it, sh)
}

func explain(ctx context.Context, s *run.Session, it *run.Item, sh *Shard) (*run.Explanation, error) {
	results, err := pipeline.Run(ctx, append(PullStages(s), gradeStage{s}), []*run.Item{it}, pipeline.Options{
		Workers: 1, Fatal: collectors.IsFatal, Failure: collectors.Reason, Missing: collectors.IsNotCollected,
		Exhaustive: true,
	})
	if err != nil {
		return nil, err
	}
	window := verdict.Decision{Stage: verdict.StageWindow, Verdict: s.Window.Verdict(it.Summary)}
	it.Candidate.Decisions = append([]verdict.Decision{window}, results[0].Decisions...)
	out := &run.Explanation{Repository: sh.Audit(), Verdicts: artifacts.VerdictLines(it.Candidate.Decisions),
		Weights: parameters(s.Config, s.RVS).RVSWeights}
	if it.Candidate.Pull == nil || it.Candidate.Labels == nil {
		return out, nil
	}
	evidence, err := convert.NewEvidence(convert.Source{
		TaskID:    artifacts.NewTaskIDs([]model.RepoRef{it.Ref.Repo}).Of(it.Ref) + artifacts.RecordMark(it.Record),
		Candidate: it.Candidate,
	})
	if err != nil {
		return nil, err
	}
	if it.Candidate.RVS == nil {
		out.NotComputed = append(out.NotComputed, run.NoScores)
	}
	if it.Candidate.Grade == nil {
		out.NotComputed = append(out.NotComputed, run.NoGrade)
	}
	out.Evidence, out.Records = &evidence, 1+it.Further
	out.Pull, err = convert.NewSeen(it.Candidate.Pull, it.Candidate.Labels)
	return out, err
}

// explainRecord adds the evidence of a record; false if there is none.
func explainRecord(dir string, out *run.Explanation, is func(repo string, number int) bool, number int) (bool, error) {
	var record *artifacts.Record
	for r, err := range load.ReadLines[artifacts.Record](dir, artifacts.FileRecords) {
		if err != nil {
			return false, err
		}
		if !is(r.Repo, r.PRNumber) {
			continue
		}
		out.Records++
		if artifacts.RecordOf(r.TaskID) == number {
			record = r
		}
	}
	if record == nil {
		return false, nil
	}
	var err error
	out.Evidence, err = load.ReadJSON[artifacts.Evidence](dir, artifacts.FileEvidence(record.TaskID))
	if err != nil {
		return true, err
	}
	out.Verdicts = out.Evidence.Verdicts
	out.Pull = &convert.Seen{
		Repo: record.Repo, Number: record.PRNumber, URL: record.PRURL, Title: record.Title, Author: out.Evidence.Author,
		Description: record.Description, CreatedAt: out.Evidence.CreatedAt, MergedAt: record.MergedAt,
		Comments: out.Evidence.Comments,
	}
	return true, nil
}
