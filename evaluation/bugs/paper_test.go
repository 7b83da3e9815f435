package bugs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation"
)

// Of the paper's two families any error that is named counts, right or wrong, by the blind judge where it was asked.
func TestPaperScore(t *testing.T) {
	items := map[string]evaluation.Item{}
	var results []evaluation.Result
	add := func(family string, a *Answer) {
		k := Key{QuestionID: family + string(rune('a'+len(results))), Repo: "o/r", Family: family, Prompt: promptTests}
		if family != Control {
			k.Fault = &Fault{Name: "totl", CauseLine: 1, ReportLine: 1}
		}
		key, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		items[k.QuestionID] = evaluation.Item{ID: k.QuestionID, Key: key, Prompts: map[string]string{"config_A": "the file"}}
		r := evaluation.Result{RecordKey: evaluation.RecordKey{Model: "m", Config: "config_A", Task: k.QuestionID}}
		if a != nil {
			answer, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			r.Reading, r.Replies = &evaluation.Reading{Answer: answer}, []evaluation.ReviewReply{{Text: "it raises"}}
		}
		results = append(results, r)
	}
	wrong := []Finding{{Kind: other, Line: 99, Error: "ValueError"}}
	add(Undeclared, &Answer{Findings: wrong})
	add(Indentation, &Answer{Findings: wrong, Advice: map[string]bool{blindJudge: false}})
	add(Indentation, &Answer{Advice: map[string]bool{blindJudge: true}})
	add(Undeclared, nil) // no answer
	add(Logic, &Answer{Findings: wrong})
	add(Control, &Answer{Findings: wrong})
	out, err := Benchmark{}.Publish(items, results, evaluation.PublishOptions{Confidence: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	counts, _ := out.Tables.([]paperCount)
	if len(counts) != 1 || len(out.Answers) != 5 || !strings.Contains(out.Text, " rule         2/4     0.500 ") {
		t.Fatalf("%+v", out)
	}
	if c := counts[0]; c.Yes != 2 || c.Faults.Clusters != 4 || c.Faults.Value != 0.5 || c.Controls.Value != 1 || c.Judged {
		t.Errorf("counted %+v", c)
	}
	if a := out.Answers[0].(paperAnswer); a.System != prompt("tests.txt") || a.User != "the file" || a.Category != Undeclared || a.Repository != "o/r" || a.Response != "it raises" || !a.Yes {
		t.Errorf("the published form is %+v", a)
	}
}
