package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestBaseAccessible(t *testing.T) {
	table(t, "base-accessible", []check{
		{"not looked up", func(c *model.Candidate) { c.Base = nil }, verdict.OutcomeUndetermined, verdict.BaseMissing},
		{"no fork point", func(c *model.Candidate) { c.Base = &model.Base{Problem: "no merge base"} }, verdict.OutcomeReject, verdict.BaseUnreadable},
		{"no tree", func(c *model.Candidate) { c.Sources = false }, verdict.OutcomeReject, verdict.BaseUnreadable},
		{"diff does not fit", func(c *model.Candidate) { c.Base.Verified = false }, verdict.OutcomeUndetermined, verdict.BaseUnverified},
		{"a file is lost", func(c *model.Candidate) { c.Base.Missing = []string{"src/app.go"} }, verdict.OutcomeReject, verdict.BaseFileUnreadable},
	})
}
