package bugs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// Protocol implements evaluation.Publisher: that of the paper "Pull Requests with Bugs" (2025). k of n responses to
// files with an undeclared name or a wrong indentation name an error of any sort. A judge says so that sees the
// response alone, and who named the right error is not asked.
func (Benchmark) Protocol() string { return "pull-requests-with-bugs" }

// paperCount is the paper's figure of one model, as set in eval.yaml, in one configuration.
type paperCount struct {
	Model  string `json:"model"`
	Config string `json:"config"`
	Judged bool   `json:"judged"` // by the blind judge throughout; else our reading of the response takes its part
	Yes    int    `json:"yes"`    // k
	// Faults is k of n, with Wilson's interval as all of these have; Controls the same of files without a fault, which
	// the paper does not ask about.
	Faults   stats.Estimate `json:"faults"`
	Controls stats.Estimate `json:"controls"`
}

// paperAnswer is a question and its answer in the published form, which has no key.
type paperAnswer struct {
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

// Publish implements evaluation.Publisher. It gives the paper's table, and questions and answers in the published form.
func (b Benchmark) Publish(items map[string]evaluation.Item, results []evaluation.Result,
	o evaluation.PublishOptions) (*evaluation.Tables, error) {
	answers, err := paperAnswers(items, results)
	if err != nil {
		return nil, err
	}
	counts := paperCounts(answers, o.Confidence)
	out := &evaluation.Tables{Protocol: b.Protocol(), Tables: counts, Text: paperTable(counts)}
	for _, a := range answers {
		out.Answers = append(out.Answers, a)
	}
	return out, nil
}

func paperTable(counts []paperCount) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s %-10s %-6s %9s %9s %17s %12s\n", "model", "config", "judge", "yes", "share", "interval",
		"on controls")
	for _, c := range counts {
		judge := "rule"
		if c.Judged {
			judge = "blind"
		}
		yes, share, interval := fmt.Sprintf("%d/%d", c.Yes, c.Faults.Clusters), fmt.Sprintf("%.3f", c.Faults.Value),
			fmt.Sprintf("%.3f to %.3f", c.Faults.Low, c.Faults.High)
		fmt.Fprintf(&b, "%-20s %-10s %-6s %9s %9s %17s %12.3f\n", c.Model, c.Config, judge, yes, share, interval,
			c.Controls.Value)
	}
	return b.String()
}

// paperAnswers has the answers to all but faults of other families, in the order of the results.
func paperAnswers(items map[string]evaluation.Item, results []evaluation.Result) ([]paperAnswer, error) {
	var answers []paperAnswer
	for _, r := range results {
		it := items[r.Task]
		k, err := keyOf(it)
		if err != nil {
			return nil, err
		}
		if k.Fault != nil && k.Family != Undeclared && k.Family != Indentation {
			continue
		}
		q := Benchmark{}.Question(it, r.Config, false)
		a := paperAnswer{Model: r.Model, Config: r.Config, System: q.System, User: q.Prompt, Category: k.Family,
			Repository: k.Repo}
		if n := len(r.Replies); n > 0 {
			a.Response = r.Replies[n-1].Text
		}
		if r.Reading != nil && len(r.Reading.Answer) > 0 {
			var read Answer
			if err := json.Unmarshal(r.Reading.Answer, &read); err != nil {
				return nil, fmt.Errorf("answer to %s: %w", it.ID, err)
			}
			if a.Yes, a.judged = read.Advice[blindJudge]; !a.judged {
				a.Yes = len(read.Findings) > 0
			}
		}
		answers = append(answers, a)
	}
	return answers, nil
}

func paperCounts(answers []paperAnswer, confidence float64) []paperCount {
	groups := map[place][]paperAnswer{}
	for _, a := range answers {
		at := place{a.Model, a.Config}
		groups[at] = append(groups[at], a)
	}
	var out []paperCount
	for at, group := range groups {
		c := paperCount{Model: at.model, Config: at.config, Judged: true}
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
	slices.SortFunc(out, func(a, b paperCount) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Config, b.Config))
	})
	return out
}
