package debugging

import (
	"bytes"

	"github.com/prforge/prforge/injection"
)

// Leak says what gives the changes of a sample away: "" for nothing. causes are
// the statements that may differ, edits all changes.
func Leak(original, code []byte, edits []injection.Edit, causes []Span) string {
	before, err := Parse(original)
	if err != nil {
		return "the original does not parse"
	}
	after, err := Parse(code)
	if err != nil {
		return "the code does not parse"
	}
	if !sameComments(before, after) {
		return "a comment differs"
	}
	if word := telltale(edits); word != "" {
		return "the new text has " + word
	}
	a, b := bytes.Split(original, []byte("\n")), bytes.Split(code, []byte("\n"))
	if len(a) != len(b) {
		return "the number of lines differs"
	}
	for i := range a {
		inside := false
		for _, c := range causes {
			inside = inside || c.First <= i+1 && i+1 <= c.Last
		}
		if !inside && !bytes.Equal(a[i], b[i]) {
			return "a line outside the causes differs"
		}
	}
	return ""
}
