package debugging

import (
	"encoding/json"
	"fmt"
	"strconv"

	dataset "github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/debugging"
	scripts "github.com/prforge/prforge/injection/debugging"
)

// Configurations of the debugging benchmark's prompts.
const (
	configPlain    = "plain"
	configNumbered = "numbered"
)

// debuggingItems reads the tasks of a dataset of scripts with injected errors.
func readItems(dir string) ([]evaluation.Item, error) {
	var items []evaluation.Item
	for s, err := range dataset.Samples(dir) {
		if err != nil {
			return nil, err
		}
		prompt, err := load.ReadJSON[dataset.Prompt](dir, dataset.FilePrompt(s.SampleID))
		if err != nil {
			return nil, err
		}
		it, err := newItem(s, prompt)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

// debuggingItem is one task. Its groups are those of its error; a sample with several errors has no single type,
// operator or library. The script acts as the repository: with cluster "repo", intervals are over scripts.
func newItem(s *dataset.Sample, prompt *dataset.Prompt) (evaluation.Item, error) {
	it := evaluation.Item{
		ID: s.SampleID, Prompts: map[string]string{configPlain: prompt.Plain, configNumbered: prompt.Numbered},
		Groups: map[string]string{"errors": strconv.Itoa(s.ErrorCount), "repo": s.ScriptID}, Canary: s.Canary,
	}
	key := debugging.Sample{ID: s.SampleID, Script: s.ScriptID, Code: s.Code, Task: s.Task}
	for _, e := range s.Errors {
		groups := map[string]string{"hop": hop(e), "type": e.ErrorType, "operator": e.Operator, "library": e.Library}
		key.Truths = append(key.Truths, debugging.Truth{
			ID: e.ErrorID, Cause: debugging.Line{Text: e.CauseText, First: e.CauseLine, Last: e.CauseEndLine},
			Effect: debugging.Line{Text: e.EffectText, First: e.EffectLine, Last: e.EffectEndLine},
			Type:   e.ErrorType, Message: e.ErrorMessage, Groups: groups,
		})
		for name, value := range groups {
			if s.ErrorCount > 1 {
				value = "several errors"
			}
			it.Groups[name] = value
		}
	}
	var err error
	if it.Key, err = json.Marshal(key); err != nil {
		return it, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	return it, nil
}

// hop says how far from its cause an error shows.
func hop(e dataset.Error) string {
	return scripts.HopOf(e.HopLines, e.HopExecuted).String()
}
