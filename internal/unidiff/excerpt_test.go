package unidiff

import (
	"strings"
	"testing"
)

func TestParseExcerpt(t *testing.T) {
	tests := map[string]struct {
		text      string
		old, new  int // numbers of the last line
		kind      Kind
		wantError string
	}{
		"down to an added line":     {"@@ -3,9 +3,10 @@ func f() {\n a\n-b\n+B", 0, 4, Added, ""},
		"down to a deleted line":    {"@@ -3,9 +3,10 @@\n a\n-b", 4, 0, Deleted, ""},
		"down to a context line":    {"@@ -3 +3 @@\n a\n", 3, 3, Context, ""},
		"new file":                  {"@@ -0,0 +1,453 @@\n+a\n+b", 0, 2, Added, ""},
		"insertion without context": {"@@ -5,0 +6,2 @@\n+a\n+b", 0, 7, Added, ""},
		"blank line without marker": {"@@ -1,3 +1,3 @@\n a\n\n b", 3, 3, Context, ""},
		"no newline mark":           {"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file", 0, 1, Added, ""},
		"carriage returns":          {"@@ -1 +1,2 @@\r\n a\r\n+b\r", 0, 2, Added, ""},
		"no header":                 {"+a", 0, 0, 0, "no hunk header"},
		"empty":                     {"", 0, 0, 0, "no hunk header"},
		"junk line":                 {"@@ -1 +1 @@\n*a", 0, 0, 0, "no line of a hunk"},
		"more lines than it says":   {"@@ -1 +1 @@\n a\n b", 0, 0, 0, "its header says"},
		"line zero":                 {"@@ -0,1 +1 @@\n a", 0, 0, 0, "from 1"},
		"huge number":               {"@@ -1234567890 +1 @@\n a", 0, 0, 0, "no hunk header"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h, err := ParseExcerpt(tt.text)
			if tt.wantError != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantError) {
					t.Fatalf("got %v, want an error with %q", err, tt.wantError)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			l := h.Lines[len(h.Lines)-1]
			if l.Old != tt.old || l.New != tt.new || l.Kind != tt.kind {
				t.Errorf("last line %+v", l)
			}
		})
	}
}

func FuzzParseExcerpt(f *testing.F) {
	f.Add("@@ -3,9 +3,10 @@ func f() {\n a\n-b\n+B")
	f.Add("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseExcerpt(text)
		if err != nil {
			return
		}
		for _, l := range h.Lines {
			if (l.Old == 0) != (l.Kind == Added) || (l.New == 0) != (l.Kind == Deleted) {
				t.Fatalf("line %+v of %q", l, text)
			}
		}
	})
}
