package github

import (
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// ghost is the account that a null means.
func ghost() model.Account { return model.Account{Login: model.GhostLogin, Type: model.Ghost} }

// account normalizes an actor: one login whatever API it came through.
func account(a *actor) model.Account {
	if a == nil || a.Login == "" {
		return ghost()
	}
	out := model.Account{Login: bareLogin(a.Login), Type: model.AccountType(a.Typename)}
	for _, id := range []*int64{a.User.DatabaseID, a.Bot.DatabaseID, a.Mannequin.DatabaseID, a.Organization.DatabaseID} {
		if id != nil {
			out.ID = *id
		}
	}
	return out
}

// userAccount normalizes an account that can only be a user; nil stays nil.
func userAccount(u *userRef) *model.Account {
	if u == nil {
		return nil
	}
	out := model.Account{Login: bareLogin(u.Login), Type: model.User}
	if u.DatabaseID != nil {
		out.ID = *u.DatabaseID
	}
	return &out
}

// bareLogin removes what REST and the gh tool add to an app's login.
func bareLogin(login string) string {
	return strings.TrimSuffix(strings.TrimPrefix(login, "app/"), "[bot]")
}
