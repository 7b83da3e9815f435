package report_test

import (
	"testing"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/report"
	"github.com/prforge/prforge/internal/reviewer"
)

func TestAgentTables(t *testing.T) {
	p := evaluation.Plan{Models: []reviewer.Model{{ID: "text", Provider: "openai"}, {ID: "reads", Provider: reviewer.Agent}}}
	results := []evaluation.Result{
		{RecordKey: evaluation.RecordKey{Model: "text"}, Replies: []evaluation.ReviewReply{{Text: "[]"}}},
		{RecordKey: evaluation.RecordKey{Model: "reads"}, Replies: []evaluation.ReviewReply{{Run: &evaluation.Run{Attempts: 2, Refused: []string{"b.example", "a.example"}}}}},
		{RecordKey: evaluation.RecordKey{Model: "reads"}, Replies: []evaluation.ReviewReply{{Run: &evaluation.Run{Attempts: 1, Refused: []string{"a.example"}}}, {Run: &evaluation.Run{Attempts: 1}}}},
		{RecordKey: evaluation.RecordKey{Model: "reads"}, Outcome: evaluation.Failed},
	}
	tables := report.AgentTables(p, results)
	if len(tables) != 1 || len(tables[0].Rows) != 1 {
		t.Fatalf("%+v", tables)
	}
	row := tables[0].Rows[0]
	if row.Model != "reads" || row.Labels[0] != "a.example, b.example" || row.Figures[0].Value != 3 || row.Figures[1].Value != 4 || row.Figures[2].Value != 2 {
		t.Errorf("%+v", row)
	}
	if tables := report.AgentTables(evaluation.Plan{Models: p.Models[:1]}, results); tables != nil {
		t.Errorf("without an agent: %+v", tables)
	}
}
