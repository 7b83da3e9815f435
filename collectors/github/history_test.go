package github

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
)

func TestHistoryOfAPullRequestIsCollected(t *testing.T) {
	p := fromJSON(t, truth(t)[1])
	if p.Version != model.FactsVersion || p.Lacks() != nil {
		t.Errorf("version %d lacks %v", p.Version, p.Lacks())
	}
	if len(p.ForcePushes) != 1 || len(p.ForcePushes[0].Before) != 40 || p.ForcePushes[0].After != p.HeadOid {
		t.Errorf("force pushes %+v, head %s", p.ForcePushes, p.HeadOid)
	}
	if len(p.Edits) != 2 || p.Edits[0].Body != "Everything." || p.Edits[1].Body != p.Body || p.LastEditedAt == nil {
		t.Errorf("edits %+v of %q", p.Edits, p.Body)
	}
	for at, want := range map[string]string{"2026-01-06": "Everything.", "2026-01-08": "Everything, twice."} {
		day, _ := time.Parse(time.DateOnly, at)
		if got, known := p.DescriptionAt(day); got != want || !known {
			t.Errorf("on %s it was %q, %v", at, got, known)
		}
	}
	edited, liked := 0, 0
	for _, th := range p.Threads {
		c := th.Comments[0]
		if (c.LastEditedAt != nil) != (len(c.Edits) == 2) || len(c.Edits) == 2 && c.Edits[1].Body != c.Body {
			t.Errorf("%q was edited at %v: %+v", c.Body, c.LastEditedAt, c.Edits)
		}
		edited += len(c.Edits) / 2
		for _, r := range c.Reactions {
			if r.Content != "THUMBS_UP" || r.Count != len(r.By) {
				t.Errorf("reaction %+v", r)
			}
			liked += r.Count
		}
	}
	if edited != 6 || liked != 9 {
		t.Errorf("%d edited comments and %d reactions, want 6 and 9", edited, liked)
	}
}

func TestRecord_OldSaysWhatItLacks(t *testing.T) {
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	p := &model.PullRequest{Body: "now", LastEditedAt: &at}
	if len(p.Lacks()) == 0 {
		t.Error("a record without a version lacks nothing")
	}
	if body, known := p.DescriptionAt(at.AddDate(0, 0, -1)); known || body != "now" {
		t.Errorf("its description was %q, known %v", body, known)
	}
}

// TestHistory_ErrorBesideData: an error on the path of a node says that what came of it
// is not whole, though there is data: its edits are missing, not none.
func TestHistory_ErrorBesideData(t *testing.T) {
	want, id := truth(t), idOfPull(t, 1)
	spoiled := 0
	h := newHub(t, small(), tamper{answer: func(query string, vars map[string]any) change {
		i := nodeOf(vars, id)
		if !strings.Contains(query, "userContentEdits") || isDetails(query) || i < 0 {
			return nil
		}
		spoiled++
		return func(answer map[string]any) {
			at(answer, "data", "nodes", i).(map[string]any)["userContentEdits"] = nil
			answer["errors"] = []any{map[string]any{"path": []any{"nodes", i, "userContentEdits"}, "type": "FORBIDDEN", "message": "Resource not accessible by integration."}}
		}
	}})
	facts, _ := h.collect(t)
	if spoiled == 0 {
		t.Fatal("nothing was asked for")
	}
	same(t, facts, want, 1)
	if p := fromJSON(t, facts[1]); !slices.Contains(p.Incomplete, listEdits) {
		t.Errorf("incomplete %v with edits %+v", p.Incomplete, p.Edits)
	}
}

// TestNoteHistory_Dismissed: a review that was deleted, or whose former state nobody
// says, has no former state.
func TestNoteHistory_Dismissed(t *testing.T) {
	p := &model.PullRequest{}
	events := make([]eventNode, 3)
	for i, state := range []model.ReviewState{model.Approved, "", model.ChangesRequested} {
		events[i].Typename = "ReviewDismissedEvent"
		events[i].Dismissed.PreviousReviewState = state
		if i > 0 {
			events[i].Dismissed.Review = &reference{ID: "PRR_1"}
		}
	}
	noteHistory(p, events[:2])
	if p.Dismissed != nil {
		t.Errorf("%v", p.Dismissed)
	}
	noteHistory(p, events)
	if len(p.Dismissed) != 1 || p.Dismissed["PRR_1"] != model.ChangesRequested {
		t.Errorf("%v", p.Dismissed)
	}
}
