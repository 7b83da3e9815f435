package fixes

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

var (
	// template is what a pull request's or an issue's form says, and not its author.
	template = regexp.MustCompile(`(?s)<!--.*?-->|(?m:^\s*[-*] \[[ xX]\].*$|^\s*!\[.*$)`)
	bugLabel = regexp.MustCompile(`(?i)\b(?:bug|regression|defect|crash)`)
	// otherLabel is of changes that repair nothing.
	otherLabel = regexp.MustCompile(`(?i)\b(?:enhancement|feature|documentation|docs|dependenc\w+|refactor\w*|chore|clean-?up)\b`)
)

// Asked are the commits whose pull requests say more than git: those that lead back
// to something, and those that something leads back to and that have no number.
func Asked(h *model.LaterHistory) []string {
	wanted := map[string]bool{}
	for i := range h.Commits {
		c := &h.Commits[i]
		if leads := slices.ContainsFunc(c.Change.Lines, func(l model.OriginLine) bool { return l.Unit != "" }); leads ||
			isRevert(c.Unit) {
			wanted[c.Oid] = true
		}
	}
	for oid, u := range h.Units {
		if Number(u) == 0 {
			wanted[oid] = true
		}
	}
	return slices.Sorted(maps.Keys(wanted))
}

// AddTexts puts what GitHub says of commits beside what git says, by commit.
func AddTexts(h *model.LaterHistory, texts map[string]model.CommitPull) {
	for oid, u := range h.Units {
		u.Pull = texts[oid]
		h.Units[oid] = u
	}
	for i := range h.Commits {
		h.Commits[i].Pull = texts[h.Commits[i].Oid]
	}
}

// said is the body of a unit's message, and what the description of its pull request
// says more.
func said(u model.Unit) string {
	more := described(u.Pull.Body)
	if strings.Contains(u.Body, more) {
		return u.Body
	}
	return u.Body + "\n\n" + more
}

// described is a description without what its form says.
func described(text string) string {
	return strings.TrimSpace(template.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), ""))
}

// labeledOther reports whether a unit's labels say that it repairs nothing.
func labeledOther(u model.Unit) bool {
	return slices.ContainsFunc(u.Pull.Labels, otherLabel.MatchString) &&
		!slices.ContainsFunc(u.Pull.Labels, bugLabel.MatchString)
}
