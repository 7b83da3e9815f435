// Package diff compares two datasets.
package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
)

// Difference is the difference between the records of two datasets.
type Difference struct {
	Old     Version  `json:"old"`
	New     Version  `json:"new"`
	Came    []Change `json:"came"` // by pull request, as are the others
	Went    []Change `json:"went"`
	Changed []Change `json:"changed"`
	Same    int      `json:"same"`
	// Edition says that the new dataset is the next edition of the old one: a missing record was not removed.
	Edition bool `json:"edition,omitempty"`
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

// Compare compares two datasets of one benchmark, record by record. Records are
// matched by pull request, because a task id may change when another repository of
// the same name joins; questions of one fault by pull request and family, because
// their ids follow from the fault.
func Compare(old, new *load.Reader) (*Difference, error) {
	if a, b := old.Manifest.Benchmark, new.Manifest.Benchmark; a != b {
		return nil, fmt.Errorf("%s is of the benchmark %s, %s of %s: their records have nothing in common", old.Dir, a,
			new.Dir, b)
	}
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
	if err := d.options(old, new); err != nil {
		return nil, err
	}
	for _, pull := range slices.Sorted(maps.Keys(after.held)) {
		if _, kept := before.held[pull]; !kept {
			d.Came = append(d.Came, before.why(pull, "not looked at in the old dataset"))
		}
	}
	for _, pull := range slices.Sorted(maps.Keys(before.held)) {
		now, kept := after.held[pull]
		if !kept {
			d.Went = append(d.Went,
				after.why(pull, "not looked at in the new dataset: out of its window or configuration, or taken down"))
			continue
		}
		fields, err := heldFields(old, new, before.held[pull], now)
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
		d.Changed = append(d.Changed, Change{Pull: pull, Why: strings.Join(names, ", "), Cause: cause(names), Fields: fields})
	}
	return d, nil
}

func versionOf(r *load.Reader) Version {
	return Version{Dir: r.Dir, PipelineVersion: r.Manifest.PipelineVersion, FreezeDate: r.Manifest.FreezeDate,
		Records: r.Manifest.Records}
}

// options compares the options that questions were drawn by, if the datasets have such a file.
func (d *Difference) options(old, new *load.Reader) error {
	if old.Manifest.Benchmark != artifacts.Bugs {
		return nil
	}
	fields, err := filePart{"options", artifacts.FileBugOptions}.against(old, new, artifacts.FileBugOptions)
	d.Settings = append(d.Settings, fields...)
	return err
}

// settings compares the settings that made the two datasets.
func settings(old, new artifacts.Manifest) []FieldChange {
	out := []FieldChange{}
	compare := func(name string, old, new any) {
		a, errA := fieldsOf(old)
		b, errB := fieldsOf(new)
		if errA == nil && errB == nil { // both were read from JSON
			out = append(out, a.against(b, name)...)
		}
	}
	compare("parameters", old.Parameters, new.Parameters)
	for _, m := range []*artifacts.Manifest{&old, &new} {
		m.Files, m.Records, m.Parameters = nil, 0, artifacts.Parameters{}
	}
	compare("manifest", old, new)
	return out
}

// cause names the first difference of a question with a fault: the file, the fault, or its description. It is "" for
// records of other benchmarks.
func cause(names []string) string {
	for _, c := range []struct{ field, cause string }{
		{"answer.head_blob", "the original is another file, or has other contents"},
		{"answer.kind", "another kind of fault is drawn"},
		{"answer.edits", "another slip of the kind is drawn"}, {"answer.fault", "the same slip is proven otherwise"},
		{"question.view", "the same fault is shown otherwise"}, {"question.contexts", "other files are shown otherwise"},
		{"answer.question_id", "it is drawn by another seed or mode"},
	} {
		if slices.Contains(names, c.field) {
			return c.cause
		}
	}
	return ""
}

// heldFields lists the fields that differ between two versions of a record.
func heldFields(old, new *load.Reader, a, b held) ([]FieldChange, error) {
	var out []FieldChange
	for i, p := range a.parts {
		out = append(out, p.fields.against(b.parts[i].fields, p.name)...)
	}
	for i, p := range a.files {
		fields, err := p.against(old, new, b.files[i].path)
		if err != nil {
			return nil, err
		}
		out = append(out, fields...)
	}
	return out, nil
}

// against compares a file of the old dataset with one of the new.
func (p filePart) against(old, new *load.Reader, path string) ([]FieldChange, error) {
	x, err := fieldsIn(old, p.path)
	if err != nil {
		return nil, err
	}
	y, err := fieldsIn(new, path)
	if err != nil {
		return nil, err
	}
	return x.against(y, p.name), nil
}
