package takedown

import (
	"regexp"

	"github.com/prforge/prforge/internal/model"
)

// address is the URL of an account's page on GitHub, as change logs link it.
var address = regexp.MustCompile(`(?i)github\.com/(` + model.Login + `)`)

// Named counts the accounts that are replaced or removed elsewhere but that a text still names in GitHub's form: by a
// mention or by the address of their page. Code stays unchanged, so it may name them. names is nil without
// pseudonyms. With pseudonyms only the accounts of the pull request count, because "@" means much else in code.
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
