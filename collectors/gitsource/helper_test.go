package gitsource_test

import (
	"iter"
	"strings"
)

// lines gives the memory lines of /proc/self/status.
func lines(status string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(status) {
			if strings.HasPrefix(line, "VmHWM") && !yield(strings.TrimSpace(line)) {
				return
			}
		}
	}
}
