package convert

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
)

func newEvidence(s Source, seen []seenComment) artifacts.Evidence {
	c := s.Candidate
	p := c.Pull
	e := artifacts.Evidence{
		TaskID: s.TaskID, Repo: p.Ref.Repo.String(), PRNumber: p.Ref.Number, URL: pullURL(p.Ref),
		Author: p.Author.Login, AuthorType: p.Author.Type, CreatedAt: stamp(p.CreatedAt),
		License: s.License, Attribution: attribution(p.Ref, p.Author.Login, s.License),
		Verdicts: artifacts.VerdictLines(c.Decisions), Reverts: artifacts.Names(s.Reverts),
		RevertedBy: artifacts.Names(s.RevertedBy),
		Difficulty: artifacts.DifficultyEvidence{Comments: map[string]artifacts.CommentClass{},
			Because: []artifacts.ReferenceEvidence{}},
		Replaced: replaced(c), Contexts: []artifacts.ContextEvidence{}, Comments: []artifacts.EvidenceComment{},
	}
	if p.MergedAt != nil {
		merged := stamp(*p.MergedAt)
		e.MergedAt = &merged
	}
	e.Diff.BaseRefOid = p.BaseRefOid
	e.Revision = revision(c, seen)
	if c.Diff != nil {
		e.Diff.Source, e.Diff.Why = c.Diff.Source, c.Diff.Why
	}
	if c.Base != nil {
		e.Diff.BaseMethod, e.Diff.BaseVerified = c.Base.Method, c.Base.Verified
	}
	if r := c.RVS; r != nil {
		e.Scores = artifacts.ScoreEvidence{Inputs: r.Inputs, RVS: artifacts.Round9(r.Score), Parts: artifacts.RVSBreakdown{
			ReviewDepth: artifacts.Round9(r.Depth), CodeComplexity: artifacts.Round9(r.Complexity),
			DiscussionSignal: artifacts.Round9(r.Discussion),
			TestChangeSignal: artifacts.Round9(r.Test), BugFixSignal: artifacts.Round9(r.Bug),
		}}
	}
	ids := make(map[int64]string, len(seen))
	for _, k := range seen {
		ids[k.Comment.ID] = k.id
		e.Comments = append(e.Comments, k.evidence())
	}
	if g := c.Grade; g != nil {
		for i := range e.Comments {
			e.Comments[i].SameAs = orNull(ids[g.SameAs[e.Comments[i].DatabaseID]])
		}
		e.Difficulty.Value, e.Language = g.Difficulty, g.Language
		e.PRType = artifacts.ValueEvidence{Value: g.PRType, Because: text.Valid(g.TypeFrom)}
		for _, k := range g.Comments {
			e.Difficulty.Comments[ids[k.CommentID]] = artifacts.CommentClass{Class: k.Class, Because: text.Valid(k.Because)}
		}
		for _, t := range g.Because {
			e.Difficulty.Because = append(e.Difficulty.Because, artifacts.ReferenceEvidence{
				CommentID: orNull(ids[t.CommentID]), DatabaseID: t.CommentID,
				Named: text.Valid(t.Named), Path: text.Valid(t.Path), Via: text.Valid(t.Via), Because: t.Because,
			})
		}
	}
	return e
}

// revision says which revision a candidate shows.
func revision(c *model.Candidate, seen []seenComment) artifacts.RevisionEvidence {
	e := artifacts.RevisionEvidence{Kind: "final", Commit: c.Pull.HeadOid, FinalHead: c.Pull.HeadOid,
		Lacks: c.Pull.Lacks()}
	if e.Lacks == nil {
		e.Lacks = []string{}
	}
	if c.Base != nil {
		e.Base = c.Base.ForkPoint
	}
	for _, k := range seen {
		if k.Substantive() && k.State != nil && k.State.State.Standing() {
			e.Standing++
		}
	}
	if r := c.Reviewed; r != nil {
		e.Kind, e.Standing, e.Candidates, e.Reachable, e.Lost = "reviewed", len(r.Standing), r.Candidates, r.Reachable,
			len(r.Lost)
		e.Because, e.Written = orNull(string(r.Because)), writtenOn(seen, r.Candidate.Oid)
		e.DescriptionAsOf, e.EditedAfterReview = orNull(r.DescriptionAsOf), r.Edited
	}
	if c.Final != nil && c.Final.Pull != nil {
		e.FinalHead = c.Final.Pull.HeadOid
	}
	return e
}

// writtenOn reports whether a ground-truth comment was written on a commit.
func writtenOn(seen []seenComment, oid string) bool {
	return slices.ContainsFunc(seen, func(k seenComment) bool { return k.Substantive() && k.Comment.OriginalOid == oid })
}

func attribution(p model.PullRef, author string, l model.License) string {
	license := "a license that was not identified"
	if l.SPDX != nil {
		license = *l.SPDX
	}
	return fmt.Sprintf("Code and discussion of %s by %s and the contributors of %s (%s); code under %s.",
		p, author, p.Repo, pullURL(p), license)
}

// replaced names the texts of a candidate that are not UTF-8. Only git's bytes can be
// other than that: all that GitHub says comes as JSON, whose reader replaces what is not.
func replaced(c *model.Candidate) []string {
	if c.Diff == nil || utf8.ValidString(c.Diff.Text) {
		return []string{}
	}
	return []string{"diff_patch"}
}
