package report

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation"
)

// AgentTables describe how the agents came to reviews; none without agents. They leave out seconds, so that two runs
// of one agent give the same report.
func AgentTables(p evaluation.Plan, results []evaluation.Result) []evaluation.Table {
	t := evaluation.Table{
		Name: "agents", Title: "Agents' runs", Labels: []string{"hosts that it was refused"},
		Columns: []string{"reviews", "attempts", "reviews with a refused host"},
		Means:   "How often each agent ran, or a model was called, for its reviews, and which hosts it asked for that it is not allowed. What it wrote to standard error, or looked at, is with each review.",
	}
	for _, m := range p.Models {
		if !m.ReadsRepository() {
			continue
		}
		var hosts []string
		reviews, attempts, refused := 0, 0, 0
		for _, r := range results {
			for _, reply := range r.Replies {
				if r.Model != m.ID || reply.Run == nil {
					continue
				}
				reviews, attempts = reviews+1, attempts+reply.Run.Attempts
				if hosts = append(hosts, reply.Run.Refused...); len(reply.Run.Refused) > 0 {
					refused++
				}
			}
		}
		slices.Sort(hosts)
		names := strings.Join(slices.Compact(hosts), ", ")
		t.Rows = append(t.Rows,
			evaluation.TableRow{Model: m.ID, Labels: []string{names},
				Figures: []evaluation.Figure{evaluation.Count(reviews), evaluation.Count(attempts), evaluation.Count(refused)}})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []evaluation.Table{t}
}
