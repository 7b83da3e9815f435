package pipeline

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prforge/prforge/internal/verdict"
)

type stage struct {
	name    string
	run     func(int) (verdict.Verdict, error)
	prepare func([]int) error
}

func (s stage) Name() string                                          { return s.name }
func (s stage) Run(_ context.Context, n int) (verdict.Verdict, error) { return s.run(n) }

type batchStage struct{ stage }

func (s batchStage) Prepare(_ context.Context, items []int) error { return s.prepare(items) }

func even(n int) (verdict.Verdict, error) {
	if n%2 == 1 {
		return verdict.Reject("odd", "not even"), nil
	}
	return verdict.Pass(), nil
}

func items(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestResultsKeepTheOrderForAnyNumberOfWorkers(t *testing.T) {
	stages := []Stage[int]{
		stage{name: "even", run: even},
		stage{name: "small", run: func(n int) (verdict.Verdict, error) {
			switch {
			case n > 90:
				return verdict.Undetermined("too_big", "cannot tell"), nil
			case n == 50:
				return verdict.Verdict{}, errors.New("boom")
			case n == 52:
				panic("worse")
			}
			return verdict.Pass(), nil
		}},
	}
	outcome := func(workers int) []string {
		results, err := Run(context.Background(), stages, items(100), Options{Workers: workers, Failure: failure})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range results {
			d := r.Decisions[len(r.Decisions)-1]
			out = append(out, fmt.Sprint(r.Item, d.Stage, d.Outcome, d.Code))
		}
		return out
	}
	one, eight := outcome(1), outcome(8)
	if !reflect.DeepEqual(one, eight) {
		t.Errorf("one worker: %v\neight: %v", one, eight)
	}
	for n, want := range map[int]string{1: "1even" + "reject" + "odd", 92: "92smallundeterminedtoo_big", 50: "50smallfailedfailed", 52: "52smallfailedfailed"} {
		if got := strings.ReplaceAll(one[n], " ", ""); got != want {
			t.Errorf("item %d: %s, want %s", n, got, want)
		}
	}
}

func TestPrepareSeesOnlyWhatReachedTheStage(t *testing.T) {
	var seen []int
	stages := []Stage[int]{
		stage{name: "even", run: even},
		batchStage{stage{name: "fetch", run: func(int) (verdict.Verdict, error) { return verdict.Pass(), nil },
			prepare: func(in []int) error { seen = in; return nil }}},
	}
	if _, err := Run(context.Background(), stages, items(6), Options{}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(seen, []int{0, 2, 4}) {
		t.Errorf("Prepare saw %v", seen)
	}
}

func TestExhaustiveGoesOnAfterARejection(t *testing.T) {
	stages := []Stage[int]{stage{name: "even", run: even}, stage{name: "again", run: even}}
	results, err := Run(context.Background(), stages, []int{1}, Options{Exhaustive: true})
	if err != nil || len(results[0].Decisions) != 2 {
		t.Errorf("decisions %v, error %v", results[0].Decisions, err)
	}
}

// failure is the reason and the sentence of every error in these tests.
func failure(error) (verdict.Code, string) { return "failed", "it went wrong" }

func TestFatalErrors(t *testing.T) {
	full := errors.New("disk full")
	fail := func(n int) (verdict.Verdict, error) {
		if n == 3 {
			return verdict.Verdict{}, fmt.Errorf("item 3: %w", full)
		}
		return verdict.Pass(), nil
	}
	prepare := func([]int) error { return fmt.Errorf("all items: %w", full) }
	for _, tc := range []struct {
		name   string
		stage  Stage[int]
		failed int // items, where the error is not fatal
	}{
		{"of one item", stage{name: "write", run: fail}, 1},
		{"of the preparation", batchStage{stage{name: "write", run: even, prepare: prepare}}, 5},
	} {
		var after atomic.Int32
		stages := []Stage[int]{tc.stage, stage{name: "after", run: func(int) (verdict.Verdict, error) { after.Add(1); return verdict.Pass(), nil }}}
		opts := Options{Failure: failure, Fatal: func(err error) bool { return errors.Is(err, full) }}
		if _, err := Run(context.Background(), stages, items(5), opts); !errors.Is(err, full) || !strings.HasPrefix(err.Error(), "write: ") {
			t.Errorf("%s: error %v", tc.name, err)
		}
		if after.Load() != 0 {
			t.Errorf("%s: a stage ran after the run had ended", tc.name)
		}
		opts.Fatal = nil
		results, err := Run(context.Background(), stages, items(5), opts)
		if err != nil {
			t.Errorf("%s: not fatal, and the run ended: %v", tc.name, err)
		}
		failed := 0
		for _, r := range results {
			if d := r.Decisions[len(r.Decisions)-1]; d.Outcome == verdict.OutcomeFailed {
				failed++
				if d.Detail != "it went wrong" || !errors.Is(r.Err, full) {
					t.Errorf("%s: %+v, %v", tc.name, d, r.Err)
				}
			}
		}
		if failed != tc.failed {
			t.Errorf("%s: %d items failed, want %d", tc.name, failed, tc.failed)
		}
	}
}

func TestCancellationEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stages := []Stage[int]{stage{name: "even", run: even}}
	if _, err := Run(ctx, stages, items(1), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestAStageWithoutAReasonIsAFault(t *testing.T) {
	mute := stage{name: "mute", run: func(int) (verdict.Verdict, error) { return verdict.Verdict{Outcome: verdict.OutcomeReject}, nil }}
	if _, err := Run(context.Background(), []Stage[int]{mute}, items(1), Options{}); err == nil {
		t.Error("a rejection without a reason passed")
	}
}
