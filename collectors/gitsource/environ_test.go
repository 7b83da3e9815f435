package gitsource

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestEnviron: git sees the machine's proxies and certificates, and nothing else of the
// environment.
func TestEnviron(t *testing.T) {
	for name, value := range map[string]string{"HTTPS_PROXY": "http://proxy:3128", "SSL_CERT_DIR": "/certificates", "GITHUB_TOKEN": "secret", "GIT_DIR": "/elsewhere", "GIT_TRACE": "1"} {
		t.Setenv(name, value)
	}
	t.Setenv("CURL_CA_BUNDLE", "") // so that it comes back
	if err := os.Unsetenv("CURL_CA_BUNDLE"); err != nil {
		t.Fatal(err)
	}
	got := environ("/state", DefaultOptions().Protocols, []setting{{key: "a.b", value: "c"}})
	for _, want := range []string{"HTTPS_PROXY=http://proxy:3128", "SSL_CERT_DIR=/certificates", "PATH=" + os.Getenv("PATH"), "GIT_DIR=/state", "HOME=/state", "GIT_CONFIG_COUNT=4", "GIT_CONFIG_KEY_3=a.b", "GIT_CONFIG_VALUE_3=c"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, e := range got {
		if name, value, _ := strings.Cut(e, "="); name == "CURL_CA_BUNDLE" || name == "GIT_TRACE" || value == "secret" || value == "/elsewhere" {
			t.Errorf("git is given %s", e)
		}
	}
}
