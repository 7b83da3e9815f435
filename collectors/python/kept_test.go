package python

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// counting is a Runner that answers from a script's length.
type counting struct{ runs int }

func (c *counting) Runtime(context.Context) (model.Runtime, error) {
	return model.Runtime{Python: "3.0"}, nil
}

func (c *counting) Run(_ context.Context, job Job) (Trial, error) {
	c.runs++
	return Trial{Agrees: true, Record: &model.ScriptRun{Status: model.RunOK, Statements: []model.ExecutedStatement{{First: 1, Last: 2, Runs: 3, Start: 4, End: len(job.Script.Code)}}}}, nil
}

func TestKept_RunNeedsNoPython(t *testing.T) {
	s, err := store.Open(t.TempDir(), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	real := &counting{}
	kept := NewKept(s.Answers(), real, DefaultLimits())
	job := Job{Script: Script{Path: "a.py", Code: []byte("abc")}, Seeds: []int{1}}
	first, err := kept.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	job.Warm = []byte("import a")
	again, err := kept.Run(t.Context(), job)
	if err != nil || real.runs != 1 || !reflect.DeepEqual(first, again) {
		t.Errorf("%d runs, %+v, error %v", real.runs, again, err)
	}
	without := NewKept(s.Answers(), nil, DefaultLimits())
	if got, err := without.Run(t.Context(), job); err != nil || !reflect.DeepEqual(first, got) {
		t.Errorf("without Python: %+v, error %v", got, err)
	}
	for name, change := range map[string]func(*Job){
		"code":   func(j *Job) { j.Script.Code = []byte("abd") },
		"path":   func(j *Job) { j.Script.Path = "b.py" },
		"seeds":  func(j *Job) { j.Seeds = []int{2} },
		"inputs": func(j *Job) { j.Script.Inputs = []File{{Path: "x"}} },
	} {
		other := job
		change(&other)
		if _, err := without.Run(t.Context(), other); !errors.Is(err, ErrNotKept) {
			t.Errorf("another %s: error %v", name, err)
		}
	}
	keys, err := s.Answers().Keys(store.Run)
	if err != nil || len(keys) != 2 {
		t.Fatalf("keys %v, error %v", keys, err)
	}
	for _, k := range keys {
		if !kept.Used(store.Run, k) {
			t.Errorf("%s counts as not used", k)
		}
	}
	if kept.Used(store.Answer, keys[0]) {
		t.Error("an answer counts as a run")
	}
}
