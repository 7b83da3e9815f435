package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestBaseAccessible(t *testing.T) {
	table(t, "base-accessible", []check{
		{"not looked up", func(c *model.Candidate) { c.Base = nil }, verdict.Undetermined, verdict.BaseMissing},
		{"no fork point", func(c *model.Candidate) { c.Base = &model.Base{Problem: "no merge base"} }, verdict.Reject, verdict.BaseUnreadable},
		{"no tree", func(c *model.Candidate) { c.Snapshot = nil }, verdict.Reject, verdict.BaseUnreadable},
		{"diff does not fit", func(c *model.Candidate) { c.Base.Verified = false }, verdict.Undetermined, verdict.BaseUnverified},
		{"a file is lost", func(c *model.Candidate) { c.Base.Missing = []string{"src/app.go"} }, verdict.Reject, verdict.BaseFileUnreadable},
	})
}
