package escaped

import (
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring/escaped"
	"github.com/prforge/prforge/stages/run"
)

// A link of grade B does not hide a later one of grade A, nor does one that does not hold.
func TestFilter_PrefersGradeA(t *testing.T) {
	merged := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	link := func(oid string, days int, e escaped.Evidence) escaped.Link {
		line := model.OriginLine{Unit: strings.Repeat("a", 40)}
		fix := &model.LaterCommit{Oid: oid, Unit: model.Unit{Subject: "Fix the total", Body: "It causes a crash.", At: merged.AddDate(0, 0, days)}}
		fix.Change.Lines = []model.OriginLine{line}
		return escaped.Link{Fix: fix, Unit: line.Unit, Evidence: e, Plain: e == escaped.Named, Lines: fix.Change.Lines}
	}
	late, revert, named := link("late", -1, escaped.Named), link("revert", 1, escaped.Reverted), link("named", 9, escaped.Named)
	for _, tc := range []struct {
		links       []escaped.Link
		link, grade string
		code        verdict.Code
	}{
		{links: []escaped.Link{late, revert, named}, link: "named", grade: "A"},
		{links: []escaped.Link{named, revert}, link: "named", grade: "A"},
		{links: []escaped.Link{late, revert}, link: "revert", grade: "B"},
		{links: []escaped.Link{late}, code: verdict.LinkWrongPull},
	} {
		pull := &model.PullRequest{Title: "Count items", MergedAt: &merged, MergeCommit: &model.MergeCommit{Oid: strings.Repeat("a", 40)}}
		o := &own{links: tc.links}
		it := &run.Item{Own: o, Candidate: &model.Candidate{Final: &model.Final{Pull: pull}}}
		v, err := filterStage{&rule{options: escaped.DefaultOptions()}}.Run(t.Context(), it)
		if err != nil || v.Code != tc.code {
			t.Errorf("%s, %v; want %q", v.Code, err, tc.code)
		}
		if tc.link != "" && (o.link.Fix.Oid != tc.link || o.grade != tc.grade || (o.why == "") != (tc.grade == "A")) {
			t.Errorf("%s of grade %s (%s), want %s of %s", o.link.Fix.Oid, o.grade, o.why, tc.link, tc.grade)
		}
	}
}
