package unidiff

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$`)

// ParseExcerpt reads the beginning of a hunk, as GitHub shows it above a
// review comment: the header, which counts the whole hunk, and the lines down
// to the one commented on. OldLines and NewLines are those of the lines that
// are there.
func ParseExcerpt(text string) (Hunk, error) {
	head, body, _ := strings.Cut(text, "\n")
	m := hunkHeader.FindStringSubmatch(strings.TrimSuffix(head, "\r"))
	if m == nil {
		return Hunk{}, fmt.Errorf("parse diff hunk: %.60q is no hunk header", head)
	}
	number := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s) // at most nine digits, by the pattern
		return n
	}
	h := Hunk{OldStart: number(m[1]), NewStart: number(m[3]), Section: m[5]}
	oldCount, newCount := number(m[2]), number(m[4])
	if h.OldStart == 0 && oldCount > 0 || h.NewStart == 0 && newCount > 0 {
		return Hunk{}, fmt.Errorf("parse diff hunk: lines are counted from 1, it starts at 0")
	}
	oldNo, newNo := first(h.OldStart, oldCount), first(h.NewStart, newCount)
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		l := Line{Kind: Context}
		if line != "" {
			l.Kind, l.Text = Kind(line[0]), line[1:]
		}
		if l.Kind != Added {
			l.Old = oldNo
			oldNo++
		}
		if l.Kind != Deleted {
			l.New = newNo
			newNo++
		}
		switch l.Kind {
		case Context, Added, Deleted:
			h.Lines = append(h.Lines, l)
		case '\\':
			if n := len(h.Lines); n > 0 {
				h.Lines[n-1].NoNewline = true
			}
			oldNo--
			newNo--
		default:
			return Hunk{}, fmt.Errorf("parse diff hunk: %.60q is no line of a hunk", line)
		}
	}
	h.count()
	if h.OldLines > oldCount || h.NewLines > newCount {
		return Hunk{}, fmt.Errorf("parse diff hunk: it has %d and %d lines, its header says %d and %d", h.OldLines,
			h.NewLines, oldCount, newCount)
	}
	return h, nil
}
