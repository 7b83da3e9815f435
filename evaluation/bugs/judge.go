package bugs

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// BlindJudge asks the paper's judge, which sees the response and nothing else:
// it cannot know whether the fault was found. It is there to show by how much it
// inflates a score.
func BlindJudge(response string) evaluation.Request {
	return evaluation.Request{System: prompt("judge_blind.txt"), Prompt: response}
}

// InformedJudge asks a judge that knows the fault. All texts are JSON strings.
func InformedJudge(k Key, response string) (evaluation.Request, error) {
	data, err := json.Marshal(struct {
		Path     string `json:"path"`
		Source   string `json:"source"`
		Family   string `json:"family"`
		Fault    *Fault `json:"fault"`
		Response string `json:"response"`
	}{k.Path, k.Source, k.Family, k.Fault, response})
	if err != nil {
		return evaluation.Request{}, fmt.Errorf("word the question to the judge: %w", err)
	}
	return evaluation.Request{System: prompt("judge_informed.txt"), Prompt: string(data)}, nil
}

var verdict = regexp.MustCompile(`<answer>\s*([01])\s*</answer>`)

// ReadVerdict reads a judge's answer: the last 0 or 1 in answer tags. ok is
// false without one, which is a failure and no verdict.
func ReadVerdict(text string) (found, ok bool) {
	if len(text) > maxAnswerBytes {
		return false, false
	}
	all := verdict.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return false, false
	}
	return all[len(all)-1][1] == "1", true
}

// Labeled is an answer with what the rule, a judge and people say of it: was
// the fault found.
type Labeled struct {
	QuestionID string
	TaskID     string // the cluster of intervals
	Kind       string
	Level      int
	Control    bool
	Rule       bool
	Judge      *bool // nil where it failed
	Human      *bool // nil where nobody labeled it, or two people disagree
}

// Calibration compares the rule and a judge with people.
type Calibration struct {
	// Table counts answers by rule, judge and human, in this order: 1 found, 0
	// not, - not known. "11-" is found by the rule and the judge and unlabeled.
	Table map[string]int `json:"table"`
	// Agreement of the rule with people, the judge with people, the rule with
	// the judge, over the answers that have both.
	RuleHuman  stats.Agreement            `json:"rule_human"`
	JudgeHuman stats.Agreement            `json:"judge_human"`
	RuleJudge  stats.Agreement            `json:"rule_judge"`
	ByKind     map[string]stats.Agreement `json:"rule_human_by_kind"`
	ByLevel    map[string]stats.Agreement `json:"rule_human_by_level"`
	// JudgeOnControls is the share of files without a fault in which the judge
	// says that it was found.
	JudgeOnControls stats.Estimate `json:"judge_on_controls"`
	Disagreements   []string       `json:"disagreements"` // question ids, as given
	// RulePrimary says that the rule agrees with people in at least 0.95 of the
	// answers, so that it may stand for them.
	RulePrimary bool `json:"rule_primary"`
}

// primaryFrom is the share of agreement from which the rule stands alone.
const primaryFrom = 0.95

// Calibrate makes the table of labeled answers.
func Calibrate(o stats.Options, labeled []Labeled) Calibration {
	c := Calibration{Table: map[string]int{}, ByKind: map[string]stats.Agreement{}, ByLevel: map[string]stats.Agreement{}, Disagreements: []string{}}
	var ruleHuman, judgeHuman, ruleJudge []stats.Rated
	kinds, levels := map[string][]stats.Rated{}, map[string][]stats.Rated{}
	controls, alarmed := 0, 0
	for _, l := range labeled {
		c.Table[mark(&l.Rule)+mark(l.Judge)+mark(l.Human)]++
		if l.Human != nil {
			pair := stats.Rated{Cluster: l.TaskID, A: mark(&l.Rule), B: mark(l.Human)}
			ruleHuman = append(ruleHuman, pair)
			kinds[l.Kind] = append(kinds[l.Kind], pair)
			level := strconv.Itoa(l.Level)
			levels[level] = append(levels[level], pair)
		}
		if l.Human != nil && l.Judge != nil {
			judgeHuman = append(judgeHuman, stats.Rated{Cluster: l.TaskID, A: mark(l.Judge), B: mark(l.Human)})
		}
		if l.Judge != nil {
			ruleJudge = append(ruleJudge, stats.Rated{Cluster: l.TaskID, A: mark(&l.Rule), B: mark(l.Judge)})
		}
		if l.Control && l.Judge != nil {
			controls++
			if *l.Judge {
				alarmed++
			}
		}
		if l.Judge != nil && *l.Judge != l.Rule || l.Human != nil && *l.Human != l.Rule {
			c.Disagreements = append(c.Disagreements, l.QuestionID)
		}
	}
	c.RuleHuman, c.JudgeHuman, c.RuleJudge = stats.Kappa(o, ruleHuman), stats.Kappa(o, judgeHuman), stats.Kappa(o, ruleJudge)
	for kind, pairs := range kinds {
		c.ByKind[kind] = stats.Kappa(o, pairs)
	}
	for level, pairs := range levels {
		c.ByLevel[level] = stats.Kappa(o, pairs)
	}
	c.JudgeOnControls = stats.Wilson(alarmed, controls, o.Confidence)
	c.RulePrimary = c.RuleHuman.Observed >= primaryFrom
	return c
}

func mark(found *bool) string {
	switch {
	case found == nil:
		return "-"
	case *found:
		return "1"
	}
	return "0"
}
