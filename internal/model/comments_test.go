package model

import "testing"

// TestReviewCommentsAreJoinedByID gives labels and anchors in another order than
// the comments, and leaves one of each out.
func TestReviewCommentsAreJoinedByID(t *testing.T) {
	line := 7
	c := &Candidate{
		Pull:    &PullRequest{Threads: []Thread{{Comments: []Comment{{ID: 1}, {ID: 2}}}, {Comments: []Comment{{ID: 3}}}}},
		Labels:  &Labels{Comments: []CommentLabel{{CommentID: 3, Substantive: true}, {CommentID: 1}}},
		Anchors: []Anchor{{CommentID: 2}, {CommentID: 3, Line: &line}},
	}
	type row struct {
		id                             int64
		thread                         int
		labeled, substantive, anchored bool
	}
	want := []row{{1, 1, true, false, false}, {2, 1, false, false, true}, {3, 2, true, true, true}}
	i := 0
	for k := range c.ReviewComments() {
		got := row{k.Comment.ID, k.Number, k.Label != nil, k.Substantive(), k.Anchor != nil}
		if i >= len(want) || got != want[i] {
			t.Errorf("comment %d: %+v", i, got)
		}
		if k.Comment.ID == 3 && *k.Anchor.Line != line {
			t.Error("another comment's anchor")
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d comments", i)
	}
	for range (&Candidate{}).ReviewComments() {
		t.Error("a comment of nothing")
	}
}
