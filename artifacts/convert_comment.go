package artifacts

import (
	"fmt"
	"strconv"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
)

// seenComment is one review comment with everything the pipeline said of it.
type seenComment struct {
	thread  *model.Thread
	number  int // of the thread, from 1
	comment *model.Comment
	label   model.CommentLabel
	anchor  *model.Anchor // nil when none was sought
	id      string        // c_N for ground truth, else ""
}

// comments joins threads, labels and anchors. Labels and anchors are matched by
// comment id, so that a difference of order cannot mislabel anything.
func comments(s Source) ([]seenComment, error) {
	c := s.Candidate
	if c.Pull == nil || c.Labels == nil {
		return nil, fmt.Errorf("%s: not labelled: %w", s.TaskID, ErrIncomplete)
	}
	labels := make(map[int64]model.CommentLabel, len(c.Labels.Comments))
	for _, l := range c.Labels.Comments {
		labels[l.CommentID] = l
	}
	anchors := make(map[int64]*model.Anchor, len(c.Anchors))
	for i := range c.Anchors {
		anchors[c.Anchors[i].CommentID] = &c.Anchors[i]
	}
	var out []seenComment
	truths := 0
	for t := range c.Pull.Threads {
		thread := &c.Pull.Threads[t]
		for i := range thread.Comments {
			k := seenComment{thread: thread, number: t + 1, comment: &thread.Comments[i]}
			var ok bool
			if k.label, ok = labels[k.comment.ID]; !ok {
				return nil, fmt.Errorf("%s: comment %d has no label: %w", c.Pull.Ref, k.comment.ID, ErrIncomplete)
			}
			k.anchor = anchors[k.comment.ID]
			if k.label.Substantive {
				truths++
				k.id = "c_" + strconv.Itoa(truths)
			}
			out = append(out, k)
		}
	}
	return out, nil
}

// human reports whether the comment belongs to human_review_comments. A deleted
// account is left out: nobody can say that it was no bot.
func (k seenComment) human() bool {
	person := k.label.Class == model.ClassHuman || k.label.Class == model.ClassAuthor
	return person && k.label.AIBecause == "" && !k.comment.IsMinimized && !k.pending()
}

func (k seenComment) pending() bool { return k.comment.State == string(model.Pending) }

// place is where the comment stands in the final diff; without an anchor, where
// GitHub says.
func (k seenComment) place() (path string, line, startLine *int) {
	if k.anchor == nil {
		return text.Valid(k.thread.Path), k.thread.Line, k.thread.StartLine
	}
	path = k.anchor.Path
	if path == "" {
		path = k.thread.Path
	}
	return text.Valid(path), k.anchor.Line, k.anchor.StartLine
}

func (k seenComment) review() ReviewComment {
	path, line, _ := k.place()
	r := ReviewComment{
		Author: text.Valid(k.comment.Author.Login), Body: text.Valid(k.comment.Body), Path: path, Line: line,
		DiffHunk: text.Valid(k.comment.DiffHunk),
	}
	if k.comment.ReplyTo != "" {
		r.ReplyTo = &ReplyRef{ID: k.comment.ReplyTo}
	}
	return r
}

func (k seenComment) annotation() AnnotationComment {
	path, line, _ := k.place()
	resolved := k.thread.IsResolved
	return AnnotationComment{
		CommentID: k.id, Body: text.Valid(k.comment.Body), File: path, Line: line, DiffHunk: text.Valid(k.comment.DiffHunk),
		Severity: k.label.Severity, IsBlocking: k.label.IsBlocking, Reviewer: text.Valid(k.comment.Author.Login),
		IsInitiatingComment: true, RequiresChange: k.label.RequiresChange,
		IsInDiff: k.anchor != nil && k.anchor.InDiff, ThreadResolved: &resolved,
	}
}

func (k seenComment) evidence() EvidenceComment {
	path, line, start := k.place()
	c, l := k.comment, k.label
	e := EvidenceComment{
		CommentID: orNull(k.id), DatabaseID: c.ID, NodeID: c.NodeID, URL: c.URL,
		Author: text.Valid(c.Author.Login), AuthorType: c.Author.Type, Class: l.Class, BotBecause: orNull(l.BotBecause),
		CreatedAt: stamp(c.CreatedAt), Thread: k.number, ReplyTo: orNull(c.ReplyTo),
		Path: path, Side: k.thread.Side, Line: line, StartLine: start,
		OriginalPath: text.Valid(k.thread.Path), OriginalLine: k.thread.OriginalLine, OriginalCommit: orNull(c.OriginalOid),
		Subject: k.thread.Subject, Anchor: model.AnchorNone,
		Outdated: k.thread.IsOutdated, Resolved: k.thread.IsResolved,
		Minimised: c.IsMinimized, MinimisedReason: c.MinimizedReason, Pending: k.pending(),
		GroundTruth: l.Substantive, Reason: orNull(l.Reason), AIRule: orNull(l.AIBecause), Rules: l.Rules,
		Severity: l.Severity, IsBlocking: l.IsBlocking, RequiresChange: l.RequiresChange,
		Body: text.Valid(c.Body), DiffHunk: text.Valid(c.DiffHunk),
	}
	if e.Rules == nil {
		e.Rules = []model.Rule{}
	}
	if c.LastEditedAt != nil {
		edited := stamp(*c.LastEditedAt)
		e.EditedAt = &edited
	}
	if a := k.anchor; a != nil {
		addressed := a.Addressed
		e.Anchor, e.AnchorNote, e.IsInDiff, e.Addressed = a.Method, a.Note, a.InDiff, &addressed
		if a.OriginalLine != nil {
			e.OriginalLine = a.OriginalLine
		}
	}
	return e
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	s = text.Valid(s)
	return &s
}
