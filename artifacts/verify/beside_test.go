package verify

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// TestBeside: a line is beside the change if the next or the one before is added or deleted, on either side.
func TestBeside(t *testing.T) {
	d, err := parse("diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,5 +1,5 @@\n one\n two\n+new\n three\n four\n-five\n")
	if err != nil {
		t.Fatal(err)
	}
	want := map[spot]bool{
		{"a.py", model.Left, 2}: true, {"a.py", model.Right, 2}: true, // two
		{"a.py", model.Left, 3}: true, {"a.py", model.Right, 4}: true, // three
		{"a.py", model.Left, 4}: true, {"a.py", model.Right, 5}: true, // four
	}
	for line := range 7 {
		for _, side := range []model.Side{model.Left, model.Right} {
			if at := (spot{"a.py", side, line}); d.beside[at] != want[at] {
				t.Errorf("%+v: %v", at, d.beside[at])
			}
		}
	}
}
