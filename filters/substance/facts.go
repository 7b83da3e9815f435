package substance

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
)

// facts are the inputs of the rules for one comment.
type facts struct {
	comment  *model.Comment
	starts   bool // it starts its thread
	bot      authorship.Bot
	isBot    bool
	ai       authorship.Text
	isAI     bool
	isAuthor bool // of the pull request
	// unverified says that the pull request's author is unknown.
	unverified bool
	text       markdown.Text
	sentences  []sentence
	options    Options
	// changesCode says that a suggestion changes code, notation that it changes notation alone, replaces that the
	// words name replacement code; each only if its rule is on.
	changesCode, notation, replaces bool
	on                              on // what it is on
	thread                          []model.Comment
}

// has reports whether a refinement is on.
func (f facts) has(refinement string) bool { return slices.Contains(f.options.Refinements, refinement) }

// on is what a comment is on.
type on int

const (
	noText       on = iota // code, or unknown
	codeComment            // a comment in the code, a docstring
	documentFile           // a file of documentation
)

// textUnder tells whether a comment is on text for people.
func textUnder(t *model.Thread, c *model.Comment) on {
	if pathkind.IsDocs(t.Path) && !pathkind.IsSource(t.Path) {
		return documentFile
	}
	before, lines := commented(t, c)
	marks, text := commentMarks(t.Path), strings.TrimSpace(strings.Join(lines, "\n"))
	docstring := marks.docstrings && (insideDocstring(before) || strings.HasPrefix(text, `"""`))
	if text != "" && (docstring || marks.code(lines) == "") {
		return codeComment
	}
	return noText
}
