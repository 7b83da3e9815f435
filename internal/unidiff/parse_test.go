package unidiff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const header = "diff --git a/x.go b/x.go\nindex 1111111..2222222 100644\n--- a/x.go\n+++ b/x.go\n"

func TestParseNumbersBothSides(t *testing.T) {
	d, err := Parse(header + "@@ -3,3 +3,3 @@ func f() {\n a\n-b\n+B\n c\n@@ -10 +10,2 @@\n d\n+e\n")
	if err != nil {
		t.Fatal(err)
	}
	f := d.Files[0]
	want := []Hunk{
		{OldStart: 3, OldLines: 3, NewStart: 3, NewLines: 3, Section: "func f() {", Lines: []Line{
			{Kind: Context, Text: "a", Old: 3, New: 3}, {Kind: Deleted, Text: "b", Old: 4}, {Kind: Added, Text: "B", New: 4}, {Kind: Context, Text: "c", Old: 5, New: 5}}},
		{OldStart: 10, OldLines: 1, NewStart: 10, NewLines: 2, Lines: []Line{
			{Kind: Context, Text: "d", Old: 10, New: 10}, {Kind: Added, Text: "e", New: 11}}},
	}
	if diff := cmp.Diff(want, f.Hunks); diff != "" {
		t.Error(diff)
	}
	if f.Header != header || f.OldMode != 0o100644 || f.NewMode != 0o100644 || f.OldOid != "1111111" || f.NewOid != "2222222" {
		t.Errorf("header: %+v", f)
	}
	if d.AddedLines != 2 || d.DeletedLines != 1 || f.AddedLines != 2 || f.DeletedLines != 1 {
		t.Errorf("counts: %d %d", d.AddedLines, d.DeletedLines)
	}
}

func TestParseKinds(t *testing.T) {
	tests := map[string]struct {
		text     string
		old, new string
		check    func(*File) bool
	}{
		"rename": {"diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n", "a", "b", func(f *File) bool { return f.IsRename && len(f.Hunks) == 0 }},
		"copy":   {"diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n", "a", "b", func(f *File) bool { return f.IsCopy }},
		"mode":   {"diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", "a", "a", func(f *File) bool { return f.OldMode == 0o100644 && f.NewMode == 0o100755 }},
		"empty":  {"diff --git a/a b c b/a b c\nnew file mode 100644\nindex 0000000..e69de29\n", "", "a b c", func(f *File) bool { return f.NewMode == 0o100644 && f.OldMode == 0 }},
		"delete": {"diff --git a/a b/a\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "a", "", func(f *File) bool { return f.DeletedLines == 1 }},
		"binary": {"diff --git a/a b/a\nindex 1111111..2222222 100644\nBinary files a/a and b/a differ\n", "a", "a", func(f *File) bool { return f.IsBinary }},
		"submodule": {"diff --git a/s b/s\nindex 1111111..2222222 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1111111\n+Subproject commit 2222222\n", "s", "s",
			func(f *File) bool { return f.NewMode == 0o160000 }},
		"quoted":     {"diff --git \"a/\\303\\251\\t\\\".go\" \"b/\\303\\251\\t\\\".go\"\nold mode 100644\nnew mode 100755\n", "é\t\".go", "é\t\".go", func(f *File) bool { return true }},
		"spaces":     {"diff --git a/a b b/a b\nindex 1..2 100644\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n", "a b", "a b", func(f *File) bool { return f.AddedLines == 1 }},
		"no newline": {"diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n", "a", "a", func(f *File) bool { l := f.Hunks[0].Lines; return l[0].NoNewline && !l[1].NoNewline }},
		"marks in content": {"diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n--- old\n-@@ -1 +1 @@\n+++ new\n+diff --git a/z b/z\n", "a", "a",
			func(f *File) bool { return f.AddedLines == 2 && f.Hunks[0].Lines[2].Text == "++ new" }},
		"odd line ends": {"diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\rb\u2028c\r\n+\xff\xfe\f\r\n", "a", "a",
			func(f *File) bool {
				return f.Hunks[0].Lines[0].Text == "a\rb\u2028c\r" && f.Hunks[0].Lines[1].Text == "\xff\xfe\f\r"
			}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, err := Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Files) != 1 {
				t.Fatalf("%d files", len(d.Files))
			}
			f := d.Files[0]
			if f.OldPath != tt.old || f.NewPath != tt.new || !tt.check(f) {
				t.Errorf("got %+v", f)
			}
			if got := d.String(); got != tt.text {
				t.Errorf("rendered %q\nwant     %q", got, tt.text)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"web page":         {"<html>\n<body>\n", "not part of a diff"},
		"combined diff":    {"diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,1 -1,1 +1,1 @@@\n++x\n", "not part"},
		"hunk cut short":   {header + "@@ -1,3 +1,3 @@\n a\n-b\n", "miscounts"},
		"hunk too long":    {header + "@@ -1 +1 @@\n-a\n+b\n+c\n", "line 8"},
		"junk between":     {header + "@@ -1 +1 @@\n-a\n+b\nhello\n" + header, "hello"},
		"junk in a header": {"diff --git a/a b/a\nold mode 100644\nnew mode 100755\nSubmodule x 1..2:\n", "Submodule"},
		"orphan hunk":      {"@@ -1 +1 @@\n-a\n+b\n", "without file header"},
		"line zero":        {header + "@@ -0,1 +1 @@\n-a\n+b\n", "from 1"},
		"huge line number": {header + "@@ -99999999999 +1 @@\n-a\n+b\n", "impossible"},
		"overlap":          {header + "@@ -5 +5 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n", "overlap"},
		"no git header":    {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "diff --git"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, err := Parse(tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, %v; want an error with %q", d, err, tt.want)
			}
		})
	}
}

func TestParseEmptyAndStripped(t *testing.T) {
	if d, err := Parse(""); err != nil || len(d.Files) != 0 {
		t.Errorf("empty text: %v, %v", d, err)
	}
	whole := header + "@@ -1 +1 @@\n-a\n+b\n"
	d, err := Parse(strings.TrimSuffix(whole, "\n"))
	if err != nil || d.String() != whole {
		t.Errorf("stripped text: %v, %v", d, err)
	}
}
