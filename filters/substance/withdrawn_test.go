package substance

import (
	"slices"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// TestWithdrawn checks which threads end with the writer of the comment taking it back.
func TestWithdrawn(t *testing.T) {
	const body = "This reads `items` before the lock is taken, so two callers can get the same one."
	type said struct{ by, text string }
	for name, tc := range map[string]struct {
		replies []said
		want    verdict.Code
	}{
		"nobody answers":              {nil, ""},
		"answered, and accepted":      {[]said{{"author", "The caller holds the lock."}, {"reviewer", "Ah, I see, thanks for clarifying."}}, verdict.Withdrawn},
		"fine after all":              {[]said{{"author", "That made the client hang."}, {"reviewer", "Ok, that's fine then."}}, verdict.Withdrawn},
		"found by the writer himself": {[]said{{"reviewer", "I missed that the caller takes it."}}, verdict.Withdrawn},
		"accepted by somebody else":   {[]said{{"author", "The caller holds the lock."}, {"another", "Makes sense."}}, ""},
		"the author agreed":           {[]said{{"author", "Right, the lock comes too late."}, {"reviewer", "Makes sense."}}, ""},
		"the author changed it":       {[]said{{"author", "Fixed in the last commit."}, {"reviewer", "Got it."}}, ""},
		"the writer goes on":          {[]said{{"author", "The caller holds it."}, {"reviewer", "I see, but the second caller does not."}}, ""},
		"the writer asks on":          {[]said{{"author", "The caller holds it."}, {"reviewer", "I see. Does the second one?"}}, ""},
		"an earlier word":             {[]said{{"author", "The caller holds it."}, {"reviewer", "I see."}, {"reviewer", "The second one does not hold it."}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			thread := []model.Comment{remark(body)}
			for i, r := range tc.replies {
				c := remark(r.text)
				c.ID, c.NodeID, c.ReplyTo, c.Author = int64(8+i), "R", "C7", person(r.by)
				c.CreatedAt = c.CreatedAt.Add(time.Duration(i+1) * time.Minute)
				thread = append(thread, c)
			}
			slices.Reverse(thread) // GitHub's order is no order
			of := func(o Options) verdict.Code {
				for _, l := range Label(withThreads(thread), testRegistry(t), o).Comments {
					if l.CommentID == 7 {
						return verdict.Code(l.Reason)
					}
				}
				t.Fatal("the comment has no label")
				return ""
			}
			if got := of(DefaultOptions()); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
			o := DefaultOptions()
			o.Refinements = slices.DeleteFunc(o.Refinements, func(name string) bool { return name == withdrawn })
			if got := of(o); got != "" {
				t.Errorf("%q without the refinement", got)
			}
		})
	}
}

// TestConfirmed checks that raters only confirm: a comment that a rule rejects stays rejected however many call it a
// finding, and one that too few confirm leaves.
func TestConfirmed(t *testing.T) {
	const finding = "This reads `items` before the lock is taken, so two callers can get the same one."
	for _, tc := range []struct {
		body         string
		raters, need int
		want         verdict.Code
	}{
		{finding, 0, 0, ""},
		{finding, 1, 2, verdict.NotConfirmed},
		{finding, 2, 2, ""},
		{finding, 3, 2, ""},
		{"Looks good, thanks for taking care of the `items` in this function here!", 2, 2, verdict.OnlyPraise},
	} {
		o := DefaultOptions()
		o.ConfirmedBy, o.Confirmed = tc.need, map[int64]int{7: tc.raters}
		l := Label(withThreads([]model.Comment{remark(tc.body)}), testRegistry(t), o).Comments[0]
		if l.Reason != string(tc.want) || l.Substantive != (tc.want == "") {
			t.Errorf("%d of %d raters: %q, want %q: %s", tc.raters, tc.need, l.Reason, tc.want, tc.body)
		}
		if confirmed := tc.want == "" || tc.want == verdict.NotConfirmed; l.ByRules() != confirmed {
			t.Errorf("by the rules alone %v: %s", l.ByRules(), tc.body)
		}
	}
}
