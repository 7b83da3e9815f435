package scoring

import (
	"slices"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func date(t *testing.T, s string) *time.Time {
	t.Helper()
	d, err := time.Parse("2006-01-02", s)
	if err != nil {
		t.Fatal(err)
	}
	return &d
}

// window is that of 2025-10-15 to 2026-03-16 with a cap.
func window(t *testing.T, limit int) WindowOptions {
	return WindowOptions{Since: *date(t, "2025-10-15"), Until: *date(t, "2026-03-16"), MaxPulls: limit}
}

func TestWindowTakesTheNewestMerged(t *testing.T) {
	census := &model.Census{Pulls: []model.PullSummary{
		{Number: 1, MergedAt: date(t, "2025-10-14")}, // a day too early
		{Number: 2, MergedAt: date(t, "2025-10-15")}, // the first day
		{Number: 3, MergedAt: date(t, "2026-03-15")}, // the last day
		{Number: 4, MergedAt: date(t, "2026-03-16")}, // too young
		{Number: 5, MergedAt: date(t, "2026-01-01")},
		{Number: 6, MergedAt: date(t, "2026-01-01")}, // the same moment: the higher number first
		{Number: 7, ClosedAt: date(t, "2026-02-01")}, // closed, within the span of those taken
		{Number: 8, ClosedAt: date(t, "2025-11-01")}, // closed, before the oldest taken
		{Number: 9}, // open
	}}
	numbers := func(pulls []model.PullSummary) (out []int) {
		for _, p := range pulls {
			out = append(out, p.Number)
		}
		return out
	}
	inside, over := window(t, 3).Split(census)
	if got, want := numbers(inside), []int{3, 6, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("inside %v, want %v", got, want)
	}
	if got, want := numbers(over), []int{2}; !slices.Equal(got, want) {
		t.Errorf("over the cap %v, want %v", got, want)
	}
	inside, over = window(t, 30).Split(census)
	if got, want := numbers(inside), []int{3, 6, 5, 2, 7, 8}; !slices.Equal(got, want) || len(over) != 0 {
		t.Errorf("inside %v, over %v, want %v and none", got, numbers(over), want)
	}
}

func TestWindowDecisionsSayWhy(t *testing.T) {
	o := window(t, 3)
	for _, tc := range []struct {
		pull model.PullSummary
		code verdict.Code
	}{
		{model.PullSummary{MergedAt: date(t, "2025-10-15")}, ""},
		{model.PullSummary{MergedAt: date(t, "2025-10-14")}, verdict.OutsideWindow},
		{model.PullSummary{MergedAt: date(t, "2026-03-16")}, verdict.OutsideWindow},
		{model.PullSummary{}, verdict.OutsideWindow},
	} {
		if got := o.Verdict(tc.pull); got.Code != tc.code {
			t.Errorf("%v: %q, want %q", endedAt(tc.pull), got.Code, tc.code)
		}
	}
}
