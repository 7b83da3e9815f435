package takedown

import (
	"regexp"

	"github.com/prforge/prforge/internal/model"
)

// address is the page of an account on GitHub, as change logs link it.
var address = regexp.MustCompile(`(?i)github\.com/([a-z0-9](?:[a-z0-9-]{0,38}))`)

// Named counts the accounts that other names or nothing stand for, and that a
// text nevertheless names as GitHub writes them: by a mention or by the address
// of their page. Code stays as it is, so it may name them. Where names is nil
// there are no pseudonyms; of those, only the accounts of the pull request count:
// in code, "@" means much else.
func (l *List) Named(text string, names *Pseudonyms, p *model.PullRequest) int {
	known := map[string]bool{}
	if names != nil {
		for login := range logins(p) {
			known[login] = names.Name(login) != login
		}
	}
	found := map[string]bool{}
	for _, shape := range []*regexp.Regexp{mention, address} {
		for _, m := range shape.FindAllStringSubmatch(text, -1) {
			if login := fold(m[len(m)-1]); known[login] || l.accounts[login] {
				found[login] = true
			}
		}
	}
	return len(found)
}
