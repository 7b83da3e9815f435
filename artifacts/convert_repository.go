package artifacts

import (
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// FateOf is an outcome as the audit words it.
func FateOf(o verdict.Outcome) Fate {
	switch o {
	case verdict.OutcomePass:
		return Selected
	case verdict.OutcomeReject:
		return Rejected
	case verdict.OutcomeUndetermined:
		return Undetermined
	}
	return Failed
}

// NewRepositoryAudit makes the line of audit/repositories.jsonl about a
// repository asked for as asked. Facts and score are nil where they are not
// known.
func NewRepositoryAudit(asked model.RepoRef, facts *model.Repository, score *model.RepositoryScore, v verdict.Verdict, copyleft bool) RepositoryAudit {
	out := RepositoryAudit{
		Repo: asked.String(), Asked: asked.String(), Outcome: FateOf(v.Outcome), Code: v.Code, Detail: v.Detail,
		Missing: []string{}, Parts: []ScorePart{}, Copyleft: copyleft,
	}
	if facts != nil {
		out.Repo, out.Stars, out.Language = facts.Ref.String(), facts.Stars, facts.Language
		if facts.SPDX != "" {
			out.SPDX = &facts.SPDX
		}
	}
	if score == nil {
		return out
	}
	total, best := Float(score.Score), Float(score.Best)
	out.RQS, out.Best = &total, &best
	out.Missing = append(out.Missing, score.Missing...)
	for _, p := range score.Parts {
		part := ScorePart{Name: p.Name, Max: Float(p.Max), Note: p.Note, Inputs: []Input{}}
		if p.Points != nil {
			points := Float(*p.Points)
			part.Points = &points
		}
		for _, in := range p.Inputs {
			part.Inputs = append(part.Inputs, Input{Name: in.Name, Value: Float(in.Value)})
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}
