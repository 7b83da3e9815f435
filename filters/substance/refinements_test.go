package substance

import (
	"slices"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// TestRefinements checks that each refinement decides on its own comments alone:
// what it says of them, and what the rules say without it.
func TestRefinements(t *testing.T) {
	for _, tc := range []struct {
		refinement, body string
		with, without    verdict.Code
	}{
		{Explanations, "There is no code duplication. The current implementation is shared by both callers of the parser.", verdict.OnlyExplains, ""},
		{Explanations, "I took that part from the `base64` tests above, it prints the string that is failing.", verdict.OnlyExplains, ""},
		{Explanations, "The reason I removed this call is that the cache is filled by the constructor before.", verdict.OnlyExplains, ""},
		{Explanations, "Because my client wants to use this feature before migrating the queues to the new type.", verdict.OnlyExplains, ""},
		{Explanations, "You're right, this method returns the old value when the session is closed in between.", verdict.OnlyExplains, ""},
		{Explanations, "I took this branch in my test. The lock is missing there, so two callers may write at once.", "", ""},
		{Explanations, "I removed this call locally and the tests pass, should we drop it from the handler?", "", ""},
		{Explanations, "It will remove the lock of another worker when the first one takes longer than the timeout.", "", ""},
		{ReasonedPraise, "Nice, this way the lock is only taken when needed, because the check comes first here.", verdict.OnlyPraise, ""},
		{ReasonedPraise, "Nice, this way the lock is only taken when needed, because the check comes first, but the error is lost.", "", ""},
		{Pointers, "Same as above: `close()` is missing here, and the error too.", verdict.NeedsOther, ""},
		{Pointers, "Same as above: `close()` is missing here, so the socket of the second connection leaks until the process ends.", "", ""},
		{Clarifications, "Should we also change the documentation of this option? Or we are good to go.", verdict.BareQuestion, ""},
		{Clarifications, "Are we sure we want to pin on version 3.24 of the driver? Why?", "", verdict.BareQuestion},
		{Clarifications, "nit: these names repeat, extract them into a function named `join` and call it here", "", verdict.StyleOnly},
		{Replacements, "`a.closed` should be `a.Closed()`", "", verdict.TooFewWords},
		{Replacements, "maybe `Object.create(null)` this too?", "", verdict.TooFewWords},
		{Replacements, "is `a.Closed()` right here?", verdict.TooFewWords, verdict.TooFewWords},
	} {
		for _, on := range []bool{true, false} {
			o, want := DefaultOptions(), tc.with
			o.Refinements = AllRefinements()
			if !on {
				o.Refinements = slices.DeleteFunc(o.Refinements, func(name string) bool { return name == tc.refinement })
				want = tc.without
			}
			got := Label(withThreads([]model.Comment{remark(tc.body)}), testRegistry(t), o).Comments[0].Reason
			if got != string(want) {
				t.Errorf("%s %v: %q, want %q: %s", tc.refinement, on, got, want, tc.body)
			}
		}
	}
	if slices.Contains(DefaultOptions().Refinements, Replacements) {
		t.Error("a replacement in prose makes up for words by default: spec section 4 admits only suggestions")
	}
}
