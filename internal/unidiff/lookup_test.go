package unidiff

import (
	"slices"
	"testing"
)

// typeChange is a file that becomes a symbolic link, a rename whose old name a
// new file takes, and a copy.
const typeChange = "diff --git a/link b/link\ndeleted file mode 100644\nindex 1..0\n--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n" +
	"diff --git a/link b/link\nnew file mode 120000\nindex 0..2\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n" +
	"diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n" +
	"diff --git a/a b/a\nnew file mode 100644\nindex 0..3\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n" +
	"diff --git a/s b/c\nsimilarity index 100%\ncopy from s\ncopy to c\n"

func TestLookup(t *testing.T) {
	d, err := Parse(typeChange)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Paths(); !slices.Equal(got, []string{"a", "b", "c", "link"}) {
		t.Errorf("paths %v", got)
	}
	tests := []struct {
		path          string
		old, new, any int // index of the file, -1 for none
	}{
		{"link", 0, 1, 1}, {"a", 2, 3, 3}, {"b", -1, 2, 2}, {"c", -1, 4, 4}, {"s", -1, -1, -1}, {"", -1, -1, -1},
	}
	at := func(f *File) int { return slices.Index(d.Files, f) }
	for _, tt := range tests {
		if at(d.Old(tt.path)) != tt.old || at(d.New(tt.path)) != tt.new || at(d.Lookup(tt.path)) != tt.any {
			t.Errorf("%q: old %d, new %d, lookup %d; want %+v", tt.path, at(d.Old(tt.path)), at(d.New(tt.path)), at(d.Lookup(tt.path)), tt)
		}
	}
}

func TestApplyConflicts(t *testing.T) {
	d, err := Parse(header + "@@ -2,2 +2,2 @@\n a\n-b\n+c\n")
	if err != nil {
		t.Fatal(err)
	}
	for base, fits := range map[string]bool{
		"x\na\nb\n": true, "x\na\nb\nrest": true, "x\na\nB\n": false, "x\na\n": false, "": false, "x\na\nb": false, "x\r\na\r\nb\r\n": false,
	} {
		if got := Fits([]byte(base), d.Files[0]); got != fits {
			t.Errorf("%q: fits %v, want %v", base, got, fits)
		}
	}
	d.Files[0].IsBinary = true
	if Fits([]byte("x\na\nb\n"), d.Files[0]) {
		t.Error("a binary file was applied")
	}
}
