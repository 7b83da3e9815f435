package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
)

// contents is a dataset's records and decisions: names and codes only.
type contents struct {
	held      map[string]held               // by pull request or other name of a record
	decisions map[string]artifacts.Decision // pull request, repository or item -> why it is not there
	chosen    map[string]bool               // pull requests with records
}

// held is one record without long texts.
type held struct {
	parts []part
	files []filePart // further parts, read when they are compared
}

// part is a JSON object that belongs to a record; name is for people.
type part struct {
	name   string
	fields fields
}

type filePart struct{ name, path string }

func index(r *load.Reader) (*contents, error) {
	c := &contents{held: map[string]held{}, decisions: map[string]artifacts.Decision{}, chosen: map[string]bool{}}
	var err error
	if r.Manifest.Benchmark == artifacts.Review {
		err = c.tasks(r)
	} else {
		err = c.questions(r)
	}
	if err != nil {
		return nil, err
	}
	for d, err := range r.Decisions() {
		if err != nil {
			return nil, err
		}
		name := d.Repo
		switch {
		case d.PRNumber != nil:
			name = d.Name()
		case d.Item != "":
			name = d.Item
		}
		if d.Outcome == artifacts.Selected {
			c.chosen[name] = true
		} else {
			c.decisions[name] = *d
		}
	}
	return c, nil
}

// tasks reads the records of the review benchmark.
func (c *contents) tasks(r *load.Reader) error {
	for record, err := range r.Records() {
		if err != nil {
			return err
		}
		if err := artifacts.CheckTaskID(record.TaskID); err != nil {
			return err
		}
		f, err := fieldsOf(record)
		if err != nil {
			return err
		}
		h := held{[]part{{"record", f}}, []filePart{{"annotation", artifacts.FileAnnotation(record.TaskID)},
			{"evidence", artifacts.FileEvidence(record.TaskID)}}}
		for _, config := range artifacts.Configs {
			h.files = append(h.files, filePart{config, artifacts.FileContext(config, record.TaskID)})
		}
		c.held[artifacts.NameOf(record)] = h
	}
	return nil
}

// asked has the needed fields of a question and its answer.
type asked struct {
	QuestionID string `json:"question_id"`
	SampleID   string `json:"sample_id"`
	AnswerTo   string `json:"answer_to"`
	Repo       string `json:"repo"`
	PRNumber   int    `json:"pr_number"`
	Family     string `json:"family"`
	Kind       string `json:"kind"`
	Fault      any    `json:"fault"`
}

// layout says which files have a dataset's questions and answers, which field names a record permanently, and which
// file has its evidence, "" for none.
type layout struct {
	questions, answers string
	record             func(asked) (name, evidence string, err error)
}

var layouts = map[artifacts.Benchmark]layout{
	artifacts.Bugs: {artifacts.FileBugQuestions, artifacts.FileBugAnswers, func(a asked) (string, string, error) {
		name := a.Family // a pull request has one question of a family at most, and one control of a kind
		if a.Fault == nil {
			name = "control " + a.Kind
		}
		return fmt.Sprintf("%s#%d %s", a.Repo, a.PRNumber, name), artifacts.FileBugEvidence(a.QuestionID),
			artifacts.CheckQuestionID(a.QuestionID)
	}},
	artifacts.Debugging: {artifacts.FileQuestions, artifacts.FileKeys, func(a asked) (string, string, error) {
		return a.AnswerTo, artifacts.FileEvidence(a.AnswerTo), artifacts.CheckPath(a.AnswerTo)
	}},
}

// layoutOf is the layout of a benchmark's datasets. Without one of its own, their files have the usual names, and a
// request has one question.
func layoutOf(b artifacts.Benchmark) layout {
	if l, ok := layouts[b]; ok {
		return l
	}
	return layout{string(b) + "/questions.jsonl", string(b) + "/answers.jsonl", func(a asked) (string, string, error) {
		return fmt.Sprintf("%s#%d", a.Repo, a.PRNumber), "", nil
	}}
}

// questions reads a dataset of questions and answers.
func (c *contents) questions(r *load.Reader) error {
	l := layoutOf(r.Manifest.Benchmark)
	if _, ok := r.Manifest.Files[l.questions]; !ok {
		return fmt.Errorf("%s holds %s, which have no records to compare", r.Dir, r.Manifest.Benchmark)
	}
	shown := map[string]fields{}
	for line, err := range load.RawLines(r.Dir, l.questions) {
		q, f, err := lineOf[asked](line, err)
		if err != nil {
			return fmt.Errorf("%s: %w", l.questions, err)
		}
		// Each dataset has its own canary, which does not make a question a different one.
		delete(f.value, "canary")
		delete(f.sum, "canary")
		f.order = slices.DeleteFunc(f.order, func(name string) bool { return name == "canary" })
		shown[q.QuestionID+q.SampleID] = f
	}
	for line, err := range load.RawLines(r.Dir, l.answers) {
		a, f, err := lineOf[asked](line, err)
		var name, evidence string
		if err == nil {
			name, evidence, err = l.record(a)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", l.answers, err)
		}
		h := held{parts: []part{{"answer", f}, {"question", shown[cmp.Or(a.AnswerTo, a.QuestionID)]}}}
		if evidence != "" {
			h.files = []filePart{{"evidence", evidence}}
		}
		c.held[name] = h
	}
	return nil
}

// lineOf reads a line as a value and as fields.
func lineOf[T any](line load.RawLine, err error) (T, fields, error) {
	var v T
	if err == nil {
		err = json.Unmarshal(line.Text, &v)
	}
	if err != nil {
		return v, fields{}, fmt.Errorf("line %d: %w", line.Number, err)
	}
	f, err := parseFields(line.Text)
	return v, f, err
}

// why says what the dataset decided about a record that it does not have.
func (c *contents) why(name, otherwise string) Change {
	change := Change{Pull: name, Why: otherwise, Fields: []FieldChange{}}
	pull, family, question := strings.Cut(name, " ")
	if question && c.chosen[pull] {
		change.Why = "its pull request is drawn from there, without " + family +
			": the evidence of its other questions and the quotas say why"
		return change
	}
	repo, _, _ := strings.Cut(pull, "#")
	script, _, _ := strings.Cut(pull, "__")
	for _, about := range []string{pull, script, repo} {
		if d, ok := c.decisions[about]; ok {
			why := string(d.Outcome) + " at " + d.Stage + ": " + string(d.Code)
			if d.Detail != "" {
				why += " (" + d.Detail + ")"
			}
			if about == repo && repo != pull {
				why = "its repository was " + why
			}
			change.Why, change.Stage, change.Code = why, d.Stage, d.Code
			return change
		}
	}
	return change
}
