package unidiff

import "testing"

func TestNames_AreReadAgain(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-a\n+b\n"
	for _, c := range []struct{ text, names string }{
		{"diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n" + hunk, "--- a/x.go\n+++ b/x.go\n"},
		{"diff --git a/a b.go b/a b.go\nindex 1..2 100644\n--- a/a b.go\t\n+++ b/a b.go\t\n" + hunk, "--- a/a b.go\t\n+++ b/a b.go\t\n"},
		{"diff --git a/a b/b/c d b/a b/b/e f\nsimilarity index 90%\nrename from a b/b/c d\nrename to a b/b/e f\nindex 1..2 100644\n--- a/a b/b/c d\t\n+++ b/a b/b/e f\t\n" + hunk,
			"--- a/a b/b/c d\t\n+++ b/a b/b/e f\t\n"},
		{"diff --git \"a/\\303\\244\" \"b/\\303\\244\"\nnew file mode 100644\nindex 0..2\n--- /dev/null\n+++ \"b/\\303\\244\"\n@@ -0,0 +1 @@\n+b\n", "--- /dev/null\n+++ \"b/\\303\\244\"\n"},
		{"diff --git a/b/a/x b/b/a/x\ndeleted file mode 100644\nindex 1..0\n--- a/b/a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "--- a/b/a/x\n+++ /dev/null\n"},
	} {
		d, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		f := d.Files[0]
		if f.Names() != c.names {
			t.Errorf("%q", f.Names())
		}
		short := f.Names()
		for _, h := range f.Hunks {
			short += h.String()
		}
		again, err := Parse(WithHeader(short))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if g := again.Files[0]; g.OldPath != f.OldPath || g.NewPath != f.NewPath || len(g.Hunks) != 1 {
			t.Errorf("%q and %q for %q and %q", g.OldPath, g.NewPath, f.OldPath, f.NewPath)
		}
	}
	if text := "diff --git a/x b/x\n"; WithHeader(text) != text {
		t.Error("a whole header is changed")
	}
}
