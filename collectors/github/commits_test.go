package github

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

func TestCommitPulls(t *testing.T) {
	var commits []string
	numbers := map[string]int{}
	for n, facts := range truth(t) {
		oid := fromJSON(t, facts).MergeCommit.Oid
		commits, numbers[oid] = append(commits, oid), n
	}
	unknown := strings.Repeat("0", 40)
	commits = append(commits, unknown)
	asked := 0
	h := newHub(t, DefaultOptions(), tamper{request: func(query string, vars map[string]any) int {
		if strings.Contains(query, "associatedPullRequests") {
			if asked++; len(vars) > 2+3 { // too much for three commits at once
				return http.StatusBadGateway
			}
		}
		return 0
	}})
	for len(commits) > 0 {
		pulls, n, err := h.client.CommitPulls(context.Background(), widgetRef, commits)
		if err != nil {
			t.Fatal(err)
		}
		for _, oid := range commits[:n] {
			if p, known := pulls[oid]; !known || p.Number != numbers[oid] {
				t.Errorf("%s: %+v, want #%d", oid, p, numbers[oid])
			}
		}
		if p := pulls[commits[0]]; p.Number == 1 && (p.Title != "Change everything" || p.Body != "Everything, twice." || len(p.Labels) != 4) {
			t.Errorf("#1 is %+v", p)
		}
		commits = commits[n:]
	}
	if asked < 4 {
		t.Errorf("%d requests, some of which were refused", asked)
	}
}
