package artifacts

// Validated is evals/validated.json: the records whose authors acted on enough ground-truth comments among those
// whose line every configuration shows. A comment is validated if its suggestion was applied, or if code under it or
// within three lines changed after it (model.Validation.Holds).
type Validated struct {
	N       int      `json:"n"`
	Minimum int      `json:"minimum"` // validated comments that a record needs
	TaskIDs []string `json:"task_ids"`
}

// Add adds a task if it has enough validated comments, and reports whether it did.
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
