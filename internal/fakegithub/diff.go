package fakegithub

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// parsedDiff is a unified diff and what is in it.
type parsedDiff struct {
	text  string
	files []changedFile
}

// changedFile is one file of a diff.
type changedFile struct {
	path, oldPath string
	status        string // ADDED, MODIFIED, DELETED, RENAMED, COPIED
	additions     int
	deletions     int
	patch         string // the hunks
	hunks         []hunk
}

// hunk is one hunk with its lines numbered on both sides.
type hunk struct {
	header string
	rows   []row
}

// row is a line of a hunk; a side that does not have it is 0.
type row struct {
	op       byte // ' ', '+', '-'
	old, new int
	text     string
	noEOL    bool
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// parseDiff reads what git has just written about files of a world, whose paths
// need no quotes. It shares no code with internal/unidiff, so that a mistake
// there cannot hide in the fake's own line numbers.
func parseDiff(text string) (*parsedDiff, error) {
	d := &parsedDiff{text: text}
	for _, part := range strings.Split("\n"+text, "\ndiff --git ")[1:] {
		lines := strings.Split(strings.TrimSuffix(part, "\n"), "\n")
		f := changedFile{path: lines[0][(len(lines[0])+1)/2+len("b/"):], status: "MODIFIED"} // a/PATH b/PATH
		f.oldPath = f.path
		i := f.header(lines)
		for i < len(lines) {
			m := hunkHeader.FindStringSubmatch(lines[i])
			if m == nil {
				return nil, fmt.Errorf("git's diff of %s has %q for a hunk", f.path, lines[i])
			}
			i = f.hunk(m, lines, i)
		}
		d.files = append(d.files, f)
	}
	return d, nil
}

// header reads the lines before the first hunk and returns its index.
func (f *changedFile) header(lines []string) int {
	for i, line := range lines {
		key, value, _ := strings.Cut(line, " ")
		switch {
		case key == "@@":
			f.patch = strings.Join(lines[i:], "\n")
			return i
		case key == "new":
			if strings.HasPrefix(value, "file") {
				f.status, f.oldPath = "ADDED", ""
			}
		case key == "deleted":
			f.status = "DELETED"
		case strings.HasPrefix(line, "rename from "):
			f.status, f.oldPath = "RENAMED", line[len("rename from "):]
		case strings.HasPrefix(line, "rename to "):
			f.path = line[len("rename to "):]
		}
	}
	return len(lines)
}

// hunk reads one hunk, whose header is at i, and returns where it ends.
func (f *changedFile) hunk(header, lines []string, i int) int {
	h := hunk{header: lines[i]}
	old, now := atoi(header[1]), atoi(header[3])
	for i++; i < len(lines) && !strings.HasPrefix(lines[i], "@@"); i++ {
		line := lines[i]
		if strings.HasPrefix(line, `\`) {
			h.rows[len(h.rows)-1].noEOL = true
			continue
		}
		r := row{op: line[0], text: line[1:]}
		switch r.op {
		case '+':
			r.new = now
			now++
			f.additions++
		case '-':
			r.old = old
			old++
			f.deletions++
		default:
			r.old, r.new = old, now
			old++
			now++
		}
		h.rows = append(h.rows, r)
	}
	f.hunks = append(f.hunks, h)
	return i
}

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits) // only digits match
	return n
}

// file finds a file by its new path, or its old one when deleted.
func (d *parsedDiff) file(path string) *changedFile {
	for i := range d.files {
		if d.files[i].path == path {
			return &d.files[i]
		}
	}
	return nil
}
