package scoring

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/markdown"
)

// TestOneReaderOfMarkdown feeds the labelled comments to both users of the
// reader: what labels a comment (the reader's own answer, package filters) and
// what looks for names. Code that is added in any form that GitHub shows as a
// block changes neither the prose nor the names, and no name comes from
// elsewhere than the prose, the code spans and the links.
func TestOneReaderOfMarkdown(t *testing.T) {
	f, err := os.Open("../filters/substance/testdata/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	comments, named := 0, 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct{ Body string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		comments++
		before, names := markdown.Read(c.Body), namesIn(c.Body, repo)
		named += len(names)
		seen := before.Prose + " " + strings.Join(before.Links, " ") + " " + strings.NewReplacer("::", ".", "#", ".", "->", ".").Replace(strings.Join(before.CodeSpans, " "))
		for _, n := range names {
			if !strings.Contains(seen, n) {
				t.Errorf("%q is neither in the prose nor in a span nor in a link of %q", n, c.Body)
			}
		}
		if strings.Contains(c.Body, "```") || strings.Contains(c.Body, "~~~") || strings.Contains(c.Body, "<") {
			continue // a block that is left open would take in what is added
		}
		for form, code := range map[string]string{
			"fence":           "```py\n# see zz/hidden_one.py\nServer.close_all()\n```",
			"fence in a list": "1. so:\n\n   ```py\n   # see zz/hidden_one.py\n   ```",
			"indented":        "so:\n\n    # see zz/hidden_one.py",
			"quote":           "> `zz/hidden_one.py`",
			"comment":         "<!-- `zz/hidden_one.py` -->",
		} {
			body := c.Body + "\n\n***\n\n" + code
			if got := namesIn(body, repo); !slices.Equal(got, names) {
				t.Errorf("%s: names %q instead of %q in %q", form, got, names, body)
			}
			after := markdown.Read(body)
			after.Prose = strings.TrimSpace(strings.TrimSuffix(after.Prose, "so:"))
			if d := cmp.Diff([]any{before.Prose, before.CodeSpans, before.Links}, []any{after.Prose, after.CodeSpans, after.Links}); d != "" {
				t.Errorf("%s: %s", form, d)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if comments < 400 || named < 100 {
		t.Errorf("only %d comments with %d names", comments, named)
	}
}
