package verify

import "testing"

// TestHunk_PartIsPartOfDiff: contexts cut runs of added lines and close
// them with the line of context that follows, so that git applies them.
func TestHunk_PartIsPartOfDiff(t *testing.T) {
	const head = "diff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n"
	whole, err := parse(head + "@@ -1,2 +1,5 @@\n one\n+a\n+b\n+c\n two\n")
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]bool{
		"@@ -1,2 +1,3 @@\n one\n+a\n two\n":   true,
		"@@ -1,2 +1,3 @@\n one\n+a\n three\n": false, // another line
		"@@ -2,2 +2,3 @@\n one\n+a\n two\n":   false, // elsewhere
		"@@ -1,2 +1,3 @@\n one\n+b\n two\n":   false, // not at this line
	} {
		got, err := parse(head + part)
		if err != nil {
			t.Fatal(err)
		}
		if is := got.in(whole, "f.py"); is != want {
			t.Errorf("%q: %t, want %t", part, is, want)
		}
	}
}
