package github

import (
	"slices"
	"sort"
	"time"

	"github.com/prforge/prforge/internal/model"
)

// The names by which PullRequest.Incomplete knows the lists.
const (
	listLabels         = "labels"
	listFiles          = "files"
	listReviews        = "reviews"
	listThreads        = "threads"
	listThreadComments = "thread_comments"
	listComments       = "comments"
	listHistory        = "history"
	listEdits          = "edits"
)

// pullFacts are the facts of a pull request except its lists.
func pullFacts(ref model.PullRef, n *pullNode) *model.PullRequest {
	p := &model.PullRequest{
		Ref: ref, NodeID: n.ID, URL: n.URL, Title: n.Title, Body: n.Body, State: n.State, IsDraft: n.IsDraft,
		Author: account(n.Author), CreatedAt: n.CreatedAt.Time, UpdatedAt: n.UpdatedAt.Time,
		MergedAt: timeOf(n.MergedAt), ClosedAt: timeOf(n.ClosedAt), LastEditedAt: timeOf(n.LastEditedAt),
		BaseRef: n.BaseRefName, BaseRefOid: n.BaseRefOid, HeadRef: n.HeadRefName, HeadOid: n.HeadRefOid,
		Additions: n.Additions, Deletions: n.Deletions, ChangedFiles: n.ChangedFiles, CrossRepo: n.IsCrossRepository,
		Version: model.FactsVersion, Labels: []string{}, Files: []model.ChangedFile{}, Reviews: []model.Review{},
		Threads: []model.Thread{}, Comments: []model.IssueComment{},
	}
	if n.MergedBy != nil {
		by := account(n.MergedBy)
		p.MergedBy = &by
	}
	if n.MergeCommit != nil {
		p.MergeCommit = &model.MergeCommit{Oid: n.MergeCommit.Oid, Parents: []string{}}
		for _, parent := range n.MergeCommit.Parents.Nodes {
			if parent != nil {
				p.MergeCommit.Parents = append(p.MergeCommit.Parents, parent.Oid)
			}
		}
	}
	return p
}

func labelFact(n labelNode) string { return n.Name }

func fileFact(n fileNode) model.ChangedFile {
	return model.ChangedFile{Path: n.Path, Additions: n.Additions, Deletions: n.Deletions, Change: n.ChangeType}
}

func reviewFact(n reviewNode) model.Review {
	return model.Review{
		ID: int64(n.FullDatabaseID), NodeID: n.ID, Author: account(n.Author), State: n.State, Body: n.Body,
		SubmittedAt: timeOf(n.SubmittedAt), CommitOid: oidOf(n.Commit), IsMinimized: n.IsMinimized,
	}
}

func threadFact(n threadNode) model.Thread {
	t := model.Thread{
		NodeID: n.ID, Path: n.Path, Side: n.DiffSide, Line: n.Line, StartLine: n.StartLine,
		OriginalLine: n.OriginalLine, OriginalStartLine: n.OriginalStartLine, Subject: n.SubjectType,
		IsResolved: n.IsResolved, IsOutdated: n.IsOutdated, ResolvedBy: userAccount(n.ResolvedBy),
		Comments: []model.Comment{},
	}
	if n.StartDiffSide != nil {
		t.StartSide = *n.StartDiffSide
	}
	return t
}

func commentFact(n commentNode) model.Comment {
	return model.Comment{
		ID: int64(n.FullDatabaseID), NodeID: n.ID, URL: n.URL, Author: account(n.Author), Association: n.AuthorAssociation,
		Body: n.Body, CreatedAt: n.CreatedAt.Time, LastEditedAt: timeOf(n.LastEditedAt), DiffHunk: n.DiffHunk,
		CommitOid: oidOf(n.Commit), OriginalOid: oidOf(n.OriginalCommit), ReplyTo: idOf(n.ReplyTo),
		ReviewNodeID: idOf(n.PullRequestReview),
		State:        n.State, IsMinimized: n.IsMinimized, MinimizedReason: text(n.MinimizedReason),
	}
}

func issueCommentFact(n issueCommentNode) model.IssueComment {
	return model.IssueComment{
		ID: int64(n.FullDatabaseID), NodeID: n.ID, Author: account(n.Author), Body: n.Body, CreatedAt: n.CreatedAt.Time,
		IsMinimized: n.IsMinimized, MinimizedReason: text(n.MinimizedReason),
	}
}

func oidOf(c *oid) string {
	if c == nil {
		return ""
	}
	return c.Oid
}

func idOf(r *reference) string {
	if r == nil {
		return ""
	}
	return r.ID
}

// factsOf turns nodes into facts.
func factsOf[N, F any](nodes []N, fact func(N) F) []F {
	out := make([]F, len(nodes))
	for i, n := range nodes {
		out[i] = fact(n)
	}
	return out
}

// order sorts every list as the model documents, so that equal facts give equal bytes in whatever order they came.
func order(p *model.PullRequest) {
	sort.Strings(p.Labels)
	sort.Strings(p.Incomplete)
	sort.SliceStable(p.Files, func(i, j int) bool { return p.Files[i].Path < p.Files[j].Path })
	sort.SliceStable(p.Reviews, func(i, j int) bool {
		a, b := p.Reviews[i], p.Reviews[j]
		if x, y := a.SubmittedAt, b.SubmittedAt; x != nil && y != nil && !x.Equal(*y) {
			return x.Before(*y)
		} else if (x == nil) != (y == nil) {
			return y == nil // one not submitted comes last
		}
		return a.ID < b.ID
	})
	for _, t := range p.Threads {
		sort.SliceStable(t.Comments, func(i, j int) bool {
			return before(t.Comments[i].CreatedAt, t.Comments[j].CreatedAt, t.Comments[i].ID, t.Comments[j].ID)
		})
	}
	sort.SliceStable(p.Threads, func(i, j int) bool {
		a, b := p.Threads[i], p.Threads[j]
		if len(a.Comments) == 0 || len(b.Comments) == 0 {
			if len(a.Comments) != len(b.Comments) {
				return len(b.Comments) == 0 // one without comments comes last
			}
			return a.NodeID < b.NodeID
		}
		return before(a.Comments[0].CreatedAt, b.Comments[0].CreatedAt, a.Comments[0].ID, b.Comments[0].ID)
	})
	sort.SliceStable(p.Comments, func(i, j int) bool {
		return before(p.Comments[i].CreatedAt, p.Comments[j].CreatedAt, p.Comments[i].ID, p.Comments[j].ID)
	})
}

// before orders by time, then by id.
func before(a, b time.Time, idA, idB int64) bool {
	if !a.Equal(b) {
		return a.Before(b)
	}
	return idA < idB
}

// lacking notes a list that could not be completed, once.
func lacking(p *model.PullRequest, list string) {
	if !slices.Contains(p.Incomplete, list) {
		p.Incomplete = append(p.Incomplete, list)
	}
}
