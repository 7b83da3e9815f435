package report

import "testing"

func TestEndOf(t *testing.T) {
	const hunk = "@@ -10,4 +20,5 @@ func main\n a\n-b\n+c\n+d\n\\ No newline at end of file\n e"
	for _, c := range []struct {
		lines int
		want  string
	}{
		{0, hunk},
		{7, hunk},
		{6, hunk},
		{5, "@@ -11 +21 @@ lines above in the page as a folder: 1\n-b\n+c\n+d\n\\ No newline at end of file\n e"},
		{3, "@@ -12 +22 @@ lines above in the page as a folder: 3\n+d\n\\ No newline at end of file\n e"},
		{1, "@@ -12 +23 @@ lines above in the page as a folder: 5\n e"},
	} {
		if got := endOf(hunk, c.lines); got != c.want {
			t.Errorf("%d lines:\n%s\nwant\n%s", c.lines, got, c.want)
		}
	}
	for _, hunk := range []string{"", "no head\na\nb\nc", "@@ -1 +1 @@"} {
		if got := endOf(hunk, 1); got != hunk {
			t.Errorf("%q becomes %q", hunk, got)
		}
	}
}
