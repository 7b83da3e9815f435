package artifacts

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/verdict"
)

func newEvidence(s Source, seen []seenComment) Evidence {
	c := s.Candidate
	p := c.Pull
	e := Evidence{
		TaskID: s.TaskID, Repo: p.Ref.Repo.String(), PRNumber: p.Ref.Number, URL: pullURL(p.Ref),
		Author: text.Valid(p.Author.Login), AuthorType: p.Author.Type, CreatedAt: stamp(p.CreatedAt),
		License: s.License, Attribution: attribution(p.Ref, p.Author.Login, s.License),
		Verdicts: VerdictLines(c.Decisions), Reverts: names(s.Reverts), RevertedBy: names(s.RevertedBy),
		Difficulty: DifficultyEvidence{Comments: map[string]CommentClass{}, Because: []ReferenceEvidence{}},
		Replaced:   replaced(c), Contexts: []ContextEvidence{}, Comments: []EvidenceComment{},
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
		e.Scores = ScoreEvidence{Inputs: r.Inputs, RVS: round9(r.Score), Parts: RVSBreakdown{
			round9(r.Depth), round9(r.Complexity), round9(r.Discussion), round9(r.Test), round9(r.Bug)}}
	}
	ids := make(map[int64]string, len(seen))
	for _, k := range seen {
		ids[k.Comment.ID] = k.id
		e.Comments = append(e.Comments, k.evidence())
	}
	if g := c.Grade; g != nil {
		e.Difficulty.Value, e.Language = g.Difficulty, g.Language
		e.PRType = ValueEvidence{Value: g.PRType, Because: text.Valid(g.TypeFrom)}
		for _, k := range g.Comments {
			e.Difficulty.Comments[ids[k.CommentID]] = CommentClass{k.Class, text.Valid(k.Because)}
		}
		for _, t := range g.Because {
			e.Difficulty.Because = append(e.Difficulty.Because, ReferenceEvidence{
				CommentID: orNull(ids[t.CommentID]), DatabaseID: t.CommentID,
				Named: text.Valid(t.Named), Path: text.Valid(t.Path), Via: text.Valid(t.Via), Because: t.Because,
			})
		}
	}
	return e
}

// revision says which revision a candidate shows.
func revision(c *model.Candidate, seen []seenComment) RevisionEvidence {
	e := RevisionEvidence{Kind: "final", Commit: c.Pull.HeadOid, FinalHead: c.Pull.HeadOid, Lacks: c.Pull.Lacks()}
	if e.Lacks == nil {
		e.Lacks = []string{}
	}
	if c.Base != nil {
		e.Base = c.Base.ForkPoint
	}
	for _, k := range seen {
		e.Standing += count(k.Substantive() && k.State != nil && k.State.State.Standing())
	}
	if r := c.Reviewed; r != nil {
		e.Kind, e.Standing, e.Candidates, e.Reachable, e.Lost = "reviewed", len(r.Standing), r.Candidates, r.Reachable, len(r.Lost)
		e.DescriptionAsOf, e.EditedAfterReview = orNull(r.DescriptionAsOf), r.Edited
	}
	if c.Final != nil && c.Final.Pull != nil {
		e.FinalHead = c.Final.Pull.HeadOid
	}
	return e
}

// VerdictLines is the trail of decisions as the dataset writes it.
func VerdictLines(decisions []verdict.Decision) []VerdictLine {
	out := make([]VerdictLine, 0, len(decisions))
	for _, d := range decisions {
		out = append(out, VerdictLine{
			Filter: d.Stage, Outcome: d.Outcome, Code: d.Code, Detail: text.Valid(d.Detail), Evidence: validEvidence(d.Evidence),
		})
	}
	return out
}

// validEvidence is a copy whose texts are UTF-8, and never nil.
func validEvidence(in []verdict.Evidence) []verdict.Evidence {
	out := make([]verdict.Evidence, 0, len(in))
	for _, e := range in {
		out = append(out, verdict.Evidence{What: text.Valid(e.What), Found: text.Valid(e.Found), Limit: text.Valid(e.Limit), URL: text.Valid(e.URL)})
	}
	return out
}

func attribution(p model.PullRef, author string, l model.License) string {
	license := "a license that was not identified"
	if l.SPDX != nil {
		license = *l.SPDX
	}
	return fmt.Sprintf("Code and discussion of %s by %s and the contributors of %s (%s); code under %s.",
		p, text.Valid(author), p.Repo, pullURL(p), license)
}

// replaced names the texts of a candidate that are not UTF-8.
func replaced(c *model.Candidate) []string {
	out := []string{}
	add := func(name, text string) {
		if !utf8.ValidString(text) {
			out = append(out, name)
		}
	}
	add("title", c.Pull.Title)
	add("description", c.Pull.Body)
	if c.Diff != nil {
		add("diff_patch", c.Diff.Text)
	}
	for _, t := range c.Pull.Threads {
		for _, k := range t.Comments {
			add("comments/"+strconv.FormatInt(k.ID, 10), k.Body+k.DiffHunk)
		}
	}
	return out
}

func names(refs []model.PullRef) []string {
	out := make([]string, 0, len(refs))
	for _, r := range refs {
		out = append(out, r.String())
	}
	return out
}
