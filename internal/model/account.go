package model

// AccountType is what GitHub says an account is.
type AccountType string

// The account types of GitHub's schema, and Ghost for a deleted account.
const (
	User              AccountType = "User"
	Bot               AccountType = "Bot"
	Mannequin         AccountType = "Mannequin"
	Organization      AccountType = "Organization"
	EnterpriseAccount AccountType = "EnterpriseUserAccount"
	Ghost             AccountType = "Ghost"
)

// GhostLogin is the login that GitHub shows for every deleted account.
const GhostLogin = "ghost"

// Login is the form, as a regular expression, of the logins that GitHub lets people choose, and of those that an
// enterprise manages, which end in its short name: bob_acme.
const Login = `[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:_[A-Za-z0-9]{1,16})?`

// Account is one identity whatever API it came through: the login never has
// the "[bot]" suffix that REST adds, nor the "app/" prefix of the gh tool.
// A deleted account has the login "ghost", type Ghost and id 0.
type Account struct {
	Login string      `json:"login"`
	Type  AccountType `json:"type"`
	ID    int64       `json:"id,omitempty"` // databaseId; 0 if GitHub did not say
}

// IsGhost reports whether the account was deleted.
func (a Account) IsGhost() bool { return a.Type == Ghost }
