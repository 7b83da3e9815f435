package substance

import (
	"path"
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/text"
)

// suggested says what the suggestions of a comment change: code, its notation alone (quotes, `Optional[X]` for `X |
// None`), or, both false, neither. It compares the commented and the suggested lines without comments and white
// space. Documentation and docstrings are not code. Without a diff hunk there is nothing to compare.
func suggested(t *model.Thread, c *model.Comment, suggestions []string) (code, notation bool) {
	if len(suggestions) == 0 || pathkind.IsDocumentation(t.Path) {
		return false, false
	}
	before, lines := commented(t, c)
	marks := commentMarks(t.Path)
	if len(lines) == 0 || marks.docstrings && insideDocstring(before) {
		return false, false
	}
	old := marks.code(lines)
	for _, s := range suggestions {
		now := marks.code(strings.Split(text.Lines(s), "\n"))
		// Older versions of the language need a longer form.
		code = code || plain(t.Path, now) != plain(t.Path, old) || len(now) > len(old)
		notation = notation || now != old
	}
	return code, notation && !code
}

// notations convert code without white space, by the file's extension, into one of several equivalent notations;
// optional and union do so if brackets must be matched.
var (
	notations = map[string]*strings.Replacer{
		".py": strings.NewReplacer("'", `"`, "typing.", "", "List[", "list[", "Dict[", "dict[", "Tuple[", "tuple[", "Set[",
			"set["),
		".ts": strings.NewReplacer("'", `"`),
		".js": strings.NewReplacer("'", `"`),
		".go": strings.NewReplacer("interface{}", "any"),
	}
	optional = regexp.MustCompile(`\bOptional\[((?:[^\[\]]|\[[^\[\]]*\])+)\]`)
	union    = regexp.MustCompile(`\bUnion\[([^\[\],]+),([^\[\],]+)\]`)
)

// plain writes code of a file in one of the notations that mean the same.
func plain(file, code string) string {
	if r := notations[path.Ext(file)]; r != nil {
		code = r.Replace(code)
	}
	if path.Ext(file) != ".py" {
		return code
	}
	return union.ReplaceAllString(optional.ReplaceAllString(code, "$1|None"), "$1|$2")
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
