package diff_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/diff"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
)

func open(t *testing.T, d freeze.Dataset) *load.Reader {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if err := freeze.Freeze(t.Context(), dir, d); err != nil {
		t.Fatal(err)
	}
	r, err := load.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// describe is a difference as text to search.
func describe(d *diff.Difference) string {
	var b strings.Builder
	fields := func(fields []diff.FieldChange) {
		for _, f := range fields {
			fmt.Fprintf(&b, "%s: %s -> %s\n", f.Field, f.Old, f.New)
		}
	}
	fields(d.Settings)
	for sign, changes := range map[string][]diff.Change{"+": d.Came, "-": d.Went, "~": d.Changed} {
		for _, c := range changes {
			fmt.Fprintf(&b, "%s %s %s\n", sign, c.Pull, c.Why)
			fields(c.Fields)
		}
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	before := open(t, artifactstest.Dataset(artifactstest.Tasks()))
	tasks := artifactstest.Tasks()
	tasks[0].Record.Difficulty = model.Type2 // changes
	tasks[0].Record.DiffPatch += " "
	tasks[0].Contexts[1].Rendered += "\x1b[31m"
	// widget__2 goes, widget__9 comes
	tasks[1].Record.PRNumber, tasks[1].Record.TaskID = 9, "widget__9"
	d := artifactstest.Dataset(tasks)
	d.Manifest.Parameters.RVSFloor = .4
	all := slices.Collect(func(yield func(artifacts.Rejection) bool) {
		for r := range d.Decisions {
			if r.PRNumber != nil && *r.PRNumber == 9 && r.Outcome != artifacts.Selected {
				number := 2
				r.PRNumber, r.Stage, r.Code, r.Outcome = &number, "select", "below_floor", artifacts.Rejected
			}
			if !yield(r) {
				return
			}
		}
	})
	d.Decisions = freeze.Seq(all...)
	after := open(t, d)
	got, err := diff.Compare(before, after)
	if err != nil {
		t.Fatal(err)
	}
	text := describe(got)
	for _, want := range []string{
		"parameters.rvs_floor: 0.35 -> 0.4", "+ acme/widget#9 undetermined at base-accessible: base_missing", "- acme/widget#2 rejected at select: below_floor",
		"~ acme/widget#1", `record.difficulty: "Type1_Direct" -> "Type2_Contextual"`, "record.diff_patch: 413 bytes -> 414 bytes", "config_B.rendered: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(got.Came) != 1 || len(got.Went) != 1 || len(got.Changed) != 1 || got.Same != 1 {
		t.Errorf("%+v", got)
	}
	if same, err := diff.Compare(before, before); err != nil || same.Same != 3 || len(same.Came)+len(same.Went)+len(same.Changed)+len(same.Settings) > 0 {
		t.Errorf("a dataset against itself: %+v, %v", same, err)
	}
}
