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
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDiscoverToken(t *testing.T) {
	bin := t.TempDir()
	gh := "#!/bin/sh\n[ \"$1 $2\" = 'auth token' ] || exit 1\n[ -z \"$3\" ] && echo from-gh && exit\necho from-gh-for-$4\n"
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	none := t.TempDir()
	for _, c := range []struct {
		env  map[string]string
		path string
		host string
		want string
	}{
		{map[string]string{"GITHUB_TOKEN": "a", "GH_TOKEN": "b"}, bin, "", "a"},
		{map[string]string{"GH_TOKEN": " b\n"}, bin, "", "b"},
		{nil, bin, "", "from-gh"},
		{nil, bin, "ghe.example.org", "from-gh-for-ghe.example.org"},
		{nil, none, "", ""},
	} {
		t.Setenv("PATH", c.path+":/bin:/usr/bin")
		if c.path == none {
			t.Setenv("PATH", none)
		}
		got, err := DiscoverToken(context.Background(), func(k string) string { return c.env[k] }, c.host)
		if err != nil || got != c.want {
			t.Errorf("%v: token is %q, %v; want %q", c, got, err, c.want)
		}
	}
}

// TestBrokenTokenIsRefusedAtStart, by the name of its variable and never by its
// value.
func TestBrokenTokenIsRefusedAtStart(t *testing.T) {
	for _, token := range []string{"secret\nsecret", "secret secret", "secret\tx", "secret\u00a0x"} {
		_, err := DiscoverToken(context.Background(), func(k string) string { return map[string]string{"GH_TOKEN": token}[k] }, "")
		if !errors.Is(err, ErrToken) || !strings.Contains(err.Error(), "GH_TOKEN") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", token, err)
		}
	}
}

// assertionOf checks the signature of a JSON Web Token and returns its claims.
func assertionOf(t *testing.T, key *rsa.PrivateKey, header string) map[string]any {
	t.Helper()
	parts := strings.Split(strings.TrimPrefix(header, "Bearer "), ".")
	if len(parts) != 3 {
		t.Fatalf("%q is no JSON Web Token", header)
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, digest[:], signature); err != nil {
		t.Error(err)
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims map[string]any
	if err := json.Unmarshal(text, &claims); err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestAppInstallation(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	start := newClock().now
	token := func(name string, from time.Duration) reply {
		return text(201, fmt.Sprintf(`{"token":%q,"expires_at":%q}`, name, start.Add(from+time.Hour).Format(time.RFC3339)))
	}
	for name, block := range map[string]*pem.Block{
		"PKCS1": {Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}, "PKCS8": {Type: "PRIVATE KEY", Bytes: pkcs8},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGitHub(t, token("first", 0), goodREST, goodGraphQL, // one token for both
				token("second", time.Hour), goodREST, // an hour later
				text(401, `{"message":"Bad credentials"}`), token("third", time.Hour), goodREST, // revoked
				text(401, `{"message":"Bad credentials"}`), token("fourth", time.Hour), text(401, `{"message":"Bad credentials"}`))
			c := g.client(func(o *Options) {
				o.Tokens, o.App = nil, &App{ID: "12345", Installation: 678, Key: pem.EncodeToMemory(block)}
			})
			wantRepository(t, c)
			wantLogin(t, c)
			_ = g.clock.Sleep(context.Background(), 56*time.Minute)
			wantRepository(t, c)
			wantRepository(t, c)
			_, err := repository(context.Background(), c)
			wantError(t, err, ErrAuth) // a new token did not help: stop
			claims := assertionOf(t, key, g.headers[0].Get("Authorization"))
			if claims["iss"] != "12345" || claims["iat"] != float64(start.Add(-time.Minute).Unix()) || claims["exp"] != float64(start.Add(9*time.Minute).Unix()) {
				t.Errorf("claims are %v", claims)
			}
			for i, want := range map[int]string{1: "first", 2: "first", 4: "second", 5: "second", 7: "third", 10: "fourth"} {
				if got := g.headers[i].Get("Authorization"); got != "Bearer "+want {
					t.Errorf("request %d went with %q, want %q", i+1, got, want)
				}
			}
		})
	}
}

func TestAppKeysThatAreNone(t *testing.T) {
	o := DefaultOptions()
	for _, key := range []string{"", "no PEM", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"} {
		o.App = &App{ID: "1", Installation: 2, Key: []byte(key)}
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), "private key") {
			t.Errorf("key %q: error is %v", key, err)
		}
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	for _, bad := range []string{"", "api.github.com", "://"} {
		o := DefaultOptions()
		o.APIURL = bad
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), "GITHUB_API_URL") {
			t.Errorf("%q: error is %v", bad, err)
		}
		o = DefaultOptions()
		o.GraphQLURL = bad
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), "GITHUB_GRAPHQL_URL") {
			t.Errorf("%q: error is %v", bad, err)
		}
	}
}

func TestAnonymousRequestsHaveNoToken(t *testing.T) {
	g := newGitHub(t, goodREST)
	wantRepository(t, g.client(func(o *Options) { o.Tokens = nil }))
	if h := g.headers[0].Get("Authorization"); h != "" {
		t.Errorf("Authorization is %q", h)
	}
	if h := g.headers[0].Get("X-GitHub-Api-Version"); h == "" {
		t.Error("no API version")
	}
}
