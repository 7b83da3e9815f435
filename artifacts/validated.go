package artifacts

// Validated is evals/validated.json: the records whose ground truth, as far as every
// configuration shows its lines, the authors of the pull requests agreed with by what they did. A comment is validated
// where its suggestion was taken over, or where the code under it or within
// three lines was changed after it (model.Validation.Holds).
type Validated struct {
	N       int      `json:"n"`
	Minimum int      `json:"minimum"` // validated comments that a record needs
	TaskIDs []string `json:"task_ids"`
}

// Add takes a task in if it has enough validated comments, and reports whether.
func (v *Validated) Add(t *Task) bool {
	n := 0
	for i := range t.Evidence.Comments {
		if t.Evidence.Comments[i].Validated() {
			n++
		}
	}
	if n < v.Minimum {
		return false
	}
	v.TaskIDs = append(v.TaskIDs, t.Record.TaskID)
	v.N++
	return true
}
