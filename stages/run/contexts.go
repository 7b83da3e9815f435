package run

import (
	"fmt"

	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/stages/config"
)

// newBuilder makes the builder of the configured contexts.
func newBuilder(c config.Contexts, supported *languages.Set, cache *imports.Cache) (*contextbuilder.Builder, error) {
	counter, err := tokens.NewCounter()
	if err != nil {
		return nil, fmt.Errorf("load the tokenizer: %w", err)
	}
	o := contextbuilder.DefaultOptions()
	o.Budgets, o.Whole, o.MaxDiffTokens, o.Around = c.Budgets, c.Diff == config.DiffWhole, c.MaxDiffTokens, c.Around
	o.Imports.Languages = supported
	o.SameDiff, o.ShowDifficulty, o.SummaryTokens, o.MaxFiles = c.SameDiff, c.ShowDifficulty, c.SummaryTokens, c.MaxFiles
	return contextbuilder.NewBuilder(o, counter, cache), nil
}
