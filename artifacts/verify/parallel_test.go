package verify_test

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/verify"
)

// many is a frozen dataset of n records.
func many(t testing.TB, n int) string {
	t.Helper()
	d := artifactstest.Dataset(artifactstest.Tasks())
	d.Tasks = iter.Seq2[*artifacts.Task, error](func(yield func(*artifacts.Task, error) bool) {
		for i := range n {
			task := artifactstest.Tasks()[i%3]
			task.Record.TaskID = fmt.Sprintf("widget__%d", i+1)
			if !yield(task, nil) {
				return
			}
		}
	})
	dir := filepath.Join(t.TempDir(), "many")
	if err := freeze.Freeze(t.Context(), dir, d); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestWorkers: the report of a dataset with faults in many records, over more
// than one batch, is the same for any number of workers, and is one of the first
// fault of each kind in the order of records.
func TestWorkers(t *testing.T) {
	dir := many(t, 150)
	for _, n := range []int{149, 100, 70, 7} {
		path := filepath.Join(dir, artifacts.FileContext("config_B", fmt.Sprintf("widget__%d", n)))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, ' '), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report := func(workers int) *verify.Report {
		o := options()
		o.Workers = workers
		r, err := verify.Dataset(t.Context(), dir, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := report(1)
	i := slices.IndexFunc(want.Faults, func(f verify.Fault) bool { return f.Kind == verify.NotCanonical })
	if i < 0 || want.Faults[i].Count != 4 || want.Faults[i].Example != artifacts.FileContext("config_B", "widget__7") {
		t.Errorf("faults %+v", want.Faults)
	}
	for _, workers := range []int{2, 7} {
		if diff := cmp.Diff(want, report(workers)); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
	}
}

// BenchmarkVerify verifies 1,000 records, one and several at once.
func BenchmarkVerify(b *testing.B) {
	dir := many(b, 1_000)
	for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			o := options()
			o.Workers = workers
			for b.Loop() {
				if _, err := verify.Dataset(b.Context(), dir, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
