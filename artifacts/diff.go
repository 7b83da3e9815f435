package artifacts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/verdict"
)

// Difference is what became of the records between two datasets.
type Difference struct {
	Old     Version  `json:"old"`
	New     Version  `json:"new"`
	Came    []Change `json:"came"` // by pull request, as are the others
	Went    []Change `json:"went"`
	Changed []Change `json:"changed"`
	Same    int      `json:"same"`
	// Settings are fields of the manifest that differ, other than its files.
	Settings []FieldChange `json:"settings"`
}

// Version names a dataset.
type Version struct {
	Dir             string `json:"dir"`
	PipelineVersion string `json:"pipeline_version"`
	FreezeDate      string `json:"freeze_date"`
	Records         int    `json:"records"`
}

// Change is one record that came, went or changed.
type Change struct {
	Pull   string        `json:"pull"` // OWNER/NAME#N
	Why    string        `json:"why"`  // from the audit of the dataset that lacks it; for a change, the fields
	Stage  string        `json:"stage"`
	Code   verdict.Code  `json:"code"`
	Fields []FieldChange `json:"fields"`
}

// FieldChange is one field that differs. Short values stand as they are, as
// JSON; of long ones only the sizes are told.
type FieldChange struct {
	Field string `json:"field"` // "record.difficulty", "annotation.comments", "config_B.rendered", "evidence.scores"
	Old   string `json:"old"`
	New   string `json:"new"`
}

// Diff compares two datasets, record by record. Records are matched by pull
// request, because a task id may change when another repository of the same name
// joins.
func Diff(old, new *Reader) (*Difference, error) {
	before, err := index(old)
	if err != nil {
		return nil, err
	}
	after, err := index(new)
	if err != nil {
		return nil, err
	}
	d := &Difference{
		Old: versionOf(old), New: versionOf(new), Came: []Change{}, Went: []Change{}, Changed: []Change{},
		Settings: settings(old.Manifest, new.Manifest),
	}
	for _, pull := range slices.Sorted(maps.Keys(after.tasks)) {
		if _, kept := before.tasks[pull]; !kept {
			d.Came = append(d.Came, before.why(pull, "not looked at in the old dataset"))
		}
	}
	for _, pull := range slices.Sorted(maps.Keys(before.tasks)) {
		now, kept := after.tasks[pull]
		if !kept {
			d.Went = append(d.Went, after.why(pull, "not looked at in the new dataset: out of its window or configuration, or taken down"))
			continue
		}
		fields, err := taskFields(old, new, before.tasks[pull], now)
		if err != nil {
			return nil, err
		}
		if len(fields) == 0 {
			d.Same++
			continue
		}
		names := make([]string, len(fields))
		for i, f := range fields {
			names[i] = f.Field
		}
		d.Changed = append(d.Changed, Change{Pull: pull, Why: strings.Join(names, ", "), Fields: fields})
	}
	return d, nil
}

func versionOf(r *Reader) Version {
	return Version{Dir: r.Dir, PipelineVersion: r.Manifest.PipelineVersion, FreezeDate: r.Manifest.FreezeDate, Records: r.Manifest.Records}
}

// contents is what a dataset holds and what it decided: names and codes only.
type contents struct {
	tasks     map[string]held     // by pull request
	decisions map[string]Decision // pull request or repository -> why it is not there
}

// held is one record without its long texts.
type held struct {
	taskID string
	fields fields
}

func index(r *Reader) (*contents, error) {
	c := &contents{tasks: map[string]held{}, decisions: map[string]Decision{}}
	for record, err := range r.Records() {
		if err != nil {
			return nil, err
		}
		f, err := fieldsOf(record)
		if err != nil {
			return nil, err
		}
		c.tasks[fmt.Sprintf("%s#%d", record.Repo, record.PRNumber)] = held{record.TaskID, f}
	}
	for d, err := range r.Decisions() {
		if err != nil {
			return nil, err
		}
		if d.Outcome == Selected {
			continue
		}
		name := d.Repo
		if d.PRNumber != nil {
			name = fmt.Sprintf("%s#%d", d.Repo, *d.PRNumber)
		}
		c.decisions[name] = *d
	}
	return c, nil
}

// why says what the dataset decided about a pull request that it lacks.
func (c *contents) why(pull, otherwise string) Change {
	repo, _, _ := strings.Cut(pull, "#")
	for _, name := range []string{pull, repo} {
		if d, ok := c.decisions[name]; ok {
			why := string(d.Outcome) + " at " + d.Stage + ": " + string(d.Code)
			if d.Detail != "" {
				why += " (" + d.Detail + ")"
			}
			if name == repo {
				why = "its repository was " + why
			}
			return Change{Pull: pull, Why: why, Stage: d.Stage, Code: d.Code, Fields: []FieldChange{}}
		}
	}
	return Change{Pull: pull, Why: otherwise, Fields: []FieldChange{}}
}

// settings compares what made the two datasets.
func settings(old, new Manifest) []FieldChange {
	out := []FieldChange{}
	compare := func(name string, old, new any) {
		a, errA := fieldsOf(old)
		b, errB := fieldsOf(new)
		if errA == nil && errB == nil { // both were read from JSON
			out = append(out, a.against(b, name)...)
		}
	}
	compare("parameters", old.Parameters, new.Parameters)
	for _, m := range []*Manifest{&old, &new} {
		m.Files, m.Records, m.Parameters = nil, 0, Parameters{}
	}
	compare("manifest", old, new)
	return out
}

// taskFields lists the fields that differ between two versions of a task.
func taskFields(old, new *Reader, a, b held) ([]FieldChange, error) {
	out := a.fields.against(b.fields, "record")
	files := []struct{ name, old, new string }{
		{"annotation", FileAnnotation(a.taskID), FileAnnotation(b.taskID)}, {"evidence", FileEvidence(a.taskID), FileEvidence(b.taskID)},
	}
	for _, config := range Configs {
		files = append(files, struct{ name, old, new string }{config, FileContext(config, a.taskID), FileContext(config, b.taskID)})
	}
	for _, f := range files {
		x, err := fieldsIn(old, a.taskID, f.old)
		if err != nil {
			return nil, err
		}
		y, err := fieldsIn(new, b.taskID, f.new)
		if err != nil {
			return nil, err
		}
		out = append(out, x.against(y, f.name)...)
	}
	return out, nil
}
