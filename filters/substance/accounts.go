package substance

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// sameAccount compares by GitHub's id, which survives a rename, or by login if one of them has no id.
func sameAccount(a, b model.Account) bool {
	if a.IsGhost() || b.IsGhost() {
		return false
	}
	if a.ID != 0 && b.ID != 0 {
		return a.ID == b.ID
	}
	return a.Login != "" && strings.EqualFold(a.Login, b.Login)
}

// loginForm matches logins.
var loginForm = regexp.MustCompile(`^` + model.Login + `$`)

// unverified reports whether an account may be anybody, such as a git name that a migration left in place of a GitHub
// account.
func unverified(a model.Account) bool {
	return a.ID == 0 && a.Login != "" && !a.IsGhost() && a.Type != model.Bot && !loginForm.MatchString(a.Login)
}
