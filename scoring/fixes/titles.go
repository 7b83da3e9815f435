package fixes

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

var (
	revertOf    = regexp.MustCompile(`(?i)this reverts commit ([0-9a-f]{7,40})`)
	revertPull  = regexp.MustCompile(`(?i)\breverts?\b[^\n#]{0,80}#(\d{1,9})\b`)
	revertTitle = regexp.MustCompile(`(?i)^\W*(?:\w+(?:\([^)]*\))?:\s*)?revert(?:s|ed)?\b`)
	mergedPull  = regexp.MustCompile(`^Merge pull request #(\d{1,9}) from`)
	titlePull   = regexp.MustCompile(`\(#(\d{1,9})\)\s*$`)
	ownNumber   = regexp.MustCompile(`\s*\(#\d+\)\s*$`)
)

// Title is the title of a unit: the message's first line, or of a merge the
// pull request's title.
func Title(u model.Unit) string {
	if mergedPull.MatchString(u.Subject) {
		first, _, _ := strings.Cut(strings.TrimSpace(u.Body), "\n")
		return first
	}
	return ownNumber.ReplaceAllString(u.Subject, "")
}

// Number is the pull request that a unit's message says it is, or where it says
// none GitHub; 0 where neither does.
func Number(u model.Unit) int {
	m := mergedPull.FindStringSubmatch(u.Subject)
	if m == nil {
		m = titlePull.FindStringSubmatch(u.Subject)
	}
	if m == nil {
		return u.Pull.Number
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

func isRevert(u model.Unit) bool {
	return revertTitle.MatchString(Title(u)) || revertOf.MatchString(u.Body)
}
