package fakegithub

import (
	"bytes"
	"fmt"
	"strings"
)

// place is where a comment is in the diff of one commit.
type place struct {
	side  string
	line  int
	hunk  string // GitHub's diff hunk: from its header down to the line
	loose bool   // outside every hunk
}

// find looks for the one line that a piece of text names.
func (f *changedFile) find(side byte, text string, tree map[string]file) (place, error) {
	var found []place
	whole := 0 // index+1 of the place whose whole line is the text
	add := func(p place, line string) {
		found = append(found, p)
		if strings.TrimSpace(line) == strings.TrimSpace(text) {
			whole = len(found)
		}
	}
	inHunk := map[int]bool{}
	for _, h := range f.hunks {
		for i, r := range h.rows {
			inHunk[r.new] = true
			if r.op != side && !(side == '=' && r.op == ' ') || !strings.Contains(r.text, text) {
				continue
			}
			p := place{side: "RIGHT", line: r.new, hunk: h.upTo(i)}
			if side == '-' {
				p.side, p.line = "LEFT", r.old
			}
			add(p, r.text)
		}
	}
	if side == '=' {
		lines := bytes.Split(tree[f.path].content, []byte("\n"))
		for i, l := range lines {
			if !inHunk[i+1] && bytes.Contains(l, []byte(text)) {
				add(place{side: "RIGHT", line: i + 1, hunk: looseHunk(lines, i), loose: true}, string(l))
			}
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if whole > 0 {
		return found[whole-1], nil
	}
	return place{}, fmt.Errorf("the text is in %d lines, not one", len(found))
}

func (h hunk) upTo(i int) string {
	var b strings.Builder
	b.WriteString(h.header)
	for _, r := range h.rows[:i+1] {
		fmt.Fprintf(&b, "\n%c%s", r.op, r.text)
		if r.noEOL {
			b.WriteString("\n\\ No newline at end of file")
		}
	}
	return b.String()
}

// looseHunk is what GitHub shows for a line outside every hunk: a few lines
// around it, unchanged.
func looseHunk(lines [][]byte, i int) string {
	from := max(0, i-3)
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@", from+1, i-from+1, from+1, i-from+1)
	for _, l := range lines[from : i+1] {
		fmt.Fprintf(&b, "\n %s", l)
	}
	return b.String()
}

// carry follows a line of one tree to another; 0 if it did not survive. path is
// the file's path in both.
func (d *parsedDiff) carry(path string, line int) int {
	f := d.file(path)
	if f == nil {
		for i := range d.files {
			if d.files[i].oldPath == path && d.files[i].status != "COPIED" {
				return 0 // renamed: GitHub calls such a thread outdated
			}
		}
		return line
	}
	shift := 0
	for _, h := range f.hunks {
		for _, r := range h.rows {
			switch {
			case r.old == line && r.op == ' ':
				return r.new
			case r.old == line:
				return 0
			case r.old > line:
				return line + shift
			case r.op == '+':
				shift++
			case r.op == '-':
				shift--
			}
		}
	}
	return line + shift
}

// shows reports whether a line of a side is in one of the file's hunks.
func (f *changedFile) shows(side string, line int) bool {
	for _, h := range f.hunks {
		for _, r := range h.rows {
			if side == "LEFT" && r.old == line || side == "RIGHT" && r.new == line {
				return true
			}
		}
	}
	return false
}
