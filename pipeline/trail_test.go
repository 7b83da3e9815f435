package pipeline

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/verdict"
)

// trailOf is an item with a verdict a stage, in order.
func trailOf(stages []string, verdicts ...verdict.Verdict) *Trail {
	t := &Trail{Kind: "pull_request", Repo: "o/r", Number: 7}
	for i, v := range verdicts {
		t.Decide(stages[i], v)
	}
	return t
}

func TestCount_Conservation(t *testing.T) {
	stages := []string{"one", "two", "late"}
	no := verdict.Reject(verdict.NotMerged, "no")
	for _, c := range []struct {
		name   string
		trails []*Trail
		starts []string
		fault  string
	}{
		{"adds up", []*Trail{trailOf(stages, verdict.Pass(), no), trailOf(stages, no)}, nil, ""},
		{"an item is lost", []*Trail{trailOf(stages, verdict.Pass()), trailOf(stages, verdict.Pass(), verdict.Pass(), no)}, nil, "does not add up"},
		{"an item comes from nowhere", []*Trail{trailOf(stages[1:], verdict.Pass(), no)}, nil, "does not add up"},
		{"items of another kind come in", []*Trail{trailOf(stages, no), trailOf(stages[2:], no)}, []string{"late"}, ""},
		{"a stage that is not in the list", []*Trail{trailOf([]string{"other"}, no)}, nil, "o/r#7: "},
	} {
		funnel, err := Count(slices.Values(c.trails), stages, c.starts...)
		if c.fault == "" && (err != nil || funnel == nil) || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.fault)
		}
	}
}

func TestTrail_AliveUntilARejection(t *testing.T) {
	stages := []string{"one", "two"}
	if !new(Trail).Alive() || !trailOf(stages, verdict.Pass()).Alive() {
		t.Error("an item that nothing rejected is not alive")
	}
	if trailOf(stages, verdict.Pass(), verdict.Reject(verdict.NotMerged, "no")).Alive() {
		t.Error("a rejected item is alive")
	}
	failed := &Trail{}
	failed.Fail("one", errors.New("the disk is full"), func(error) (verdict.Code, string) { return verdict.NotAnswered, "it failed" })
	if d := failed.Last(); failed.Alive() || failed.Error != "the disk is full" || d.Outcome != verdict.OutcomeFailed || d.Detail != "it failed" {
		t.Errorf("%+v", failed)
	}
	taken := &Trail{}
	Take(taken, &Result[int]{Decisions: failed.Decisions, Err: errors.New("again")})
	if taken.Error != "again" || len(taken.Decisions) != 1 {
		t.Errorf("%+v", taken)
	}
}
