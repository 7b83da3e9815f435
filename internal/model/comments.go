package model

import "iter"

// ReviewComment is one review comment with everything that was said of it.
type ReviewComment struct {
	Thread  *Thread
	Number  int // of the thread, from 1
	Comment *Comment
	Label   *CommentLabel // nil where the comment was not labeled
	Anchor  *Anchor       // nil where none was sought
	State   *CommentState // nil where nothing was compared
}

// Substantive reports whether the comment is ground truth.
func (c ReviewComment) Substantive() bool { return c.Label != nil && c.Label.Substantive }

// ReviewComments are the comments of all review threads, in their order, joined
// with labels, anchors and states by id: a difference of order cannot mislabel anything.
func (c *Candidate) ReviewComments() iter.Seq[ReviewComment] {
	return func(yield func(ReviewComment) bool) {
		if c.Pull == nil {
			return
		}
		labels := map[int64]*CommentLabel{}
		if c.Labels != nil {
			for i := range c.Labels.Comments {
				labels[c.Labels.Comments[i].CommentID] = &c.Labels.Comments[i]
			}
		}
		anchors := map[int64]*Anchor{}
		for i := range c.Anchors {
			anchors[c.Anchors[i].CommentID] = &c.Anchors[i]
		}
		states := map[int64]*CommentState{}
		for i := range c.States {
			states[c.States[i].CommentID] = &c.States[i]
		}
		for t := range c.Pull.Threads {
			thread := &c.Pull.Threads[t]
			for i := range thread.Comments {
				comment := &thread.Comments[i]
				if !yield(ReviewComment{thread, t + 1, comment, labels[comment.ID], anchors[comment.ID], states[comment.ID]}) {
					return
				}
			}
		}
	}
}
