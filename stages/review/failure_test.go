package review

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// TestEveryFilterIsAStage compares the stages of a pull request with the list
// of filters: a filter that is listed runs, in the order of the list.
func TestEveryFilterIsAStage(t *testing.T) {
	b := world.FromCollected(t)
	s, err := run.Rules(b.Env, b.Config)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, stage := range PullStages(s) {
		if f, ok := stage.(run.FilterStage); ok {
			got = append(got, f.Name())
		}
	}
	for _, f := range filters.All(s.Registry, s.Filters) {
		want = append(want, f.ID())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("stages %v, filters %v", got, want)
	}
}

// TestDamagedRecordEndsTheRun damages one record of the state, which must end
// the run whatever it is about: no item would fare better with such a disk.
func TestDamagedRecordEndsTheRun(t *testing.T) {
	b := world.FromCollected(t)
	record, _ := runtest.SomeRecord(t, world.Built(t))
	raw, err := store.Open(filepath.Join(b.State, "raw"), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range b.Config.Refs() {
		shard, err := raw.Shard(ref)
		if err == nil {
			err = store.Put(shard, store.Base, strconv.Itoa(record.PRNumber), "no base at all")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	if report, err := b.Run(context.Background()); !errors.Is(err, store.ErrState) || report != nil {
		t.Errorf("reported %t, error %v", report != nil, err)
	}
}

// TestPartialDatasetSaysNothingOfTheRun looks for the server's address in a
// dataset of a run in which git never answered.
func TestPartialDatasetSaysNothingOfTheRun(t *testing.T) {
	server := runtest.DemoServer(t, fakegithub.Options{Faults: []fakegithub.Fault{{Target: "git", Status: 503}}})
	b := world.Demo(t, server, t.TempDir())
	report := runtest.RunBuild(t, b)
	address := strings.TrimPrefix(server.URL(), "http://")
	inReport := 0
	for _, f := range report.Failures {
		if strings.Contains(f.Error, address) {
			inReport++
		}
	}
	if inReport == 0 {
		t.Errorf("no failure has the error's text: %+v", report.Failures)
	}
	if !runtest.Holds(t, b.Out, "collection_failed") {
		t.Fatal("nothing failed")
	}
	if runtest.Holds(t, b.Out, address) || runtest.Holds(t, b.Out, "503") && runtest.Holds(t, b.Out, "unable to access") {
		t.Errorf("%s or git's words are in the dataset", address)
	}
	for d, err := range load.ReadLines[artifacts.Decision](b.Out, artifacts.FileDecisions) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Outcome == artifacts.Failed && d.Detail != "it could not be collected; the same command tries again" {
			t.Errorf("%+v", d)
		}
	}
}
