package fakegithub

import (
	"fmt"
	"math"
	"strconv"
)

// shortID is an id as GraphQL's Int can hold it, nil if it cannot: that is what
// fullDatabaseId is for.
func shortID(id int64) any {
	if id > math.MaxInt32 {
		return nil
	}
	return id
}

// reviewTypes are reviews, threads and comments.
func reviewTypes() map[string]fields {
	return map[string]fields{
		"PullRequestReview":        reviewFields(),
		"PullRequestReviewThread":  threadFields(),
		"PullRequestReviewComment": commentFields(),
		"IssueComment":             issueCommentFields(),
		"PullRequestTimelineItems": {},
		"HeadRefForcePushedEvent": {
			"id":           scalar(func(f *forcePush) any { return nodeID(f) }),
			"createdAt":    scalar(func(f *forcePush) any { return stamp(f.at) }),
			"actor":        object("Actor", func(c *call, f *forcePush) any { return c.query.site.actor(f.pull.Author) }),
			"beforeCommit": object("Commit", func(_ *call, f *forcePush) any { return f.commit(f.before) }),
			"afterCommit":  object("Commit", func(_ *call, f *forcePush) any { return f.commit(f.after) }),
		},
		"RenamedTitleEvent": { // nobody renames anything in these worlds
			"id": fixed(nil), "createdAt": fixed(nil), "previousTitle": fixed(""), "currentTitle": fixed(""),
		},
		"UserContentEdit": {
			"editedAt":  scalar(func(v version) any { return stamp(v.at) }),
			"createdAt": scalar(func(v version) any { return stamp(v.at) }),
			"diff":      scalar(func(v version) any { return v.text }), "deletedAt": fixed(nil),
		},
		"ReactionGroup": {
			"content": scalar(func(r reactions) any { return r.content }),
			"createdAt": scalar(func(r reactions) any {
				if len(r.by) == 0 {
					return nil
				}
				return stamp(r.at)
			}),
			"reactors": connection("Reactor", func(c *call, r reactions) []any {
				out := make([]any, len(r.by))
				for i, login := range r.by {
					out[i] = c.query.site.actor(login)
				}
				return out
			}),
		},
		"ReviewDismissedEvent": {
			"id":                  scalar(func(d *dismissal) any { return nodeID(d) }),
			"createdAt":           scalar(func(d *dismissal) any { return stamp(d.at) }),
			"previousReviewState": scalar(func(d *dismissal) any { return d.review.was }),
			"dismissalMessage":    scalar(func(d *dismissal) any { return orNil(d.body) }),
			"actor":               object("Actor", func(c *call, d *dismissal) any { return c.query.site.actor(d.actor) }),
			"review":              object("PullRequestReview", func(_ *call, d *dismissal) any { return d.review }),
		},
	}
}

func reviewFields() fields {
	type rv = *reviewState
	return fields{
		"id": scalar(func(r rv) any { return nodeID(r) }), "databaseId": scalar(func(r rv) any { return shortID(r.id) }),
		"fullDatabaseId": scalar(func(r rv) any { return strconv.FormatInt(r.id, 10) }),
		"state":          scalar(func(r rv) any { return r.state }), "body": scalar(func(r rv) any { return r.body }),
		"bodyText": scalar(func(r rv) any { return r.body }), "createdAt": scalar(func(r rv) any { return stamp(r.at) }),
		"submittedAt": scalar(func(r rv) any { return stamp(r.at) }),
		"publishedAt": scalar(func(r rv) any { return stamp(r.at) }),
		"updatedAt":   scalar(func(r rv) any { return stamp(r.at) }), "lastEditedAt": fixed(nil),
		"isMinimized":       scalar(func(r rv) any { return r.minimized != "" }),
		"minimizedReason":   scalar(func(r rv) any { return orNil(r.minimized) }),
		"author":            object("Actor", func(c *call, r rv) any { return c.query.site.actor(r.author) }),
		"authorAssociation": scalar(func(r rv) any { return r.pull.repo.association(r.author) }),
		"commit":            object("Commit", func(_ *call, r rv) any { return commitRef{r.pull.repo, r.commit} }),
		"url":               scalar(func(r rv) any { return fmt.Sprintf("%s#pullrequestreview-%d", r.pull.url(), r.id) }),
		"pullRequest":       object("PullRequest", func(_ *call, r rv) any { return r.pull }),
		"comments": connection("PullRequestReviewComment", func(_ *call, r rv) []any {
			var out []any
			for _, t := range r.threads {
				out = append(out, t.comments[0])
			}
			if r.reply != nil {
				out = append(out, r.reply)
			}
			return out
		}),
	}
}

func threadFields() fields {
	type th = *threadState
	return fields{
		"id": scalar(func(t th) any { return nodeID(t) }), "path": scalar(func(t th) any { return t.path }),
		"line": scalar(func(t th) any { return t.line }), "startLine": scalar(func(t th) any { return t.start }),
		"originalLine":      scalar(func(t th) any { return t.original }),
		"originalStartLine": scalar(func(t th) any { return t.originalStart }),
		"diffSide":          scalar(func(t th) any { return t.side }),
		"startDiffSide": scalar(func(t th) any {
			if t.originalStart == nil {
				return nil
			}
			return t.side
		}),
		"subjectType": scalar(func(t th) any { return t.subject }),
		"isResolved":  scalar(func(t th) any { return t.resolvedBy != "" }),
		"isCollapsed": scalar(func(t th) any { return t.resolvedBy != "" }),
		"isOutdated":  scalar(func(t th) any { return t.outdated }),
		"resolvedBy":  object("User", func(c *call, t th) any { return c.query.site.actor(t.resolvedBy) }),
		"pullRequest": object("PullRequest", func(_ *call, t th) any { return t.pull }),
		"repository":  object("Repository", func(_ *call, t th) any { return t.pull.repo }),
		"comments":    connection("PullRequestReviewComment", func(_ *call, t th) []any { return anyList(t.comments) }),
	}
}

func commentFields() fields {
	type cm = *commentState
	return fields{
		"id": scalar(func(c cm) any { return nodeID(c) }), "databaseId": scalar(func(c cm) any { return shortID(c.id) }),
		"fullDatabaseId": scalar(func(c cm) any { return strconv.FormatInt(c.id, 10) }),
		"body":           scalar(func(c cm) any { return c.body }), "bodyText": scalar(func(c cm) any { return c.body }),
		"path": scalar(func(c cm) any { return c.thread.path }), "diffHunk": scalar(func(c cm) any { return c.hunk }),
		"line":              scalar(func(c cm) any { return c.thread.line }),
		"startLine":         scalar(func(c cm) any { return c.thread.start }),
		"originalLine":      scalar(func(c cm) any { return c.thread.original }),
		"originalStartLine": scalar(func(c cm) any { return c.thread.originalStart }),
		"outdated":          scalar(func(c cm) any { return c.thread.outdated }),
		"subjectType":       scalar(func(c cm) any { return c.thread.subject }),
		"createdAt":         scalar(func(c cm) any { return stamp(c.at) }),
		"publishedAt":       scalar(func(c cm) any { return stamp(c.at) }),
		"updatedAt":         scalar(func(c cm) any { return stamp(editTime(c.at, c.edited)) }),
		"lastEditedAt": scalar(func(c cm) any {
			if !c.edited {
				return nil
			}
			return stamp(editTime(c.at, true))
		}),
		"state": scalar(func(c cm) any {
			if c.review.state == "PENDING" {
				return "PENDING"
			}
			return "SUBMITTED"
		}),
		"isMinimized":       scalar(func(c cm) any { return c.minimized != "" }),
		"minimizedReason":   scalar(func(c cm) any { return orNil(c.minimized) }),
		"author":            object("Actor", func(k *call, c cm) any { return k.query.site.actor(c.author) }),
		"authorAssociation": scalar(func(c cm) any { return c.thread.pull.repo.association(c.author) }),
		"url":               scalar(func(c cm) any { return fmt.Sprintf("%s#discussion_r%d", c.thread.pull.url(), c.id) }),
		"commit": object("Commit", func(_ *call, c cm) any {
			if c.thread.outdated {
				return commitRef{c.thread.pull.repo, c.written}
			}
			return commitRef{c.thread.pull.repo, c.thread.pull.head()}
		}),
		"originalCommit":    object("Commit", func(_ *call, c cm) any { return commitRef{c.thread.pull.repo, c.written} }),
		"replyTo":           object("PullRequestReviewComment", func(_ *call, c cm) any { return c.replyTo }),
		"pullRequestReview": object("PullRequestReview", func(_ *call, c cm) any { return c.review }),
		"userContentEdits":  connection("UserContentEdit", func(_ *call, c cm) []any { return anyList(c.versions()) }),
		"reactionGroups": {typ: "ReactionGroup", list: true,
			get: func(c *call) (any, error) { return anyList(c.obj.(cm).reactionGroups()), nil }},
		"pullRequest": object("PullRequest", func(_ *call, c cm) any { return c.thread.pull }),
	}
}

func issueCommentFields() fields {
	type ic = *issueComment
	return fields{
		"id": scalar(func(c ic) any { return nodeID(c) }), "databaseId": scalar(func(c ic) any { return shortID(c.id) }),
		"fullDatabaseId": scalar(func(c ic) any { return strconv.FormatInt(c.id, 10) }),
		"body":           scalar(func(c ic) any { return c.body }), "bodyText": scalar(func(c ic) any { return c.body }),
		"createdAt":         scalar(func(c ic) any { return stamp(c.at) }),
		"updatedAt":         scalar(func(c ic) any { return stamp(editTime(c.at, c.edited)) }),
		"isMinimized":       scalar(func(c ic) any { return c.minimized != "" }),
		"minimizedReason":   scalar(func(c ic) any { return orNil(c.minimized) }),
		"author":            object("Actor", func(k *call, c ic) any { return k.query.site.actor(c.author) }),
		"authorAssociation": scalar(func(c ic) any { return c.pull.repo.association(c.author) }),
		"url":               scalar(func(c ic) any { return fmt.Sprintf("%s#issuecomment-%d", c.pull.url(), c.id) }),
		"lastEditedAt": scalar(func(c ic) any {
			if !c.edited {
				return nil
			}
			return stamp(editTime(c.at, true))
		}),
	}
}
