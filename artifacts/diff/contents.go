package diff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
)

// contents is what a dataset holds and what it decided: names and codes only.
type contents struct {
	held      map[string]held               // by pull request, or what else names a record
	decisions map[string]artifacts.Decision // pull request, repository or item -> why it is not there
	chosen    map[string]bool               // pull requests that something was made of
}

// held is one record without its long texts.
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
	read := map[artifacts.Benchmark]func(*contents, *load.Reader) error{artifacts.Review: (*contents).tasks, artifacts.Bugs: (*contents).questions, artifacts.Debugging: (*contents).samples}[r.Manifest.Benchmark]
	if read == nil {
		return nil, fmt.Errorf("%s holds %s, which have no records to compare", r.Dir, r.Manifest.Benchmark)
	}
	if err := read(c, r); err != nil {
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
		h := held{[]part{{"record", f}}, []filePart{{"annotation", artifacts.FileAnnotation(record.TaskID)}, {"evidence", artifacts.FileEvidence(record.TaskID)}}}
		for _, config := range artifacts.Configs {
			h.files = append(h.files, filePart{config, artifacts.FileContext(config, record.TaskID)})
		}
		c.held[artifacts.NameOf(record)] = h
	}
	return nil
}

// questions reads a dataset of files with one fault. A pull request has one
// question of a family at most, and one control of a kind.
func (c *contents) questions(r *load.Reader) error {
	asked := map[string]fields{}
	for line, err := range load.RawLines(r.Dir, artifacts.FileBugQuestions) {
		q, f, err := lineOf[model.BugQuestion](line, err)
		if err != nil {
			return fmt.Errorf("%s: %w", artifacts.FileBugQuestions, err)
		}
		// Another dataset has another canary; the question is none because of that.
		delete(f.value, "canary")
		delete(f.sum, "canary")
		f.order = slices.DeleteFunc(f.order, func(name string) bool { return name == "canary" })
		asked[q.QuestionID] = f
	}
	for line, err := range load.RawLines(r.Dir, artifacts.FileBugAnswers) {
		a, f, err := lineOf[model.BugAnswer](line, err)
		if err == nil {
			err = artifacts.CheckQuestionID(a.QuestionID)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", artifacts.FileBugAnswers, err)
		}
		name := a.Family
		if a.Fault == nil {
			name = "control " + a.Kind
		}
		c.held[fmt.Sprintf("%s#%d %s", a.Repo, a.PRNumber, name)] = held{
			[]part{{"answer", f}, {"question", asked[a.QuestionID]}}, []filePart{{"evidence", artifacts.FileBugEvidence(a.QuestionID)}},
		}
	}
	return nil
}

// samples reads a dataset of scripts with errors.
func (c *contents) samples(r *load.Reader) error {
	asked := map[string]fields{}
	for line, err := range load.RawLines(r.Dir, artifacts.FileQuestions) {
		s, f, err := lineOf[sampleID](line, err)
		if err != nil {
			return fmt.Errorf("%s: %w", artifacts.FileQuestions, err)
		}
		asked[s.ID] = f
	}
	for line, err := range load.RawLines(r.Dir, artifacts.FileKeys) {
		a, f, err := lineOf[sampleID](line, err)
		if err != nil {
			return fmt.Errorf("%s: %w", artifacts.FileKeys, err)
		}
		if err := artifacts.CheckPath(a.Of); err != nil {
			return err
		}
		c.held[a.Of] = held{[]part{{"answer", f}, {"question", asked[a.Of]}}, []filePart{{"evidence", artifacts.FileEvidence(a.Of)}}}
	}
	return nil
}

// sampleID is what is read of a sample's question and answer.
type sampleID struct {
	ID string `json:"sample_id"`
	Of string `json:"answer_to"`
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

// why says what the dataset decided about a record that it lacks.
func (c *contents) why(name, otherwise string) Change {
	change := Change{Pull: name, Why: otherwise, Fields: []FieldChange{}}
	pull, family, question := strings.Cut(name, " ")
	if question && c.chosen[pull] {
		change.Why = "its pull request is drawn from there, without " + family + ": the evidence of its other questions and the quotas say why"
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
