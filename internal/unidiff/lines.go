package unidiff

import (
	"fmt"
	"strings"
)

// lines walks a diff's raw text beside the parsed files, for what the library
// drops: headers and section texts as written, and whether anything is
// between the files that is no diff.
type lines struct {
	text   string
	at     int // offset of the next line
	number int // number of the line last taken, from 1
}

// peek returns the next line without its line feed.
func (l *lines) peek() (string, bool) {
	if l.at >= len(l.text) {
		return "", false
	}
	line, _, _ := strings.Cut(l.text[l.at:], "\n")
	return line, true
}

// skip takes the line that peek showed.
func (l *lines) skip(line string) {
	l.at += len(line) + 1
	l.number++
}

const fileMark, hunkMark, noNewlineMark = "diff --git ", "@@ -", `\ `

// headerMarks are the beginnings of the lines that git writes between "diff
// --git" and the first hunk.
var headerMarks = []string{
	"index ", "--- ", "+++ ", "old mode ", "new mode ", "deleted file mode ", "new file mode ",
	"similarity index ", "dissimilarity index ", "rename from ", "rename to ", "rename old ", "rename new ",
	"copy from ", "copy to ", "Binary files ", "Files ",
}

// header takes a file's lines up to its first hunk or the next file.
func (l *lines) header() (string, error) {
	start, line := l.at, ""
	line, _ = l.peek()
	if !strings.HasPrefix(line, fileMark) {
		return "", fmt.Errorf("%.60q where %q should be", line, strings.TrimSpace(fileMark))
	}
	l.skip(line)
	binary := false
	for {
		line, ok := l.peek()
		if !ok || strings.HasPrefix(line, fileMark) || strings.HasPrefix(line, hunkMark) {
			return l.text[start:l.at], nil
		}
		binary = binary || line == "GIT binary patch"
		if !binary && !hasAnyPrefix(line, headerMarks) {
			return "", fmt.Errorf("%.60q does not belong in the header of a file", line)
		}
		l.skip(line)
	}
}

// hunk takes a hunk's header and its n lines, and returns the section text.
func (l *lines) hunk(n int) (string, error) {
	line, _ := l.peek()
	if !strings.HasPrefix(line, hunkMark) {
		return "", fmt.Errorf("%.60q where a hunk should start", line)
	}
	l.skip(line)
	_, section, _ := strings.Cut(line[len(hunkMark):], " @@")
	for taken := 0; ; {
		line, ok := l.peek()
		isMark := strings.HasPrefix(line, noNewlineMark)
		if !ok || taken == n && !isMark {
			return strings.TrimPrefix(section, " "), nil
		}
		if !isMark {
			taken++
		}
		l.skip(line)
	}
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
