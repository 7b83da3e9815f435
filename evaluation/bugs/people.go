package bugs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/text"
)

// Label is a line of a run's labels/answers.jsonl: a person's label of a model's first answer to a question. The form
// is that of a dataset's labels/overrides.jsonl.
type Label struct {
	QuestionID string `json:"question_id"`
	Model      string `json:"model"`
	Config     string `json:"config"`
	// labelFound or labelMissed; of a file without a fault, whether it is said to have one
	Label     string `json:"label"`
	Annotator string `json:"annotator"` // who read it
	Date      string `json:"date"`      // when, as 2026-11-01
	Note      string `json:"note,omitempty"`
}

// What a person can say.
const (
	labelFound  = "found"
	labelMissed = "missed"
)

var _ evaluation.Labeler = Benchmark{}

// Label implements evaluation.Labeler. Labels change no score.
func (Benchmark) Label(results []evaluation.Result, data []byte) error {
	type about struct{ question, model, config string }
	at := map[about]*evaluation.Result{}
	for i := range results {
		if r := &results[i]; r.Repeat <= 1 {
			at[about{r.Task, r.Model, r.Config}] = r
		}
	}
	seen := map[Label]bool{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var l Label
		if err := text.DecodeLine(line, &l); err != nil {
			return fmt.Errorf("line %d: no label: %w", n, err)
		}
		who := Label{QuestionID: l.QuestionID, Model: l.Model, Config: l.Config, Annotator: l.Annotator}
		r := at[about{l.QuestionID, l.Model, l.Config}]
		_, day := time.Parse(time.DateOnly, l.Date)
		switch {
		case l.Label != labelFound && l.Label != labelMissed:
			return fmt.Errorf("line %d: label: want %s or %s, got %q", n, labelFound, labelMissed, l.Label)
		case l.Annotator == "":
			return fmt.Errorf("line %d: annotator: want a name", n)
		case day != nil:
			return fmt.Errorf("line %d: date: want a day such as 2026-11-01, got %q", n, l.Date)
		case r == nil:
			return fmt.Errorf("line %d: the run has no answer of %q to %q in %q", n, l.Model, l.QuestionID, l.Config)
		case seen[who]:
			return fmt.Errorf("line %d: %s labeled this answer already", n, l.Annotator)
		}
		seen[who] = true
		if r.Outcome != evaluation.Scored {
			continue // the answer that was labeled is not available
		}
		if err := addLabel(r, l.Label == labelFound); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// addLabel stores a label with the reading of the answer.
func addLabel(r *evaluation.Result, found bool) error {
	var a Answer
	if err := json.Unmarshal(r.Reading.Answer, &a); err != nil {
		return fmt.Errorf("answer to %s: %w", r.Task, err)
	}
	a.People = append(a.People, found)
	data, err := json.Marshal(a)
	r.Reading.Answer = data
	return err
}

// calibrations are the tables that compare rule and judges with people; none without labels.
func calibrations(o stats.Options, results map[place][]Result, order []place) []evaluation.Table {
	agree := evaluation.Table{Name: "people", Title: "Agreement with people",
		Labels: []string{"configuration", "of", "on"}, Columns: []string{"answers", "agreement", "kappa"},
		Means: "Whether the fault was found, or said to be there. The rule may stand for people from an agreement of 0.95 on. Answers on which two people disagree are compared among people only."}
	differ := evaluation.Table{Name: "disagreements", Title: "Answers that people see otherwise",
		Labels: []string{"configuration", "question", "rule, blind, informed, people"}, Columns: []string{"labels"},
		Means: "1 found, 0 not, - unknown, in this order."}
	for _, at := range order {
		add := func(of, on string, a stats.Agreement) {
			if a.Items > 0 {
				agree.Rows = append(agree.Rows, evaluation.TableRow{Model: at.model, Labels: []string{at.config, of, on},
					Figures: []evaluation.Figure{evaluation.Count(a.Items), evaluation.Plain(a.Observed),
						evaluation.Estimated(a.Kappa)}})
			}
		}
		rule := calibrate(o, labeled(results[at], ""))
		add("rule", "all", rule.RuleHuman)
		for _, kind := range slices.Sorted(maps.Keys(rule.ByKind)) {
			add("rule", kind, rule.ByKind[kind])
		}
		for _, level := range slices.Sorted(maps.Keys(rule.ByLevel)) {
			add("rule", "level "+level, rule.ByLevel[level])
		}
		for _, judge := range []string{blindJudge, informedJudge} {
			add(judge+" judge", "all", calibrate(o, labeled(results[at], judge)).JudgeHuman)
		}
		var among []stats.Rated
		for _, r := range results[at] {
			if p := r.Answer.People; len(p) > 1 {
				among = append(among, stats.Rated{Cluster: r.Key.TaskID, A: mark(&p[0]), B: mark(&p[1])})
			}
			differ.Rows = append(differ.Rows, disagreement(at, r)...)
		}
		add("one person and another", "all", stats.Kappa(o, among))
	}
	if len(agree.Rows) == 0 {
		return nil
	}
	return []evaluation.Table{agree, differ}
}

// disagreement is a row for an answer on which people disagree with the rule or a judge.
func disagreement(at place, r Result) []evaluation.TableRow {
	person, found := r.Answer.people(), r.found()
	if person == nil {
		return nil
	}
	marks, differs := mark(&found), found != *person
	for _, judge := range []string{blindJudge, informedJudge} {
		said, asked := r.Answer.Advice[judge]
		if !asked {
			marks += mark(nil)
			continue
		}
		marks, differs = marks+mark(&said), differs || said != *person
	}
	if !differs {
		return nil
	}
	return []evaluation.TableRow{{Model: at.model, Labels: []string{at.config, r.Key.QuestionID, marks + mark(person)},
		Figures: []evaluation.Figure{evaluation.Count(len(r.Answer.People))}}}
}
