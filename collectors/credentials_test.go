package collectors

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/ghapi"
)

// TestGitSignsInAsTheAPIDoes: whatever the API signs in with (the user's token,
// that of an App's installation, nothing), git sends the same.
func TestGitSignsInAsTheAPIDoes(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"token":"of-the-installation","expires_at":%q}`, time.Now().Add(time.Hour).Format(time.RFC3339))
	}))
	defer server.Close()
	options := ghapi.DefaultOptions()
	options.APIURL, options.GraphQLURL, options.UserAgent = server.URL, server.URL+"/graphql", "test"
	user, app := options, options
	user.Tokens = ghapi.StaticToken("of-gh-auth")
	app.App = &ghapi.App{ID: "1", Installation: 2, Key: pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})}
	for name, c := range map[string]struct {
		connect func(context.Context) (*ghapi.Client, error)
		want    string
	}{
		"user":    {func(context.Context) (*ghapi.Client, error) { return ghapi.New(user) }, "of-gh-auth"},
		"app":     {func(context.Context) (*ghapi.Client, error) { return ghapi.New(app) }, "of-the-installation"},
		"nothing": {func(context.Context) (*ghapi.Client, error) { return nil, ErrNoToken }, ""},
	} {
		collector, err := Open(Options{State: t.TempDir(), Connect: c.connect, Git: gitsource.DefaultOptions()})
		if err != nil {
			t.Fatal(err)
		}
		defer collector.Close()
		if got, err := collector.opts.Git.Token(t.Context()); got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}
