package dsdbench

import "fmt"

// messageFrom is the judge's score from which a message is right.
const messageFrom = 0.75

// SingleIDs are the records with one error that the published tables keep.
func SingleIDs() []int { return ids(1, 5, 51, 55, 100, 104, 151, 155) }

// MultiIDs are the records with several errors that they keep.
func MultiIDs() []int { return ids(1, 10, 101, 110, 201, 210, 301, 310) }

func ids(bounds ...int) []int {
	var out []int
	for i := 0; i < len(bounds); i += 2 {
		for id := bounds[i]; id <= bounds[i+1]; id++ {
			out = append(out, id)
		}
	}
	return out
}

// Record is one line of a score file.
type Record struct {
	ID      int
	Results []Judged
	// Empty is an answer of several errors that names none: Sets counts the empty inner list as an answer.
	Empty bool
}

// Metric is one row of a table. Rates with a zero denominator are 0.
type Metric struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1_score"`
	Accuracy  float64 `json:"accuracy"`
	TP        int     `json:"TP"`
	FP        int     `json:"FP"`
	FN        int     `json:"FN"`
}

// Table is a metric for each dimension, and the denominator of the accuracy.
type Table struct {
	Total      int // errors, or records for Sets
	Dimensions map[string]Metric
}

// Errors counts single errors: TP right answers, FP others, FN truths without an answer, but never below 0. truths
// has the number of errors by record id; keep lists the records that count, nil for all. Records that occur twice
// count twice, their truths once. A message score that is not a number is an error.
func Errors(truths map[int]int, records []Record, keep []int) (Table, error) {
	kept := set(keep)
	seen := map[int]bool{}
	total, written := 0, 0
	var right [len(dimensions)]int
	for _, r := range records {
		if kept != nil && !kept[r.ID] {
			continue
		}
		if !seen[r.ID] {
			total += truths[r.ID]
			seen[r.ID] = true
		}
		written += len(r.Results)
		for _, res := range r.Results {
			ones, err := res.right()
			if err != nil {
				return Table{}, fmt.Errorf("record %d: %w", r.ID, err)
			}
			for d, ok := range ones {
				right[d] += one(ok)
			}
		}
	}
	t := Table{Total: total, Dimensions: map[string]Metric{}}
	for d, name := range dimensions {
		t.Dimensions[name] = newMetric(right[d], written-right[d], max(0, total-written), total)
	}
	return t, nil
}

// Sets counts whole records with several errors: TP where as many were named as
// there are and every one is right, FN where none was named, else FP.
func Sets(truths map[int]int, records []Record, keep []int) (Table, error) {
	kept := set(keep)
	total := 0
	var tp, fp, fn [len(dimensions)]int
	for _, r := range records {
		if kept != nil && !kept[r.ID] {
			continue
		}
		total++
		all := [len(dimensions)]bool{true, true, true, true}
		for _, res := range r.Results {
			ones, err := res.right()
			if err != nil {
				return Table{}, fmt.Errorf("record %d: %w", r.ID, err)
			}
			for d, ok := range ones {
				all[d] = all[d] && ok
			}
		}
		for d := range dimensions {
			switch {
			case len(r.Results) == 0 && !r.Empty:
				fn[d]++
			case all[d] && len(r.Results) == truths[r.ID]:
				tp[d]++
			default:
				fp[d]++
			}
		}
	}
	t := Table{Total: total, Dimensions: map[string]Metric{}}
	for d, name := range dimensions {
		t.Dimensions[name] = newMetric(tp[d], fp[d], fn[d], total)
	}
	return t, nil
}

func set(ids []int) map[int]bool {
	if ids == nil {
		return nil
	}
	out := map[int]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return out
}

// right says which dimensions of an answer are right.
func (j Judged) right() ([len(dimensions)]bool, error) {
	var score float64
	switch v := j.Message.(type) {
	case float64:
		score = v
	case int64:
		score = float64(v)
	default:
		return [len(dimensions)]bool{}, fmt.Errorf("the message's score is no number: %v", v)
	}
	return [len(dimensions)]bool{j.Cause == 1, j.Effect == 1, j.Type == 1, score >= messageFrom}, nil
}

func newMetric(tp, fp, fn, total int) Metric {
	m := Metric{Precision: ratio(tp, tp+fp), Recall: ratio(tp, tp+fp+fn), Accuracy: ratio(tp, total), TP: tp, FP: fp,
		FN: fn}
	if sum := m.Precision + m.Recall; sum > 0 {
		m.F1 = 2 * m.Precision * m.Recall / sum
	}
	return m
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
