package ghapi

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/child"
)

// TokenSource gives the token to send. Implementations are safe for concurrent
// use.
type TokenSource interface {
	// Token returns a token that is valid now.
	Token(ctx context.Context) (string, error)
	// Renew drops a token that GitHub refused and reports whether there is another; a fixed token cannot be renewed.
	Renew() bool
}

// StaticToken is a fixed token.
type StaticToken string

// Token returns the token.
func (t StaticToken) Token(context.Context) (string, error) { return string(t), nil }

// Renew reports false.
func (t StaticToken) Renew() bool { return false }

// DiscoverToken finds the user's token: GITHUB_TOKEN, then GH_TOKEN, then what
// `gh auth token` prints for the host ("" for github.com). It returns "" without
// an error where there is none.
func DiscoverToken(ctx context.Context, getenv func(string) string, host string) (string, error) {
	for _, name := range []string{"GITHUB_TOKEN", "GH_TOKEN"} {
		if token := strings.TrimSpace(getenv(name)); token != "" {
			// No header can carry such a token, and every request would look like a network failure.
			if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
				return "",
					fmt.Errorf("%w: %s holds white space, a line break or another character that no token has; copy it again",
						ErrToken, name)
			}
			return token, nil
		}
	}
	gh, err := exec.LookPath("gh")
	if err != nil {
		return "", nil
	}
	args := []string{"auth", "token"}
	if host != "" {
		args = append(args, "--hostname", host)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := child.Command(ctx, gh, args...).Output()
	if ctx.Err() != nil {
		return "", fmt.Errorf("ask gh for a token: %w", ctx.Err())
	}
	if err != nil {
		return "", nil // not logged in
	}
	return strings.TrimSpace(string(out)), nil
}
