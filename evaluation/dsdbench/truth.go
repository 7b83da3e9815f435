package dsdbench

import (
	"errors"
	"strings"
)

// errNoLine is an output that lacks the line that the published code needs, and crashes it.
var errNoLine = errors.New("no such line")

// truthMessage is the message that the scorer takes from a program's output:
// the last line but one of what follows the first traceback mark. found is
// false without such a mark.
func truthMessage(output string) (message string, found bool, err error) {
	_, after, found := strings.Cut(output, "Traceback (most recent call last):")
	if !found {
		return "", false, nil
	}
	lines := strings.Split(after, "\n")
	if len(lines) < 2 {
		return "", true, errNoLine
	}
	return lines[len(lines)-2], true, nil
}
