package fixes

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// maxStatement is the maximum size of a statement in bytes.
const maxStatement = 2000

var (
	boilerplate = regexp.MustCompile(`(?mi)^\W*this reverts commit.*$|^\W*revert ".*$|^\W*reverts? \S*#\d+\W*$|^\W*conflicts:.*$`)
	heading     = regexp.MustCompile(`(?mi)^\W*(motivation|modifications?|modified|changes?|results?|solution|fix|testing|tests?)\W*:?\s*$|^(motivation|modifications?|results?|solution):\s*`)
	address     = regexp.MustCompile(`https?://\S+`)
	sentenceEnd = regexp.MustCompile(`(?:[.!?]\s+|\n+)`)
	// cure matches sentences about what the fix does.
	cure      = regexp.MustCompile(`(?i)\b(?:fix(?:e[sd]|ing)?|instead|this (?:change|commit|patch|pr)|should|we now|now we|let'?s|add(?:s|ed|ing)?|remov(?:e[sd]?|ing)|restor(?:e[sd]?|ing)|chang(?:e[sd]?|ing)|mak(?:e[sd]?|ing)|us(?:e[sd]?|ing)|ensur(?:e[sd]?|ing)|correct(?:s|ed|ly)?|revert(?:s|ed|ing)?|replac(?:e[sd]?|ing)|avoid(?:s|ed|ing)?|handl(?:e[sd]?|ing))\b`)
	numberish = regexp.MustCompile(`(?i)\b(?:gh-|pr |issue )?#?\d[\w.]*\b|#\d+|\b[0-9a-f]{7,40}\b`)
	codeName  = regexp.MustCompile("`[^`\n]*`" +
		`|\b\w+(?:\.\w+)+(?:\([^()]*\))?|\b\w+\([^()]*\)|\b\w*_\w+\b|\b\w*[a-z][A-Z]\w*\b|@[\w-]+`)
	spaces = regexp.MustCompile(`\s+`)
	// wrapped is a line's end within a paragraph.
	wrapped = regexp.MustCompile(`([^\n])\n([^\n*#>\-])`)
)

// Stated reports whether a revert, its pull request or the issue that it closes says
// what was wrong.
func Stated(u model.Unit) bool {
	text := boilerplate.ReplaceAllString(prose(said(u)), "")
	for _, issue := range u.Pull.Issues {
		text += "\n" + issue.Title
	}
	return blame.MatchString(strings.ReplaceAll(strings.ToLower(text), "revert", ""))
}

// Statement is what a fix says of the fault, without trailers and without the number
// of its own pull request, at most 2,000 bytes in whole lines: its message, or where
// that is a title alone the issue that it closes, which the source says, or the
// description of its pull request. Lines that the introducing change's description
// has, too, are a form's.
func Statement(u model.Unit, introducing string) (text, source string) {
	title, body, source := Title(u),
		strings.TrimSpace(strings.ReplaceAll(trailers.ReplaceAllString(u.Body, ""), "\r\n", "\n")), "fix"
	body = strings.TrimSpace(strings.TrimPrefix(body, title)) // a merge's body has it again
	switch {
	case isRevert(u):
		source = "revert"
		body = trailers.ReplaceAllString(said(u), "")
	case body == "" && len(u.Pull.Issues) > 0:
		title, body, source = u.Pull.Issues[0].Title, described(u.Pull.Issues[0].Body), "issue"
	case body == "":
		body = described(u.Pull.Body)
	}
	lines := strings.Split(body, "\n")
	body = strings.Join(slices.DeleteFunc(lines, func(l string) bool {
		l = strings.TrimSpace(l)
		return l != "" && strings.Contains(introducing, l)
	}), "\n")
	text = strings.TrimSpace(title + "\n\n" + strings.TrimSpace(body))
	if len(text) <= maxStatement {
		return text, source
	}
	text = strings.ToValidUTF8(text[:maxStatement], "")
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text), source
}

// Symptom is a statement without the position and the cure: its sentences up to where the message turns to its
// changes, without those about the change, and with names of code, numbers and addresses replaced by "…". It is "" if
// no sentence is left.
func Symptom(statement string) string {
	title, body, _ := strings.Cut(statement, "\n")
	text := wrapped.ReplaceAllString(motivation(body), "$1 $2")
	var kept []string
	for _, s := range sentenceEnd.Split(text, -1) {
		if s = strings.TrimSpace(s); len(strings.Fields(s)) >= 4 && !cure.MatchString(s) {
			kept = append(kept, hide(s)+".")
		}
	}
	if len(kept) == 0 && !cure.MatchString(title) {
		return hide(title)
	}
	return strings.Join(kept, " ")
}

// motivation is the part of a message before its second heading, or all of it
// where it has no headings.
func motivation(body string) string {
	at := heading.FindAllStringIndex(body, 2)
	switch {
	case len(at) == 0:
		return body
	case len(at) == 1:
		return body[at[0][1]:]
	}
	return body[at[0][1]:at[1][0]]
}

func hide(s string) string {
	for _, p := range []*regexp.Regexp{address, codeName, numberish} {
		s = p.ReplaceAllString(s, "…")
	}
	return strings.TrimRight(spaces.ReplaceAllString(s, " "), ". ")
}
