package artifacts

import (
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/verdict"
)

// Task is everything that the dataset holds about one pull request.
type Task struct {
	Record     Record
	Annotation Annotation
	Contexts   []Context // config_A, config_B, config_C
	Evidence   Evidence
}

// Place sets what only the whole dataset decides: a task's id, the links between reverts, and its trail up to its
// selection.
func (t *Task) Place(id string, reverts, revertedBy []model.PullRef, trail []verdict.Decision) {
	t.Record.TaskID, t.Annotation.TaskID, t.Evidence.TaskID = id, id, id
	for i := range t.Contexts {
		t.Contexts[i].TaskID = id
	}
	t.Evidence.Reverts, t.Evidence.RevertedBy, t.Evidence.Verdicts = Names(reverts), Names(revertedBy), VerdictLines(trail)
}

// VerdictLines is the trail of decisions in the dataset's form.
func VerdictLines(decisions []verdict.Decision) []VerdictLine {
	out := make([]VerdictLine, 0, len(decisions))
	for _, d := range decisions {
		out = append(out, VerdictLine{
			Filter: d.Stage, Outcome: d.Outcome, Code: d.Code, Detail: text.Valid(d.Detail), Evidence: validEvidence(d.Evidence),
		})
	}
	return out
}

// validEvidence is a copy whose texts are UTF-8, and never nil.
func validEvidence(in []verdict.Evidence) []verdict.Evidence {
	out := make([]verdict.Evidence, 0, len(in))
	for _, e := range in {
		out = append(out, verdict.Evidence{What: text.Valid(e.What), Found: text.Valid(e.Found), Limit: text.Valid(e.Limit),
			URL: text.Valid(e.URL)})
	}
	return out
}

// Names returns the names of pull requests, never nil.
func Names(refs []model.PullRef) []string {
	out := make([]string, 0, len(refs))
	for _, r := range refs {
		out = append(out, r.String())
	}
	return out
}
