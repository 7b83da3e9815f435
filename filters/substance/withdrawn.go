package substance

import (
	"cmp"
	"slices"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pattern"
)

// concedes matches words by which the writer of a remark accepts an answer to it, persists those with which the remark
// goes on all the same.
var (
	concedes = pattern.MustCompile(`(?i)\b(?:i see|makes sense|never ?mind|nvm|got it|gotcha|fair enough` +
		`|(?:that's |is |it's )?(?:fine|ok(?:ay)?) (?:then|by me|with me|for me)|my (?:bad|mistake)` +
		`|(?:didn't|did not|hadn't) (?:notice|reali[sz]e|see|know)|i (?:missed|misread|misunderstood|was wrong)` +
		`|thank(?:s| you) for (?:the |your )?(?:clarif\w*|expla\w*)|(?:keep|leave) (?:it|this) as|stick to what)\b`)
	persists = pattern.MustCompile(`(?i)\?|\b(?:however|but|still|should|can (?:we|you)|could)\b`)
)

// takenBack returns the words by which a comment's writer takes it back in the last reply, unless another person agreed
// with the comment before; "" otherwise.
func takenBack(f facts) string {
	if !f.has(withdrawn) || !f.starts {
		return ""
	}
	last := ""
	for _, c := range slices.SortedFunc(slices.Values(f.thread), byTime) {
		switch prose := markdown.Read(c.Body).Prose; {
		case c.ID == f.comment.ID:
		case sameAccount(c.Author, f.comment.Author):
			last = prose
		case acknowledgement.MatchString(prose) || report.MatchString(prose):
			return ""
		}
	}
	if persists.MatchString(last) {
		return ""
	}
	return cut(concedes.FindString(last))
}

// byTime orders comments as they were written.
func byTime(a, b model.Comment) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
}
