package fakegithub

import (
	"slices"
	"strings"
	"time"
)

// timeline lists the events of the wanted kinds, nil for all, by time.
func (p *pullState) timeline(kinds []string) []any {
	wanted := func(kind string) bool { return kinds == nil || slices.Contains(kinds, kind) }
	type event struct {
		at   time.Time
		node any
	}
	var events []event
	if wanted("REVIEW_DISMISSED_EVENT") {
		for _, d := range p.dismiss {
			events = append(events, event{d.at, d})
		}
	}
	if wanted("HEAD_REF_FORCE_PUSHED_EVENT") {
		for _, f := range p.pushes {
			events = append(events, event{f.at, f})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return a.at.Compare(b.at) })
	out := make([]any, len(events))
	for i, e := range events {
		out[i] = e.node
	}
	return out
}

// version is one text that a description or comment had.
type version struct {
	at   time.Time
	text string
}

// versions are the description's texts, newest first as GitHub lists them; none
// where it was never edited.
func (p *pullState) versions() []version {
	if p.EditedAt.IsZero() {
		return nil
	}
	return []version{{p.EditedAt, p.Body}, {p.CreatedAt, p.FirstBody}}
}

// versions are the comment's texts. One that was edited lacked its last word
// when it was written.
func (c *commentState) versions() []version {
	if !c.edited {
		return nil
	}
	first := c.body[:max(0, strings.LastIndexByte(c.body, ' '))]
	return []version{{editTime(c.at, true), c.body}, {c.at, first}}
}

// reactions is one kind of reaction to a comment.
type reactions struct {
	content string
	at      time.Time
	by      []string
}

// reactionGroups lists all eight kinds, as GitHub does, also those that nobody
// used.
func (c *commentState) reactionGroups() []reactions {
	var out []reactions
	for _, content := range []string{"THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET",
		"EYES"} {
		r := reactions{content: content, at: c.at}
		if content == "THUMBS_UP" {
			r.by = c.liked
		}
		out = append(out, r)
	}
	return out
}

// editTime is when something was last changed.
func editTime(at time.Time, edited bool) time.Time {
	if edited {
		return at.Add(11 * time.Minute)
	}
	return at
}
