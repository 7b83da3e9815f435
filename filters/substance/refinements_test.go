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
		{explanations, "There is no code duplication. The current implementation is shared by both callers of the parser.", verdict.OnlyExplains, ""},
		{explanations, "I took that part from the `base64` tests above, it prints the string that is failing.", verdict.OnlyExplains, ""},
		{explanations, "The reason I removed this call is that the cache is filled by the constructor before.", verdict.OnlyExplains, ""},
		{explanations, "Because my client wants to use this feature before migrating the queues to the new type.", verdict.OnlyExplains, ""},
		{explanations, "You're right, this method returns the old value when the session is closed in between.", verdict.OnlyExplains, ""},
		{explanations, "I took this branch in my test. The lock is missing there, so two callers may write at once.", "", ""},
		{explanations, "I removed this call locally and the tests pass, should we drop it from the handler?", "", ""},
		{explanations, "It will remove the lock of another worker when the first one takes longer than the timeout.", "", ""},
		{reasonedPraise, "Nice, this way the lock is only taken when needed, because the check comes first here.", verdict.OnlyPraise, ""},
		{reasonedPraise, "Nice, this way the lock is only taken when needed, because the check comes first, but the error is lost.", "", ""},
		{pointers, "Same as above: `close()` is missing here, and the error too.", verdict.NeedsOther, ""},
		{pointers, "Same as above: `close()` is missing here, so the socket of the second connection leaks until the process ends.", "", ""},
		{clarifications, "Should we also change the documentation of this option? Or we are good to go.", verdict.BareQuestion, ""},
		{clarifications, "Are we sure we want to pin on version 3.24 of the driver? Why?", "", verdict.BareQuestion},
		{clarifications, "nit: these names repeat, extract them into a function named `join` and call it here", "", verdict.StyleOnly},
		{clarifications, "does this do double building, it first calls `build` and then `compile` again builds", "", verdict.BareQuestion},
		{clarifications, "We tend to keep this version fixed, does it work locally on your machine?", "", verdict.BareQuestion},
		{clarifications, "Could you clarify in the docstring what the returned value of `run` means here?", "", verdict.BareQuestion},
		{clarifications, "Could you clarify what the returned value of `run` means for the caller here?", verdict.BareQuestion, verdict.BareQuestion},
		{documentation, "Could you please add a docstring to this function that says what the caller must hold?", verdict.BesideBehavior, ""},
		{documentation, "Please add javadocs, here and elsewhere, that explain the parameters of the method.", verdict.BesideBehavior, ""},
		{documentation, "The docs say that `run` returns null here, but this throws. Please fix the code.", "", ""},
		{documentation, "This leaks the handle when the caller throws, please close it. Add a comment, too.", "", ""},
		{documentation, "Let's add a test for the empty list here and document it in the changelog.", "", ""},
		{names, "I think this variable could use a better name, how about `remaining` instead of `x`?", verdict.BesideBehavior, ""},
		{names, "This flag should be renamed, a user reads it as the opposite of what the name says.", "", ""},
		{names, "This should be named `filesToModules`. Should we also use a set, since order is of no use?", "", ""},
		{forms, "This could be simplified to a one-liner with a list comprehension, which is easier to read.", verdict.BesideBehavior, ""},
		{forms, "This could be simplified to a comprehension, which allocates the list once and is faster.", "", ""},
		{forms, "We can simplify this. Should the lock not be taken before the first read of the map?", "", ""},
		{names, "This name is too short. The loop reads it as an index of the record, and as its length.", verdict.BesideBehavior, ""},
		{names, "This name is too short. Could the loop also close `b`?", "", ""},
		{forms, "Could we move this into another method? The branch has grown, and that is easier to read.", verdict.BesideBehavior, ""},
		{forms, "This is hard to read, could we split it into two functions that share the lock?", verdict.BesideBehavior, ""},
		{forms, "Could we move this into another method, which both of the handlers can call then?", "", ""},
		{asides, "Personally, I like it more when the loop comes first and the check of the index after it.", verdict.BesideBehavior, ""},
		{asides, "Unrelated to this PR, but I think the loop below never ends for an empty list.", verdict.BesideBehavior, ""},
		{asides, "This loop looks unrelated to this PR, could you move the change to another one?", "", ""},
		{replacements, "`a.closed` should be `a.Closed()`", "", verdict.TooFewWords},
		{replacements, "maybe `Object.create(null)` this too?", "", verdict.TooFewWords},
		{replacements, "is `a.Closed()` right here?", verdict.TooFewWords, verdict.TooFewWords},
	} {
		for _, on := range []bool{true, false} {
			o, want := DefaultOptions(), tc.with
			o.Refinements = slices.DeleteFunc(AllRefinements(), func(name string) bool {
				return slices.Contains([]string{documentation, names, forms, asides}, name) && name != tc.refinement
			})
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
	if slices.Contains(DefaultOptions().Refinements, replacements) {
		t.Error("a replacement in prose makes up for words by default: spec section 4 admits only suggestions")
	}
}

// TestDocumentationBelowTheComment checks what the commented lines make of one remark: on text for people it is about
// documentation, unless it names what goes wrong.
func TestDocumentationBelowTheComment(t *testing.T) {
	const remark1 = "I would put more weight on the second half of `run`, the first one is known to everybody by now."
	const remark2 = "I would put more weight on the second half of `run`, the first one makes it crash for me."
	for _, tc := range []struct {
		path, hunk, body string
		want             verdict.Code
	}{
		{"docs/guide.md", "@@ -1 +1 @@\n+Call it twice.", remark1, verdict.BesideBehavior},
		{"docs/guide.md", "@@ -1 +1 @@\n+Call it twice.", remark2, ""},
		{"src/run.go", "@@ -1 +1 @@\n+func run() {}", remark1, ""},
		{"src/run.go", "@@ -1 +1 @@\n+// run runs", remark1, ""},
		{"src/run.go", "@@ -1 +1 @@\n+// run runs", "I would say what it returns, and give more detail on when it does so.", verdict.BesideBehavior},
		{"src/run.py", "@@ -1,2 +1,2 @@\n+    \"\"\"Runs.\n+    Twice.", "I would say what it returns, and give more detail on when it does so.", verdict.BesideBehavior},
		{"src/run.go", "@@ -1 +1 @@\n+func run() {}", "I would use `walk`.\n```suggestion\nfunc walk() {}\n```", verdict.BesideBehavior},
		{"src/run.go", "@@ -1 +1 @@\n+func run() {}", "This fails for nil.\n```suggestion\nfunc walk() {}\n```", ""},
	} {
		c := remark(tc.body)
		c.DiffHunk = tc.hunk
		pull := withThreads([]model.Comment{c})
		pull.Threads[0].Path = tc.path
		if got := Label(pull, testRegistry(t), DefaultOptions()).Comments[0].Reason; got != string(tc.want) {
			t.Errorf("%s %q: %q, want %q: %s", tc.path, tc.hunk, got, tc.want, tc.body)
		}
	}
}
