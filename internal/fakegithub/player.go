package fakegithub

import (
	"fmt"
	"time"
)

// player turns a pull request's talk into reviews, threads and comments.
type player struct {
	pull   *pullState
	diffs  map[pair]*parsedDiff
	step   int // index of the head at this moment
	next   int64
	review *reviewState
	thread *threadState
}

func (p *player) id() int64 {
	p.next++
	return p.next
}

func (p *player) play(e Event, at time.Time) error {
	switch e.Kind {
	case Push:
		p.step++
		if p.pull.Steps[p.step].Force {
			p.pull.pushes = append(p.pull.pushes, &forcePush{
				pull: p.pull, id: p.id(), at: at, before: p.pull.steps[p.step-1], after: p.pull.steps[p.step],
			})
		}
	case ReviewEvent:
		p.review = p.newReview(e.Login, e.State, e.Body, at)
		p.review.minimized = e.Minimized
	case LineComment, FileComment:
		if p.review == nil {
			return fmt.Errorf("there is no review above it")
		}
		return p.start(e, at)
	case Reply:
		if p.thread == nil {
			return fmt.Errorf("there is no thread above it")
		}
		p.reply(e, at)
	case Conversation:
		p.pull.comments = append(p.pull.comments, &issueComment{
			pull: p.pull, id: p.id(), author: e.Login, body: e.Body, at: at, edited: e.Edited, minimized: e.Minimized,
		})
	case Dismiss:
		if p.review == nil {
			return fmt.Errorf("there is no review above it")
		}
		p.review.was, p.review.state = p.review.state, "DISMISSED"
		p.pull.dismiss = append(p.pull.dismiss, &dismissal{review: p.review, id: p.id(), actor: e.Login, at: at,
			body: e.Body})
	}
	return nil
}

func (p *player) newReview(login, state, body string, at time.Time) *reviewState {
	r := &reviewState{pull: p.pull, id: p.id(), author: login, state: state, body: body, at: at,
		commit: p.pull.steps[p.step]}
	p.pull.reviews = append(p.pull.reviews, r)
	return r
}

func (p *player) reply(e Event, at time.Time) {
	first := p.thread.comments[0]
	review := p.newReview(e.Login, "COMMENTED", "", at)
	c := &commentState{
		thread: p.thread, review: review, id: p.id(), author: e.Login, body: e.Body, at: at, edited: e.Edited,
		minimized: e.Minimized, hunk: first.hunk, written: first.written, replyTo: first,
	}
	review.reply = c
	p.thread.comments = append(p.thread.comments, c)
}

// start opens a thread: on the diff as it is now, with its position in the final
// one if it still has any.
func (p *player) start(e Event, at time.Time) error {
	head, fork := p.pull.steps[p.step], p.pull.forks[p.step]
	now := p.diffs[pair{fork, head}]
	t := &threadState{pull: p.pull, id: p.id(), path: e.Path, side: "RIGHT", subject: "LINE", resolvedBy: e.Resolved}
	f := now.file(e.Path)
	if f == nil {
		return fmt.Errorf("the file is not in the diff at step %d", p.step+1)
	}
	c := &commentState{
		thread: t, review: p.review, id: p.id(), author: p.review.author, body: e.Body, at: at, edited: e.Edited,
		minimized: e.Minimized, liked: e.Liked, written: head,
	}
	if e.Kind == FileComment {
		t.subject = "FILE"
		t.outdated = p.final().file(e.Path) == nil
	} else {
		end, err := f.find(e.Side, e.Text, head.files)
		if err != nil {
			return err
		}
		t.side, t.original, c.hunk = end.side, &end.line, end.hunk
		t.line = p.now(end, e.Path, f.oldPath)
		if e.Start != "" {
			start, err := f.find(e.Side, e.Start, head.files)
			if err != nil {
				return fmt.Errorf("its first line: %w", err)
			}
			t.originalStart = &start.line
			t.start = p.now(start, e.Path, f.oldPath)
		}
		t.outdated = t.line == nil
		if t.outdated {
			t.start = nil
		}
	}
	t.comments = []*commentState{c}
	p.thread = t
	p.review.threads = append(p.review.threads, t)
	p.pull.threads = append(p.pull.threads, t)
	return nil
}

func (p *player) final() *parsedDiff {
	return p.diffs[pair{p.pull.fork(), p.pull.head()}]
}

// now is the line's number in the final diff, nil if it is not in it any more.
func (p *player) now(at place, path, oldPath string) *int {
	f := p.final().file(path)
	if f == nil {
		return nil
	}
	var line int
	if at.side == "LEFT" {
		line = p.diffs[pair{p.pull.forks[p.step], p.pull.fork()}].carry(oldPath, at.line)
	} else {
		line = p.diffs[pair{p.pull.steps[p.step], p.pull.head()}].carry(path, at.line)
	}
	if line == 0 || !at.loose && !f.shows(at.side, line) {
		return nil
	}
	return &line
}
