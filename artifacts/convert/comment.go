package convert

import (
	"fmt"
	"strconv"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
)

// seenComment is one review comment with its id in the annotation.
type seenComment struct {
	model.ReviewComment
	id string // c_N for ground truth, else ""
}

// comments are the review comments of a labeled candidate; the ground truth is
// numbered.
func comments(s Source) ([]seenComment, error) {
	c := s.Candidate
	if c.Pull == nil || c.Labels == nil {
		return nil, fmt.Errorf("%s: not labeled: %w", s.TaskID, ErrIncomplete)
	}
	var out []seenComment
	truths := 0
	for joined := range c.ReviewComments() {
		if joined.Label == nil {
			return nil, fmt.Errorf("%s: comment %d has no label: %w", c.Pull.Ref, joined.Comment.ID, ErrIncomplete)
		}
		k := seenComment{ReviewComment: joined}
		if k.Substantive() {
			truths++
			k.id = "c_" + strconv.Itoa(truths)
		}
		out = append(out, k)
	}
	return out, nil
}

// human reports whether the comment belongs to human_review_comments. A deleted account does not count: it may have
// been a bot.
func (k seenComment) human() bool {
	person := k.Label.Class == model.ClassHuman || k.Label.Class == model.ClassAuthor
	return person && k.Label.AIBecause == "" && !k.Comment.IsMinimized && !k.pending()
}

func (k seenComment) pending() bool { return k.Comment.State == string(model.Pending) }

// position is the comment's position in the final diff; without an anchor, GitHub's.
func (k seenComment) position() (path string, line, startLine *int) {
	if k.Anchor == nil {
		return k.Thread.Path, k.Thread.Line, k.Thread.StartLine
	}
	path = k.Anchor.Path
	if path == "" {
		path = k.Thread.Path
	}
	return text.Valid(path), k.Anchor.Line, k.Anchor.StartLine
}

func (k seenComment) review() artifacts.ReviewComment {
	path, line, _ := k.position()
	r := artifacts.ReviewComment{
		Author: k.Comment.Author.Login, Body: k.Comment.Body, Path: path, Line: line,
		DiffHunk: k.Comment.DiffHunk,
	}
	if k.Comment.ReplyTo != "" {
		r.ReplyTo = &artifacts.ReplyRef{ID: k.Comment.ReplyTo}
	}
	return r
}

func (k seenComment) annotation() artifacts.AnnotationComment {
	path, line, _ := k.position()
	resolved := k.Thread.IsResolved
	return artifacts.AnnotationComment{
		CommentID: k.id, Body: k.Comment.Body, File: path, Line: line, DiffHunk: k.Comment.DiffHunk,
		Severity: k.Label.Severity, IsBlocking: k.Label.IsBlocking, Reviewer: k.Comment.Author.Login,
		IsInitiatingComment: true, RequiresChange: k.Label.RequiresChange,
		IsInDiff: k.Anchor != nil && k.Anchor.InDiff, ThreadResolved: &resolved,
	}
}

func (k seenComment) evidence() artifacts.EvidenceComment {
	path, line, start := k.position()
	c, l := k.Comment, k.Label
	e := artifacts.EvidenceComment{
		CommentID: orNull(k.id), DatabaseID: c.ID, NodeID: c.NodeID, URL: c.URL,
		Author: c.Author.Login, AuthorType: c.Author.Type, Class: l.Class, BotBecause: orNull(l.BotBecause),
		CreatedAt: stamp(c.CreatedAt), Thread: k.Number, ReplyTo: orNull(c.ReplyTo),
		Path: path, Side: k.Thread.Side, Line: line, StartLine: start,
		OriginalPath: k.Thread.Path, OriginalLine: k.Thread.OriginalLine, OriginalCommit: orNull(c.OriginalOid),
		Subject: k.Thread.Subject, Anchor: model.AnchorNone,
		Outdated: k.Thread.IsOutdated, Resolved: k.Thread.IsResolved,
		Minimized: c.IsMinimized, MinimizedReason: c.MinimizedReason, Pending: k.pending(),
		GroundTruth: l.Substantive, Reason: orNull(l.Reason), AIRule: orNull(l.AIBecause), Rules: l.Rules,
		Severity: l.Severity, IsBlocking: l.IsBlocking, RequiresChange: l.RequiresChange,
		Body: c.Body, DiffHunk: c.DiffHunk,
	}
	if e.Rules == nil {
		e.Rules = []model.Rule{}
	}
	if c.LastEditedAt != nil {
		edited := stamp(*c.LastEditedAt)
		e.EditedAt = &edited
	}
	if a := k.Anchor; a != nil {
		e.Anchor, e.AnchorNote, e.IsInDiff, e.SubstituteLine = a.Method, a.Note, a.InDiff, a.Substitute
		if a.OriginalLine != nil {
			e.OriginalLine = a.OriginalLine
		}
	}
	if s := k.State; s != nil {
		addressed, standing := s.State.Addressed(), s.State.Standing()
		e.CodeState, e.Distance, e.StateMethod, e.Validation = &s.State, s.Distance, &s.Method, &s.Valid
		e.Addressed, e.AddressedBeforeMerge, e.Standing = &addressed, &addressed, &standing
		if s.Elsewhere != nil {
			elsewhere := *s.Elsewhere != ""
			e.AddressedElsewhere, e.ElsewhereNamed = &elsewhere, orNull(*s.Elsewhere)
		}
	}
	return e
}
