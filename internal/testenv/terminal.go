package testenv

import (
	"strings"

	"github.com/hinshun/vt10x"
)

// ShownOn is the text of a terminal's screen, without what is blank.
func ShownOn(t vt10x.Terminal) string {
	var out []string
	for line := range strings.Lines(t.String()) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
