package verify

import (
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/text"
)

// Tally gathers faults by kind while a dataset is read.
type Tally struct {
	Checks int     // single facts looked at
	kinds  []Fault // with their texts, in the order of a report
	found  map[Kind]*Fault
}

// NewTally makes a Tally for some kinds of faults with their texts, in their order.
func NewTally(kinds []Fault) *Tally { return &Tally{kinds: kinds, found: map[Kind]*Fault{}} }

// Check counts one check. If it fails, it notes the fault with a position, which is computed only then. It returns
// ok.
func (t *Tally) Check(k Kind, ok bool, place string, args ...any) bool {
	t.Checks++
	if !ok {
		t.Note(k, place, args...)
	}
	return ok
}

// Note notes a fault with a position.
func (t *Tally) Note(k Kind, place string, args ...any) {
	f := t.found[k]
	if f == nil {
		i := slices.IndexFunc(t.kinds, func(f Fault) bool { return f.Kind == k })
		f = &Fault{Kind: k, Text: t.kinds[i].Text, Example: text.Clip(text.Printable(fmt.Sprintf(place, args...)),
			maxExample)}
		t.found[k] = f
	}
	f.Count++
}

// Files compares the files of a dataset with its manifest and, in some of them, each line with its schema. It notes
// what differs as the two kinds of faults.
func (t *Tally) Files(dir string, m *artifacts.Manifest, file, line Kind, schemas map[string]schema.Name) error {
	faults, _, err := load.CheckFiles(dir, m)
	if err != nil {
		return err
	}
	t.Checks += len(m.Files)
	for _, f := range faults {
		t.Note(file, "%s", f.String())
	}
	for path, name := range schemas {
		for l, err := range load.RawLines(dir, path) {
			if err != nil {
				return err
			}
			err := schema.Check(name, l.Text)
			t.Check(line, err == nil, "%s:%d: %v", path, l.Number, err)
		}
	}
	return nil
}

// add appends another tally.
func (t *Tally) add(later *Tally) {
	t.Checks += later.Checks
	for kind, f := range later.found {
		if t.found[kind] == nil {
			t.found[kind] = f
			continue
		}
		t.found[kind].Count += f.Count
	}
}

// faults lists the faults, in the order of kinds.
func (t *Tally) faults() []Fault {
	out := []Fault{}
	for _, k := range t.kinds {
		if f := t.found[k.Kind]; f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// tell adds to a report what is no fault: the warnings and the notes.
func (t *Tally) tell(r *Report) {
	for _, f := range t.faults() {
		if f.Kind == SecretInSource {
			r.Notes = append(r.Notes, f)
		} else {
			r.Warnings = append(r.Warnings, f)
		}
	}
}

// Report is the report of a dataset, without warnings.
func (t *Tally) Report(dataset, format string, records int) *Report {
	return &Report{Dataset: dataset, Format: format, Records: records, Checks: t.Checks, Faults: t.faults(),
		Warnings: []Fault{}, Skipped: []string{}}
}
