package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestNonTestChange(t *testing.T) {
	table(t, "non-test-change", []check{
		{"one test", files("src/app_test.go"), verdict.Reject, verdict.OnlyTestsChanged},
		{"tests and their data", files("tests/test_a.py", "tests/data/a.json"), verdict.Reject, verdict.OnlyTestsChanged},
		{"a test and a source", files("src/app_test.go", "src/app.go"), verdict.Pass, ""},
		{"a test and a page", files("src/app_test.go", "README.md"), verdict.Pass, ""},
		{"no file at all", files(), verdict.Pass, ""},
		{"list cut off", without("files"), verdict.Undetermined, verdict.FilesIncomplete},
		{"list missing", func(c *model.Candidate) { c.Pull.Files = nil }, verdict.Undetermined, verdict.FilesIncomplete},
	})
}
