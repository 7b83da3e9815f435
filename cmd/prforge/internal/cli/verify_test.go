package cli

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts/verify"
)

// TestFindingsText: a note is told from a warning, and leaves the dataset intact.
func TestFindingsText(t *testing.T) {
	got := findingsText(&verify.Report{
		Dataset: "out", Records: 2, Checks: 3,
		Warnings: []verify.Fault{{Kind: verify.SecretFound, Text: "no token", Count: 1, Example: "github-token in prs.jsonl:1"}},
		Notes:    []verify.Fault{{Kind: verify.SecretInSource, Text: "its own text", Count: 4, Example: "private-key in raw/x:7"}},
	})
	want := "warning       1  secret: github-token in prs.jsonl:1 (expected: no token)\n" +
		"note          4  secret-in-source: private-key in raw/x:7 (its own text)\n" +
		"out: 2 records, 3 checks: intact\n"
	if got != want {
		t.Errorf("%s\nwant:\n%s", strings.TrimSpace(got), want)
	}
}
