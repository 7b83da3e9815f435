package escaped

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring/fixes"
	"github.com/prforge/prforge/stages/run"
)

// A link of grade B does not hide a later one of grade A, nor does one that does not hold.
func TestFilter_PrefersGradeA(t *testing.T) {
	merged := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	link := func(oid string, days int, e fixes.Evidence) fixes.Link {
		line := model.OriginLine{Unit: strings.Repeat("a", 40)}
		fix := &model.LaterCommit{Oid: oid, Unit: model.Unit{Subject: "Fix the total", Body: "It causes a crash.", At: merged.AddDate(0, 0, days)}}
		fix.Change.Lines = []model.OriginLine{line}
		return fixes.Link{Fix: fix, Unit: line.Unit, Evidence: e, Naming: fixes.Naming{Plain: e == fixes.Named}, Lines: fix.Change.Lines}
	}
	late, revert, named := link("late", -1, fixes.Named), link("revert", 1, fixes.Reverted), link("named", 9, fixes.Named)
	for _, tc := range []struct {
		links       []fixes.Link
		link, grade string
		code        verdict.Code
	}{
		{links: []fixes.Link{late, revert, named}, link: "named", grade: "A"},
		{links: []fixes.Link{named, revert}, link: "named", grade: "A"},
		{links: []fixes.Link{late, revert}, link: "revert", grade: "B"},
		{links: []fixes.Link{late}, code: verdict.LinkWrongPull},
	} {
		pull := &model.PullRequest{Title: "Count items", MergedAt: &merged, MergeCommit: &model.MergeCommit{Oid: strings.Repeat("a", 40)}}
		o := &own{links: tc.links}
		it := &run.Item{Own: o, Candidate: &model.Candidate{Final: &model.Final{Pull: pull}}}
		v, err := filterStage{&rule{options: fixes.DefaultOptions()}}.Run(t.Context(), it)
		if err != nil || v.Code != tc.code {
			t.Errorf("%s, %v; want %q", v.Code, err, tc.code)
		}
		if tc.link != "" && (o.link.Fix.Oid != tc.link || o.grade != tc.grade || (o.why == "") != (tc.grade == "A")) {
			t.Errorf("%s of grade %s (%s), want %s of %s", o.link.Fix.Oid, o.grade, o.why, tc.link, tc.grade)
		}
	}
}

// The last approval before the merge by somebody else counts, or without one the last review.
func TestLastReviewed(t *testing.T) {
	merged := time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		reviews string // each "state login oid day", with "-" for no day or commit
		want    string
		day     int
	}{
		{},
		{"COMMENTED bob a 1, COMMENTED bob b 2", "b", 2},
		{"APPROVED bob a 1, COMMENTED bob b 2", "a", 1},
		{"COMMENTED bob a 1, APPROVED bob b 2", "b", 2},
		{"APPROVED bob a 1, APPROVED eve b 2", "b", 2},
		{"WITHDRAWN bob a 1, COMMENTED bob b 2", "a", 1},
		{"COMMENTED bob a 1, APPROVED ann b 2", "a", 1},
		{"COMMENTED bob a 1, APPROVED bob - 2", "a", 1},
		{"COMMENTED bob a 1, APPROVED bob b -", "a", 1},
		{"COMMENTED bob a 1, APPROVED bob b 9", "b", 9},
		{"COMMENTED bob a 1, APPROVED bob b 10", "a", 1},
	} {
		p := &model.PullRequest{Author: model.Account{Login: "ann"}, MergedAt: &merged, Dismissed: map[string]model.ReviewState{"WITHDRAWN": model.Approved}}
		for review := range strings.SplitSeq(tc.reviews, ", ") {
			if words := strings.Fields(review); len(words) == 4 {
				r := model.Review{NodeID: words[0], State: model.ReviewState(words[0]), Author: model.Account{Login: words[1]}, CommitOid: strings.Trim(words[2], "-")}
				if day, err := strconv.Atoi(words[3]); err == nil {
					at := time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC)
					r.SubmittedAt = &at
				}
				p.Reviews = append(p.Reviews, r)
			}
		}
		if oid, at := lastReviewed(p); oid != tc.want || oid != "" && at.Day() != tc.day {
			t.Errorf("%s: %q on %v, want %q on the %dth", tc.reviews, oid, at, tc.want, tc.day)
		}
	}
}
