package escaped

import (
	"encoding/json"
	"fmt"

	"github.com/prforge/prforge/evaluation"
)

// control is the group of the items that have no fault.
const control = "control"

// WithClean implements evaluation.Controlled.
func (Benchmark) WithClean(clean map[string][]evaluation.CleanHunk) evaluation.Benchmark {
	return Benchmark{clean}
}

// Borrow implements evaluation.Borrower: controls are pull requests of the repositories
// of the faults, and none that has a fault here.
func (Benchmark) Borrow(own, reviews []evaluation.Item) (items []evaluation.Item, of map[string]string, err error) {
	repos, faulty := map[string]bool{}, map[string]bool{}
	for _, it := range own {
		k, err := KeyOf(it)
		if err != nil {
			return nil, nil, err
		}
		repos[k.Repo], faulty[fmt.Sprintf("%s#%d", k.Repo, k.Number)] = true, true
	}
	of = map[string]string{}
	for _, it := range reviews {
		k, err := it.Review()
		if err != nil {
			return nil, nil, err
		}
		if !repos[k.Repo] || faulty[fmt.Sprintf("%s#%d", k.Repo, k.Number)] {
			continue
		}
		id := "control-" + it.ID
		k.Truth = nil // what people wrote is not asked for
		key, err := json.Marshal(Key{Key: k, Control: true})
		if err != nil {
			return nil, nil, fmt.Errorf("key of %s: %w", id, err)
		}
		groups := map[string]string{"difficulty": control, "type": control, "language": it.Groups["language"],
			"repo": it.Groups["repo"]}
		items, of[id] = append(items, evaluation.Item{ID: id, Groups: groups, Prompts: it.Prompts, Key: key}), it.ID
	}
	return items, of, nil
}
