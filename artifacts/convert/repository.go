package convert

import (
	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// NewRepositoryAudit makes the line of audit/repositories.jsonl about a
// repository asked for as asked. Facts and score are nil where they are not
// known.
func NewRepositoryAudit(asked model.RepoRef, facts *model.Repository, score *model.RepositoryScore, v verdict.Verdict,
	copyleft bool) artifacts.RepositoryAudit {
	out := artifacts.RepositoryAudit{
		Repo: asked.String(), Asked: asked.String(), Outcome: artifacts.FateOf(v.Outcome), Code: v.Code, Detail: v.Detail,
		Missing: []string{}, Parts: []artifacts.ScorePart{}, Copyleft: copyleft,
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
	total, best := artifacts.Float(score.Score), artifacts.Float(score.Best)
	out.RQS, out.Best = &total, &best
	out.Missing = append(out.Missing, score.Missing...)
	for _, p := range score.Parts {
		part := artifacts.ScorePart{Name: p.Name, Max: artifacts.Float(p.Max), Note: p.Note, Inputs: []artifacts.Input{}}
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
