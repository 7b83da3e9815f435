package dsdbench

import (
	"errors"
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// ErrNoLine is an output in which the published code looks for a line that is
// not there, and dies.
var ErrNoLine = errors.New("no such line")

// TruthMessage is the message that the scorer takes from a program's output:
// the last line but one of what follows the first traceback mark. found is
// false without such a mark.
func TruthMessage(output string) (message string, found bool, err error) {
	_, after, found := strings.Cut(output, "Traceback (most recent call last):")
	if !found {
		return "", false, nil
	}
	lines := strings.Split(after, "\n")
	if len(lines) < 2 {
		return "", true, ErrNoLine
	}
	return lines[len(lines)-2], true, nil
}

// MarkedLines are the code lines that a tracer's output marks by !!!, the
// innermost frame first: the text after the nearest bar above each mark,
// repeated ones once.
func MarkedLines(output string) []string {
	var marked []string
	code := ""
	for _, line := range strings.Split(output, "\n") {
		if strings.Contains(line, " !!! ") {
			if code != "" && !slices.Contains(marked, code) {
				marked = append(marked, code)
			}
		} else if _, text, ok := strings.Cut(line, "|"); ok {
			code = python.Trim(text)
		}
	}
	return marked
}

// Annotation is the pair of lines that the published annotation names.
type Annotation struct{ Cause, Effect string }

// AnnotateInjected names the changed line as cause and the outermost marked
// frame as effect.
func AnnotateInjected(marked []string, changed string) (Annotation, error) {
	if len(marked) == 0 {
		return Annotation{}, ErrNoLine
	}
	return Annotation{changed, marked[len(marked)-1]}, nil
}

// AnnotateGenerated names the last marked line but one as cause, since nobody
// knows the cause of generated code. The script that was published does so for
// all code.
func AnnotateGenerated(marked []string) (Annotation, error) {
	if len(marked) == 0 {
		return Annotation{}, ErrNoLine
	}
	return Annotation{marked[max(0, len(marked)-2)], marked[len(marked)-1]}, nil
}
