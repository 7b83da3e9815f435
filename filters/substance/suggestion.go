package substance

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/text"
)

// changesCode reports whether one of the suggestions of a comment changes code:
// whether the commented lines and the suggested ones differ once comments and
// white space are taken out. Documentation and docstrings are no code. Without
// a diff hunk there is nothing to compare, and the answer is no.
func changesCode(t *model.Thread, c *model.Comment, suggested []string) bool {
	if len(suggested) == 0 || pathkind.IsDocumentation(t.Path) {
		return false
	}
	before, lines := commented(t, c)
	marks := commentMarks(t.Path)
	if len(lines) == 0 || marks.docstrings && insideDocstring(before) {
		return false
	}
	old := marks.code(lines)
	for _, s := range suggested {
		if marks.code(strings.Split(text.Lines(s), "\n")) != old {
			return true
		}
	}
	return false
}

// replacement matches a remark that only names the code to write in place of the
// commented one: "`a` should be `b`", "maybe `Object.create(null)` this too?".
var replacement = regexp.MustCompile("(?i)`[^`]+`[^.?!`]{0,20}\\b(?:should (?:be|read)|->|=>|to|instead of)\\W+(?:just |a |an |the )?`[^`]+`|^\\W*(?:maybe|perhaps|just|use|try|how about|what about)\\b[^.?!`]{0,20}`[^`]*[(){}\\[\\]=.][^`]*`")

// replacesCode reports whether a short comment is such a remark.
func replacesCode(t markdown.Text) bool { return replacement.MatchString(t.Prose) }

// commented returns the lines of the new file that a comment is on and those
// that its diff hunk shows before them. A hunk ends with the commented lines;
// one that ends with a deleted line has none of the new file.
func commented(t *model.Thread, c *model.Comment) (before, lines []string) {
	hunk := strings.Split(strings.TrimRight(text.Lines(c.DiffHunk), "\n"), "\n")
	if len(hunk) < 2 || strings.HasPrefix(hunk[len(hunk)-1], "-") {
		return nil, nil
	}
	for _, line := range hunk[1:] {
		if !strings.HasPrefix(line, "-") && !strings.HasPrefix(line, `\`) {
			before = append(before, strings.TrimPrefix(strings.TrimPrefix(line, "+"), " "))
		}
	}
	n := 1
	if t.OriginalLine != nil && t.OriginalStartLine != nil {
		n += max(0, *t.OriginalLine-*t.OriginalStartLine)
	}
	at := max(0, len(before)-n)
	return before[:at], before[at:]
}
