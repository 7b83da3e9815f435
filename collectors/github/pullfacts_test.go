package github

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/model"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden_PullRequest compares every fact of a pull request that has one of
// each with what it was.
func TestGolden_PullRequest(t *testing.T) {
	const file = "testdata/gadget.json"
	ref := model.PullRef{Repo: model.RepoRef{Owner: "acme", Name: "gadget"}, Number: 1}
	// The fake knows no renamed titles.
	renamed := func(string, map[string]any) change {
		return func(answer map[string]any) {
			each(answer, func(node map[string]any) {
				timeline, ok := node["timelineItems"].(map[string]any)
				if !ok {
					return
				}
				events, _ := timeline["nodes"].([]any)
				timeline["totalCount"] = len(events) + 1
				timeline["nodes"] = append([]any{map[string]any{
					"__typename": "RenamedTitleEvent", "createdAt": "2026-01-06T10:00:00Z",
					"previousTitle": "Bound the rate", "currentTitle": "Bound the rate in one place",
				}}, events...)
			})
		}
	}
	h := newHub(t, DefaultOptions(), tamper{answer: renamed})
	summary := h.survey(t, Want{Ref: ref.Repo, Since: longAgo}).Census.Pulls[0]
	for p, err := range h.client.Pulls(t.Context(), []PullAsk{{Ref: ref, NodeID: summary.NodeID}}) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.MarshalIndent(p, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)+"\n"); d != "" {
			t.Errorf("other facts (-before +now):\n%s", d)
		}
	}
}
