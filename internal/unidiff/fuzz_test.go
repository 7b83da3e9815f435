package unidiff

import (
	"testing"
)

// FuzzParse asserts that no text crashes or hangs the parser and that what it
// accepts is consistent: rendering is a fixed point, counts agree with the
// lines, every line lies within its hunk's range.
func FuzzParse(f *testing.F) {
	f.Add(header + "@@ -3,3 +3,3 @@ func f() {\n a\n-b\n+B\n c\n@@ -10 +10,2 @@\n d\n+e\n")
	f.Add("diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\nindex 1..2\n--- a/a\n+++ b/b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\r\n")
	f.Add("diff --git \"a/\\303\\251\" \"b/\\303\\251\"\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ \"b/\\303\\251\"\n@@ -0,0 +1 @@\n+\xff\n")
	f.Add("diff --git a/a b/a\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n")
	f.Add("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(d.String())
		if err != nil {
			t.Fatalf("what was rendered does not parse: %v\n%q", err, d.String())
		}
		if again.String() != d.String() || again.AddedLines != d.AddedLines || again.DeletedLines != d.DeletedLines {
			t.Fatalf("rendering is not a fixed point: %q", d.String())
		}
		PatchID(d)
		for _, file := range d.Files {
			if len(file.Added()) != file.AddedLines || len(file.Deleted()) != file.DeletedLines {
				t.Fatalf("counts differ from lines: %q", text)
			}
			Fits(nil, file)
			for _, h := range file.Hunks {
				checkHunk(t, file, h)
			}
		}
	})
}

func checkHunk(t *testing.T, file *File, h Hunk) {
	t.Helper()
	if whole := h.Slice(0, len(h.Lines)); whole.Header() != h.Header() {
		t.Fatalf("slice of all lines has header %q, the hunk %q", whole.Header(), h.Header())
	}
	for _, l := range h.Lines {
		if l.Old < 0 || l.New < 0 || l.Old >= h.OldStart+h.OldLines+1 || l.New >= h.NewStart+h.NewLines+1 {
			t.Fatalf("line %+v outside its hunk %q", l, h.Header())
		}
		if l.Kind != Context {
			continue
		}
		if n, ok := file.ToNew(l.Old); !ok || n != l.New {
			t.Fatalf("context line %+v is carried to %d, %v", l, n, ok)
		}
	}
}
