package ghapi

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// App is a GitHub App's installation to act as, instead of a user's token.
type App struct {
	ID           string // the App's id or client id
	Installation int64
	Key          []byte // the App's private key in PEM, PKCS #1 or #8
}

// How long a signed assertion is good for (GitHub allows ten minutes), how far
// back it is dated for clocks that differ, and how long before its end a token is
// replaced.
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
	key, err := parseKey(app.Key)
	if err != nil {
		return nil, fmt.Errorf("GitHub App %s: private key: %w", app.ID, err)
	}
	url := fmt.Sprintf("%sapp/installations/%d/access_tokens", api, app.Installation)
	return &appTokens{app: app, key: key, url: url, client: client, now: now}, nil
}

// parseKey reads an RSA key in either of its PEM forms.
func parseKey(text []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("no PEM block")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("neither PKCS #1 nor PKCS #8")
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("not an RSA key")
	}
	return key, nil
}

// Token returns the installation's token, a new one where the old one is about
// to end.
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
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || got.Token == "" {
		return "", &Error{Kind: ErrAuth, Op: "POST " + req.URL.Path, Status: resp.StatusCode, Message: "no token in the answer"}
	}
	a.token, a.expires = got.Token, got.Expires
	return a.token, nil
}

// Renew drops the token, so that the next request asks for another.
func (a *appTokens) Renew() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.token = ""
	return true
}

// assertion is the JSON Web Token by which the App itself speaks (RFC 7519,
// RS256).
func (a *appTokens) assertion() (string, error) {
	claims, err := json.Marshal(map[string]any{
		"iat": a.now().Add(-assertionBefore).Unix(),
		"exp": a.now().Add(assertionLife).Unix(),
		"iss": a.app.ID,
	})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + encode(claims)
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, a.key, crypto.SHA256, digest[:])
	if err != nil {
		return "", err
	}
	return text + "." + encode(signature), nil
}
