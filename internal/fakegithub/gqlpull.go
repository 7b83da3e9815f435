package fakegithub

import (
	"slices"
	"strconv"
)

// additions and deletions count the lines of the final diff.
func (p *pullState) additions() (n int) {
	for _, f := range p.files {
		n += f.additions
	}
	return n
}

func (p *pullState) deletions() (n int) {
	for _, f := range p.files {
		n += f.deletions
	}
	return n
}

// visibleThreads are the threads that others can see: not those of a pending review.
func (p *pullState) visibleThreads() []*threadState {
	return slices.DeleteFunc(slices.Clone(p.threads), func(t *threadState) bool { return t.pending() })
}

// history lists the commits that the head has and the base has not.
func (p *pullState) history() []*commit {
	var out []*commit
	for _, i := range p.live {
		out = append(out, p.steps[i])
	}
	return out
}

// pullTypes are the pull request, its files and commits.
func pullTypes() map[string]fields {
	type pr = *pullState
	who := func(login func(p pr) string) gfield {
		return object("Actor", func(c *call, p pr) any { return c.query.site.actor(login(p)) })
	}
	return map[string]fields{
		"PullRequest": {
			"id": scalar(func(p pr) any { return nodeID(p) }), "databaseId": scalar(func(p pr) any { return p.id }),
			"fullDatabaseId": scalar(func(p pr) any { return strconv.FormatInt(p.id, 10) }),
			"number":         scalar(func(p pr) any { return p.Number }), "title": scalar(func(p pr) any { return p.Title }),
			"body": scalar(func(p pr) any { return p.Body }), "bodyText": scalar(func(p pr) any { return p.Body }),
			"state": scalar(func(p pr) any { return p.state() }), "merged": scalar(func(p pr) any { return p.isMerged() }),
			"closed":  scalar(func(p pr) any { return p.Method != StillOpen }),
			"isDraft": scalar(func(p pr) any { return p.IsDraft }),
			"locked":  fixed(false), "url": scalar(func(p pr) any { return p.url() }),
			"permalink":    scalar(func(p pr) any { return p.url() }),
			"createdAt":    scalar(func(p pr) any { return stamp(p.CreatedAt) }),
			"updatedAt":    scalar(func(p pr) any { return stamp(p.updated) }),
			"publishedAt":  scalar(func(p pr) any { return stamp(p.CreatedAt) }),
			"lastEditedAt": scalar(func(p pr) any { return stamp(p.EditedAt) }),
			"closedAt":     scalar(func(p pr) any { return stamp(p.ClosedAt) }),
			"mergedAt": scalar(func(p pr) any {
				if !p.isMerged() {
					return nil
				}
				return stamp(p.ClosedAt)
			}),
			"author":            who(func(p pr) string { return p.Author }),
			"authorAssociation": scalar(func(p pr) any { return p.repo.association(p.Author) }),
			"mergedBy": who(func(p pr) string {
				if !p.isMerged() {
					return ""
				}
				return p.ClosedBy
			}),
			"baseRefName":       scalar(func(p pr) any { return p.base(p.repo.Repo) }),
			"headRefName":       scalar(func(p pr) any { return p.headRef() }),
			"baseRefOid":        scalar(func(p pr) any { return p.baseTip.sha }),
			"headRefOid":        scalar(func(p pr) any { return p.head().sha }),
			"baseRef":           object("Ref", func(_ *call, p pr) any { return branchRef{p.repo, p.base(p.repo.Repo)} }),
			"headRef":           object("Ref", func(_ *call, p pr) any { return nil }), // branches are deleted after the merge
			"isCrossRepository": scalar(func(p pr) any { return p.CrossRepo }),
			"mergeCommit": object("Commit", func(_ *call, p pr) any {
				if p.merge == nil {
					return nil
				}
				return commitRef{p.repo, p.merge}
			}),
			"additions":    scalar(func(p pr) any { return p.additions() }),
			"deletions":    scalar(func(p pr) any { return p.deletions() }),
			"changedFiles": scalar(func(p pr) any { return len(p.files) }), "mergeable": fixed("UNKNOWN"),
			"reviewDecision":     scalar(func(p pr) any { return p.decision() }),
			"totalCommentsCount": scalar(func(p pr) any { return p.totalComments() }),
			"repository":         object("Repository", func(_ *call, p pr) any { return p.repo }),
			"baseRepository":     object("Repository", func(_ *call, p pr) any { return p.repo }),
			"headRepository": object("Repository", func(_ *call, p pr) any {
				if p.CrossRepo {
					return nil // the fork was deleted
				}
				return p.repo
			}),
			"closingIssuesReferences": connection("Issue", func(*call, pr) []any { return nil }), // there are no issues
			"labels":                  connection("Label", func(_ *call, p pr) []any { return p.labels() }),
			"files": connection("PullRequestChangedFile",
				func(_ *call, p pr) []any { return anyList(p.files) }),
			"commits": connection("PullRequestCommit", func(_ *call, p pr) []any {
				var out []any
				for _, c := range p.history() {
					out = append(out, commitRef{p.repo, c})
				}
				return out
			}),
			"reviews": connection("PullRequestReview", func(c *call, p pr) []any { return p.listReviews(c) }, "states",
				"author"),
			"reviewThreads": connection("PullRequestReviewThread",
				func(_ *call, p pr) []any { return anyList(p.visibleThreads()) }),
			"comments": connection("IssueComment", func(_ *call, p pr) []any { return anyList(p.comments) }),
			"timelineItems": connection("PullRequestTimelineItems", func(c *call, p pr) []any {
				return p.timeline(c.texts("itemTypes"))
			}, "itemTypes"),
			"userContentEdits": connection("UserContentEdit", func(_ *call, p pr) []any { return anyList(p.versions()) }),
		},
		"PullRequestChangedFile": {
			"path":       scalar(func(f changedFile) any { return f.path }),
			"changeType": scalar(func(f changedFile) any { return f.status }),
			"additions":  scalar(func(f changedFile) any { return f.additions }),
			"deletions":  scalar(func(f changedFile) any { return f.deletions }),
		},
		"PullRequestCommit": {
			"id":     scalar(func(c commitRef) any { return "PRC_" + c.sha }),
			"commit": object("Commit", func(_ *call, c commitRef) any { return c }),
		},
	}
}

func (p *pullState) labels() []any {
	var out []any
	for _, name := range p.Labels {
		out = append(out, map[string]any{"id": "LA_" + p.repo.Name + "_" + name, "name": name, "color": "ededed"})
	}
	return out
}

// decision is what the reviews come to, nil without a deciding one.
func (p *pullState) decision() any {
	last := map[string]string{}
	for _, r := range p.reviews {
		if r.state == "APPROVED" || r.state == "CHANGES_REQUESTED" {
			last[r.author] = r.state
		}
	}
	var out any
	for _, state := range last {
		if state == "CHANGES_REQUESTED" {
			return state
		}
		out = state
	}
	return out
}

func (p *pullState) totalComments() int {
	n := len(p.comments)
	for _, t := range p.visibleThreads() {
		n += len(t.comments)
	}
	return n
}

// listReviews leaves out the pending reviews of others, which only their
// authors see.
func (p *pullState) listReviews(c *call) []any {
	states, author := c.texts("states"), c.text("author")
	var out []any
	for _, r := range p.reviews {
		if r.state == "PENDING" || states != nil && !slices.Contains(states, r.state) || author != "" && r.author != author {
			continue
		}
		out = append(out, r)
	}
	return out
}
