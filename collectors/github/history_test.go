package github

import (
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
