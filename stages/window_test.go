package stages

import (
	"slices"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func day(t *testing.T, s string) *time.Time {
	t.Helper()
	d, err := config.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return &d.Time
}

// windowSettings is the window of 2025-10-15 to 2026-03-16 with a cap.
func windowSettings(t *testing.T, limit int) *settings {
	c := config.Default()
	c.Dataset.FreezeDate = config.Date{Time: *day(t, "2026-04-15")}
	c.Window.MaxPullsPerRepository = limit
	return &settings{config: &c, since: c.Since(), until: c.Until()}
}

func TestWindowTakesTheNewestMerged(t *testing.T) {
	census := &model.Census{Pulls: []model.PullSummary{
		{Number: 1, MergedAt: day(t, "2025-10-14")}, // a day too early
		{Number: 2, MergedAt: day(t, "2025-10-15")}, // the first day
		{Number: 3, MergedAt: day(t, "2026-03-15")}, // the last day
		{Number: 4, MergedAt: day(t, "2026-03-16")}, // too young
		{Number: 5, MergedAt: day(t, "2026-01-01")},
		{Number: 6, MergedAt: day(t, "2026-01-01")}, // the same moment: the higher number first
		{Number: 7, ClosedAt: day(t, "2026-02-01")}, // closed, within the span of those taken
		{Number: 8, ClosedAt: day(t, "2025-11-01")}, // closed, before the oldest taken
		{Number: 9}, // open
	}}
	numbers := func(pulls []model.PullSummary) (out []int) {
		for _, p := range pulls {
			out = append(out, p.Number)
		}
		return out
	}
	inside, over := window(census, windowSettings(t, 3))
	if got, want := numbers(inside), []int{3, 6, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("inside %v, want %v", got, want)
	}
	if got, want := numbers(over), []int{2}; !slices.Equal(got, want) {
		t.Errorf("over the cap %v, want %v", got, want)
	}
	inside, over = window(census, windowSettings(t, 30))
	if got, want := numbers(inside), []int{3, 6, 5, 2, 7, 8}; !slices.Equal(got, want) || len(over) != 0 {
		t.Errorf("inside %v, over %v, want %v and none", got, numbers(over), want)
	}
}

func TestWindowDecisionsSayWhy(t *testing.T) {
	s := windowSettings(t, 3)
	for _, tc := range []struct {
		pull model.PullSummary
		code verdict.Code
	}{
		{model.PullSummary{MergedAt: day(t, "2025-10-15")}, ""},
		{model.PullSummary{MergedAt: day(t, "2025-10-14")}, verdict.OutsideWindow},
		{model.PullSummary{MergedAt: day(t, "2026-03-16")}, verdict.OutsideWindow},
		{model.PullSummary{}, verdict.OutsideWindow},
	} {
		if got := windowDecision(tc.pull, s); got.Code != tc.code {
			t.Errorf("%v: %q, want %q", endedAt(tc.pull), got.Code, tc.code)
		}
	}
}

func TestARepositoryListedTwiceCountsOnce(t *testing.T) {
	ref := model.RepoRef{Owner: "new", Name: "name"}
	shards := []*shard{
		{asked: model.RepoRef{Owner: "old", Name: "name"}, facts: &model.Repository{ID: 7, Ref: ref}, pulls: []*graded{{}}},
		{asked: ref, facts: &model.Repository{ID: 7, Ref: ref}, pulls: []*graded{{}}},
		{asked: model.RepoRef{Owner: "other", Name: "name"}, facts: &model.Repository{ID: 8}, pulls: []*graded{{}}},
	}
	for _, sh := range shards {
		sh.repository = verdict.Decision{Stage: verdict.StageRQS, Verdict: verdict.Pass()}
	}
	dropDuplicates(shards)
	if shards[0].repository.Verdict.Code != verdict.DuplicateRepository || shards[0].pulls != nil || shards[0].name() != "old/name" {
		t.Errorf("the former name is %+v", shards[0].repository)
	}
	if len(shards[1].pulls) != 1 || len(shards[2].pulls) != 1 {
		t.Error("another one was dropped")
	}
}
