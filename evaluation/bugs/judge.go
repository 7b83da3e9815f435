package bugs

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// The judges besides the rule. The paper's judge sees only the response: it cannot know whether the fault was found,
// and shows how much it inflates a score. The informed judge knows the fault.
const (
	blindJudge    = "blind"
	informedJudge = "informed"
)

var _ evaluation.Asker = Benchmark{}

// AskJudge implements evaluation.Asker. The judges' verdicts are stored with the answer and are not part of its
// score. The majority of the rounds counts; unreadable verdicts do not.
func (Benchmark) AskJudge(ctx context.Context, p evaluation.Plan, it evaluation.Item, r *evaluation.Result,
	ask evaluation.Ask) (code string, err error) {
	k, err := keyOf(it)
	if err != nil {
		return "", err
	}
	var a Answer
	if err := json.Unmarshal(r.Reading.Answer, &a); err != nil {
		return "", fmt.Errorf("answer to %s: %w", it.ID, err)
	}
	questions, err := k.judgeQuestions(r.Replies[len(r.Replies)-1].Text)
	if err != nil {
		return "", err
	}
	a.Advice = map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		yes, read := 0, 0
		code, err := p.Rounds(ask, func(round int, ask evaluation.Ask) (string, error) {
			q := questions[name]
			q.Sample = round
			reply, err := ask(ctx, q)
			if err != nil {
				return evaluation.JudgeUnanswered, err
			}
			if found, ok := readVerdict(reply.Text); ok {
				yes, read = yes+one(found), read+1
			}
			return "", nil
		})
		if code != "" {
			return code, err
		}
		if read > 0 {
			a.Advice[name] = 2*yes > read
		}
	}
	r.Reading.Answer, err = json.Marshal(a)
	return "", err
}

// judgeQuestions are the questions about an answer by the judges' names. All
// texts to the informed one are JSON strings.
func (k Key) judgeQuestions(answer string) (map[string]evaluation.Request, error) {
	data, err := json.Marshal(struct {
		Path     string `json:"path"`
		Source   string `json:"source"`
		Family   string `json:"family"`
		Fault    *Fault `json:"fault"`
		Response string `json:"response"`
	}{k.Path, k.Source, k.Family, k.Fault, answer})
	if err != nil {
		return nil, fmt.Errorf("word the question to the judge: %w", err)
	}
	return map[string]evaluation.Request{
		blindJudge:    {System: prompt("judge_blind.txt"), Prompt: answer},
		informedJudge: {System: prompt("judge_informed.txt"), Prompt: string(data)},
	}, nil
}

var verdict = regexp.MustCompile(`<answer>\s*([01])\s*</answer>`)

// readVerdict reads a judge's answer: the last 0 or 1 in answer tags. Without one
// there is no verdict.
func readVerdict(text string) (found, ok bool) {
	if len(text) > maxAnswerBytes {
		return false, false
	}
	all := verdict.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return false, false
	}
	return all[len(all)-1][1] == "1", true
}

// Labeled is an answer with the verdicts of the rule, a judge and people on one question: was the fault found?
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

// calibration compares the rule and a judge with people.
type calibration struct {
	// Table counts answers by rule, judge and human, in this order: 1 found, 0 not, - unknown. "11-" is found by the
	// rule and the judge and unlabeled.
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
	// RulePrimary says that the rule agrees with people in at least 0.95 of the answers, so that it may replace them.
	RulePrimary bool `json:"rule_primary"`
}

// primaryFrom is the share of agreement from which the rule is used alone.
const primaryFrom = 0.95

// calibrate makes the table of labeled answers.
func calibrate(o stats.Options, labeled []Labeled) calibration {
	c := calibration{Table: map[string]int{}, ByKind: map[string]stats.Agreement{}, ByLevel: map[string]stats.Agreement{},
		Disagreements: []string{}}
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
	c.RuleHuman, c.JudgeHuman, c.RuleJudge = stats.Kappa(o, ruleHuman), stats.Kappa(o, judgeHuman),
		stats.Kappa(o, ruleJudge)
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

// labeled returns the answers of one reviewer with the verdicts of the rule, a judge and people.
func labeled(results []Result, judge string) []Labeled {
	var out []Labeled
	for _, r := range results {
		l := Labeled{QuestionID: r.Key.QuestionID, TaskID: r.Key.TaskID, Kind: r.Key.Kind, Level: r.Key.Level,
			Control: r.Key.Fault == nil, Rule: r.found(), Human: r.Answer.people()}
		if said, ok := r.Answer.Advice[judge]; ok {
			l.Judge = &said
		}
		out = append(out, l)
	}
	return out
}

// judges are the tables of the judges' verdicts besides the rule; none without judges.
func judges(o stats.Options, results map[place][]Result, order []place) []evaluation.Table {
	rates := evaluation.Table{Name: "judges", Title: "Judges beside the rule", Labels: []string{"configuration", "judge"},
		Columns: []string{"answers", "yes on faults", "found by rule", "yes on controls", "agreement with the rule", "kappa"},
		Means:   "No score depends on it, and no judge is calibrated where nobody has labeled answers. The blind judge sees the answer alone, as the paper's does: what it says of controls is by how much it inflates."}
	counts := evaluation.Table{Name: "calibration", Title: "Rule, judge and people",
		Labels: []string{"judge", "rule, judge, people"}, Columns: []string{"answers"},
		Means: "1 found, 0 not, - unknown, in this order."}
	for _, judge := range []string{blindJudge, informedJudge} {
		for _, at := range order {
			yes, faults, found := 0, 0, 0
			asked := slices.DeleteFunc(labeled(results[at], judge), func(l Labeled) bool { return l.Judge == nil })
			for _, l := range asked {
				if !l.Control {
					faults, yes, found = faults+1, yes+one(*l.Judge), found+one(l.Rule)
				}
			}
			if len(asked) == 0 {
				continue
			}
			c := calibrate(o, asked)
			rates.Rows = append(rates.Rows, evaluation.TableRow{Model: at.model, Labels: []string{at.config, judge},
				Figures: []evaluation.Figure{
					evaluation.Count(len(asked)), evaluation.Estimated(stats.Wilson(yes, faults, o.Confidence)),
					evaluation.Estimated(stats.Wilson(found, faults, o.Confidence)),
					evaluation.Estimated(c.JudgeOnControls), evaluation.Plain(c.RuleJudge.Observed),
					evaluation.Plain(c.RuleJudge.Kappa.Value)}})
			for _, marks := range slices.Sorted(maps.Keys(c.Table)) {
				counts.Rows = append(counts.Rows,
					evaluation.TableRow{Model: at.model, Labels: []string{judge + ", " + at.config, marks},
						Figures: []evaluation.Figure{evaluation.Count(c.Table[marks])}})
			}
		}
	}
	if len(rates.Rows) == 0 {
		return nil
	}
	return []evaluation.Table{rates, counts}
}

// people is people's label of an answer; nil without a label, or if two disagree.
func (a Answer) people() *bool {
	if len(a.People) == 0 || slices.Contains(a.People, !a.People[0]) {
		return nil
	}
	return &a.People[0]
}
