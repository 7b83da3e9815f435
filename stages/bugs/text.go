package bugs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/injection/bugs"
)

// explained are the questions of a pull request with their proofs.
type explained []bugs.Draft

// String is the questions as text.
func (x explained) String() string {
	var b strings.Builder
	for _, d := range x {
		b.WriteByte('\n')
		writeQuestion(&b, d)
	}
	return b.String()
}

func writeQuestion(b *strings.Builder, d bugs.Draft) {
	q, e := d.Answer, d.Evidence
	fmt.Fprintf(b, "question %s: %s, %s\n", q.QuestionID, q.Kind, q.Path)
	for _, edit := range q.Edits {
		fmt.Fprintf(b, "   line %d of the original: %.80q -> %.80q\n", edit.Line, edit.Old, edit.New)
	}
	if q.Fault == nil {
		of := "no question, which is a fault of the dataset"
		if q.ControlOf != nil {
			of = *q.ControlOf
		}
		fmt.Fprintf(b, "   no fault: a control of %s\n", of)
		return
	}
	name := ""
	if q.Fault.Name == q.Fault.Intended && q.Fault.Name != "" {
		name = " for " + q.Fault.Name
	} else if q.Fault.Name != "" {
		name = fmt.Sprintf(" for %s, which should be %s", q.Fault.Name, q.Fault.Intended)
	}
	fmt.Fprintf(b, "   %s%s: caused on line %d, reported on line %d, shows on %v\n", q.Fault.Error, name,
		q.Fault.CauseLine, q.Fault.ReportLine, q.Fault.EffectLines)
	fmt.Fprintf(b, "   level %d, proven by rule %s, decidable in %s; a drawn line is right with a chance of %.3f\n",
		q.Level, e.Rule, strings.Join(q.DecidableIn, ", "), q.Chance)
	for _, kind := range slices.Sorted(maps.Keys(e.Refused)) {
		fmt.Fprintf(b, "   before it %s was tried: %s\n", kind, e.Refused[kind])
	}
}
