package ghapi

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// The lifetime of a signed assertion (GitHub allows ten minutes), how far it is backdated for clock skew, and how
// long before its expiry a token is replaced.
const (
	assertionLife   = 9 * time.Minute
	assertionBefore = time.Minute
	tokenMargin     = 5 * time.Minute
)

// appTokens gets the installation's tokens, which last for an hour.
type appTokens struct {
	app    App
	key    *rsa.PrivateKey
	url    string
	client *http.Client
	now    func() time.Time

	mu      sync.Mutex
	token   string
	expires time.Time
}

func newAppTokens(app App, client *http.Client, api string, now func() time.Time) (*appTokens, error) {
	key, err := jwt.ParseRSAPrivateKeyFromPEM(app.Key)
	if err != nil {
		return nil, fmt.Errorf("GitHub App %s: private key: %w", app.ID, err)
	}
	url := fmt.Sprintf("%sapp/installations/%d/access_tokens", api, app.Installation)
	return &appTokens{app: app, key: key, url: url, client: client, now: now}, nil
}

// Token returns the installation's token, and replaces one that is about to expire.
func (a *appTokens) Token(ctx context.Context) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.token != "" && a.now().Add(tokenMargin).Before(a.expires) {
		return a.token, nil
	}
	assertion, err := a.assertion()
	if err != nil {
		return "", fmt.Errorf("sign as GitHub App %s: %w", a.app.ID, err)
	}
	req, err := http.NewRequestWithContext(context.WithValue(ctx, bearerKey{}, assertion), http.MethodPost, a.url, nil)
	if err != nil {
		return "", fmt.Errorf("ask for an installation token: %w", err)
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	resp, err := a.client.Do(req)
	if err != nil {
		return "", fmt.Errorf("ask for an installation token: %w", CleanError(err))
	}
	defer resp.Body.Close()
	var got struct {
		Token   string    `json:"token"`
		Expires time.Time `json:"expires_at"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxTokenAnswer)).Decode(&got); err != nil || got.Token == "" {
		return "", &Error{Kind: ErrAuth, Op: "POST " + req.URL.Path, Status: resp.StatusCode,
			Message: "no token in the answer"}
	}
	a.token, a.expires = got.Token, got.Expires
	return a.token, nil
}

// maxTokenAnswer bounds the answer with a token, in bytes.
const maxTokenAnswer = 1 << 20

// Renew drops the token, so that the next request asks for another.
func (a *appTokens) Renew() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.token = ""
	return true
}

// assertion is the JSON Web Token that authenticates the App itself.
func (a *appTokens) assertion() (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.RegisteredClaims{
		Issuer:    a.app.ID,
		IssuedAt:  jwt.NewNumericDate(a.now().Add(-assertionBefore)),
		ExpiresAt: jwt.NewNumericDate(a.now().Add(assertionLife)),
	}).SignedString(a.key)
}

// bearerKey is the context key of a token used instead of the run's own.
type bearerKey struct{}
