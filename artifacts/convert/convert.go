// Package convert makes the records of a dataset from the pipeline's results.
package convert

import (
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// NewTask makes a task from a graded candidate; the caller adds the contexts. The error is ErrIncomplete and names
// the pull request and the section.
func NewTask(s Source) (*artifacts.Task, error) {
	if err := s.complete(); err != nil {
		return nil, err
	}
	seen, err := comments(s)
	if err != nil {
		return nil, err
	}
	t := &artifacts.Task{Annotation: newAnnotation(s, seen), Evidence: newEvidence(s, seen)}
	t.Record = newRecord(s, seen)
	return t, nil
}

// NewEvidence makes the evidence of any labeled candidate. The results of stages that it did not reach stay empty.
func NewEvidence(s Source) (artifacts.Evidence, error) {
	seen, err := comments(s)
	if err != nil {
		return artifacts.Evidence{}, err
	}
	return newEvidence(s, seen), nil
}

func newRecord(s Source, seen []seenComment) artifacts.Record {
	c := s.Candidate
	p, repo, files := c.Pull, c.Pull.Ref.Repo, changedFiles(c.Parsed)
	web := forge + repo.String()
	r := artifacts.Record{
		Repo: repo.String(), RepoName: repo.Name, RepoCloneURL: web + ".git", RepoURL: web,
		TaskID: s.TaskID, PRNumber: p.Ref.Number, PRURL: pullURL(p.Ref),
		Title: p.Title, Description: p.Body,
		Language: c.Grade.Language, PRType: c.Grade.PRType, Difficulty: c.Grade.Difficulty,
		RVSScore: artifacts.Round3(c.RVS.Score),
		RVSBreakdown: artifacts.RVSBreakdown{
			ReviewDepth: artifacts.Round3(c.RVS.Depth), CodeComplexity: artifacts.Round3(c.RVS.Complexity),
			DiscussionSignal: artifacts.Round3(c.RVS.Discussion),
			TestChangeSignal: artifacts.Round3(c.RVS.Test), BugFixSignal: artifacts.Round3(c.RVS.Bug),
		},
		LinesAdded: c.Parsed.AddedLines, LinesRemoved: c.Parsed.DeletedLines,
		FilesChanged: len(files), ChangedFiles: files,
		MergedAt: stamp(*p.MergedAt), BaseCommit: c.Base.ForkPoint, HeadCommit: p.HeadOid,
		NumUniqueReviewers: len(c.Labels.Reviewers), HasRequestedChanges: c.Labels.HasRequestedChanges,
		AICommentsRemoved:   c.Labels.Removed,
		HumanReviewComments: []artifacts.ReviewComment{},
		DiffPatch:           text.Valid(c.Diff.Text),
	}
	for _, k := range seen {
		if k.Label.Substantive {
			r.NumSubstantiveComments++
		}
		if k.human() {
			r.HumanReviewComments = append(r.HumanReviewComments, k.review())
		}
	}
	return r
}

func newAnnotation(s Source, seen []seenComment) artifacts.Annotation {
	p := s.Candidate.Pull
	a := artifacts.Annotation{
		TaskID: s.TaskID, PRNumber: p.Ref.Number, Repo: p.Ref.Repo.String(),
		HasRequestedChanges:   s.Candidate.Labels.HasRequestedChanges,
		SubstantiveCommentIDs: []string{}, RequestedChanges: []artifacts.AnnotationComment{},
		Comments: []artifacts.AnnotationComment{},
	}
	for _, k := range seen {
		if k.human() {
			a.TotalCommentCount++
		}
		if !k.Label.Substantive {
			continue
		}
		ac := k.annotation()
		a.Comments = append(a.Comments, ac)
		a.SubstantiveCommentIDs = append(a.SubstantiveCommentIDs, ac.CommentID)
		a.HasSeverityAnnotations = a.HasSeverityAnnotations || ac.Severity != nil
		if ac.RequiresChange {
			a.RequestedChanges = append(a.RequestedChanges, ac)
		}
	}
	a.SubstantiveCommentCount = len(a.Comments)
	a.RequestedChangeCount = len(a.RequestedChanges)
	a.ChangesRequired = a.RequestedChangeCount > 0
	return a
}

// changedFiles lists each file once, in the order of the diff: git writes a change of type (file to symbolic link) as
// a deletion and an addition.
func changedFiles(d *unidiff.Diff) []string {
	out := make([]string, 0, len(d.Files))
	for _, f := range d.Files {
		if path := text.Valid(f.Path()); !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}
