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
		{"a test and a page", files("src/app_test.go", "README.md"), verdict.OutcomeReject, verdict.NoSupportedLanguage},
		{"pages alone are filter 4's", files("README.md", "docs/a.rst"), verdict.OutcomePass, ""},
		{"a Dockerfile and requirements", files("Dockerfile", "requirements.txt"), verdict.OutcomeReject, verdict.NoSupportedLanguage},
		{"another language", files("src/app.zig"), verdict.OutcomeReject, verdict.NoSupportedLanguage},
		{"another language beside one of the five", files("src/app.zig", "src/app.py"), verdict.OutcomePass, ""},
		{"no file at all", files(), verdict.OutcomePass, ""},
		{"list cut off", without("files"), verdict.OutcomeUndetermined, verdict.FilesIncomplete},
		{"list missing", func(c *model.Candidate) { c.Pull.Files = nil }, verdict.OutcomeUndetermined, verdict.FilesIncomplete},
	})
}

func TestAnyLanguage(t *testing.T) {
	f := nonTestChange{languages: AnyLanguage}
	c := sound()
	files("Dockerfile", "requirements.txt")(c)
	if v := f.Check(c); v.Outcome != verdict.OutcomePass {
		t.Errorf("%+v", v)
	}
}
