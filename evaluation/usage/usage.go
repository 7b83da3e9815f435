// Package usage sums what answers of models took: calls, tokens, dollars.
package usage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/reviewer"
)

// Taken is the usage of a model's calls: for its reviews, for their judging, or a judge's for findings.
type Taken struct {
	Model     string `json:"model"`
	Role      string `json:"role"` // reviewer, judge, pool
	Calls     int    `json:"calls"`
	Attempts  int    `json:"attempts"`
	Input     int64  `json:"input_tokens"`
	Output    int64  `json:"output_tokens"`
	Reasoning int64  `json:"reasoning_tokens"`
	Cached    int64  `json:"cached_tokens"`
	Millis    int64  `json:"ms"`
	// Reported counts the names of the model in the endpoint's answers, Finish why answers ended.
	Reported map[string]int `json:"reported_models"`
	Finish   map[string]int `json:"finish_reasons"`
	USD      float64        `json:"usd"`
	// Doubted counts the answers whose usage was missing or implausible; our own counts replace it.
	Doubted int `json:"doubted_usage,omitempty"`
	// Certain is the part of USD with plausible usage.
	Certain float64 `json:"-"`
	// said and counted are the input tokens of answers with usage, by the endpoint and by our count.
	said, counted int64
}

// Add adds an answer, by a price that may be nil.
func (t *Taken) Add(u reviewer.Usage, p *reviewer.Price, finish, reported string, attempts int, millis int64) {
	t.Calls++
	t.Attempts += attempts
	t.Millis += millis
	t.Input, t.Output, t.Reasoning, t.Cached = t.Input+u.Input, t.Output+u.Output, t.Reasoning+u.Reasoning,
		t.Cached+u.Cached
	t.USD += p.USD(u)
	switch {
	case !u.Doubted:
		t.Certain += p.USD(u)
	case 2*u.Input >= u.Counted: // else it says so little that the window is warned of
		t.Doubted++
	}
	if u.Counted > 0 && !(u.Doubted && u.Input == u.Counted) {
		t.said, t.counted = t.said+u.Input, t.counted+u.Counted
	}
	if reported != "" {
		t.Reported[reported]++
	}
	if finish != "" {
		t.Finish[finish]++
	}
}

// ManyBad is the share of answers that ended for a bad reason, or cannot be used, from which a report warns.
const ManyBad = 0.05

// littleInput is the share of our input count that an endpoint reports below which a report warns.
const littleInput = 0.70

// badFinish explains a finish reason that makes a model look worse than it is. The names are those of OpenAI's and
// Anthropic's protocols.
var badFinish = map[string]string{
	"length": "were cut at the limit of output", "max_tokens": "were cut at the limit of output",
	"model_context_window_exceeded": "were cut at the window of the model",
	"content_filter":                "were withheld by a content filter", "refusal": "were refused by the model",
}

// Warnings are about a configuration, or an endpoint, that makes a model look
// worse than it is.
func (t Taken) Warnings() []string {
	who := t.Model
	if t.Role == "judge" {
		who = "the judge of " + t.Model
	}
	var out []string
	byMeaning := map[string]int{}
	for reason, n := range t.Finish {
		if means := badFinish[reason]; means != "" {
			byMeaning[means] += n
		}
	}
	for _, means := range slices.Sorted(maps.Keys(byMeaning)) {
		if n := byMeaning[means]; float64(n) > ManyBad*float64(t.Calls) {
			out = append(out, fmt.Sprintf("%s: %d of %d answers %s.", who, n, t.Calls, means))
		}
	}
	if float64(t.said) < littleInput*float64(t.counted) {
		out = append(out,
			fmt.Sprintf("%s: the endpoint counted %.0f %% of the input tokens that were sent: its window may cut questions.",
				who, 100*float64(t.said)/float64(t.counted)))
	}
	if len(t.Reported) > 1 {
		out = append(out, fmt.Sprintf("%s: the endpoint answered by several models: %s.", who,
			strings.Join(slices.Sorted(maps.Keys(t.Reported)), ", ")))
	}
	if t.Doubted > 0 {
		out = append(out,
			fmt.Sprintf("%s: %d of %d answers do not say what they took, or nothing that can be true: their cost is our own count.", who, t.Doubted, t.Calls))
	}
	return out
}
