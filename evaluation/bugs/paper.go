package bugs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// Paper names the protocol of the paper "Pull Requests with Bugs" (2025): k of n responses to files with an undeclared
// name or a wrong indentation name an error of any sort. A judge says so that sees the response alone, and who named
// the right error is not asked.
const Paper = "pull-requests-with-bugs"

// PaperCount is the paper's figure of one model, as set in eval.yaml, in one configuration.
type PaperCount struct {
	Model  string `json:"model"`
	Config string `json:"config"`
	Judged bool   `json:"judged"` // by the blind judge throughout; else our reading of the response takes its part
	Yes    int    `json:"yes"`    // k
	// Faults is k of n, with Wilson's interval as all of these have; Controls the same of files without a fault, which
	// the paper does not ask about.
	Faults   stats.Estimate `json:"faults"`
	Controls stats.Estimate `json:"controls"`
}

// PaperAnswer is a question and its answer in the published form, which has no key.
type PaperAnswer struct {
	Model      string `json:"model"`
	Config     string `json:"config"`
	System     string `json:"system_prompt"`
	User       string `json:"user_message"`
	Category   string `json:"category"`
	Repository string `json:"repository"`
	Response   string `json:"response"`
	Yes        bool   `json:"yes"`
	judged     bool
}

// PaperScore scores results by the protocol, faults of other families left out. The order is that of the results.
func PaperScore(items map[string]evaluation.Item, results []evaluation.Result, confidence float64) ([]PaperCount, []PaperAnswer, error) {
	var answers []PaperAnswer
	for _, r := range results {
		it := items[r.Task]
		k, err := keyOf(it)
		if err != nil {
			return nil, nil, err
		}
		if k.Fault != nil && k.Family != Undeclared && k.Family != Indentation {
			continue
		}
		q := Benchmark{}.Question(it, r.Config, false)
		a := PaperAnswer{Model: r.Model, Config: r.Config, System: q.System, User: q.Prompt, Category: k.Family, Repository: k.Repo}
		if n := len(r.Replies); n > 0 {
			a.Response = r.Replies[n-1].Text
		}
		if r.Reading != nil && len(r.Reading.Answer) > 0 {
			var read Answer
			if err := json.Unmarshal(r.Reading.Answer, &read); err != nil {
				return nil, nil, fmt.Errorf("answer to %s: %w", it.ID, err)
			}
			if a.Yes, a.judged = read.Advice[blindJudge]; !a.judged {
				a.Yes = len(read.Findings) > 0
			}
		}
		answers = append(answers, a)
	}
	return paperCounts(answers, confidence), answers, nil
}

func paperCounts(answers []PaperAnswer, confidence float64) []PaperCount {
	groups := map[place][]PaperAnswer{}
	for _, a := range answers {
		at := place{a.Model, a.Config}
		groups[at] = append(groups[at], a)
	}
	var out []PaperCount
	for at, group := range groups {
		c := PaperCount{Model: at.model, Config: at.config, Judged: true}
		faults, controls, alarms := 0, 0, 0
		for _, a := range group {
			c.Judged = c.Judged && a.judged
			if a.Category == Control {
				controls, alarms = controls+1, alarms+one(a.Yes)
			} else {
				faults, c.Yes = faults+1, c.Yes+one(a.Yes)
			}
		}
		c.Faults, c.Controls = stats.Wilson(c.Yes, faults, confidence), stats.Wilson(alarms, controls, confidence)
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b PaperCount) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Config, b.Config))
	})
	return out
}
