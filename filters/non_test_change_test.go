package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestNonTestChange(t *testing.T) {
	table(t, "non-test-change", []check{
		{"one test", files("src/app_test.go"), verdict.OutcomeReject, verdict.OnlyTestsChanged},
		{"tests and their data", files("tests/test_a.py", "tests/data/a.json"), verdict.OutcomeReject, verdict.OnlyTestsChanged},
		{"a test and a source", files("src/app_test.go", "src/app.go"), verdict.OutcomePass, ""},
		{"a test and a page", files("src/app_test.go", "README.md"), verdict.OutcomePass, ""},
		{"no file at all", files(), verdict.OutcomePass, ""},
		{"list cut off", without("files"), verdict.OutcomeUndetermined, verdict.FilesIncomplete},
		{"list missing", func(c *model.Candidate) { c.Pull.Files = nil }, verdict.OutcomeUndetermined, verdict.FilesIncomplete},
	})
}
