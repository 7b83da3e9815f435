package openai

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func checkout(t *testing.T) *os.Root {
	t.Helper()
	place := t.TempDir()
	dir := filepath.Join(place, "repo")
	for name, text := range map[string]string{
		"../outside": "the secret\n", "a.go": "package a\n\nfunc F() {}\n", "sub/b.go": "a.F()\r\nthe end\n", "bin": "x\x00the secret", ".git/config": "the secret\n",
		"long": strings.Repeat("line\n", 1000),
	} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"out": place, "file": "../outside", "absolute": "/etc/passwd", "git": ".git"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func TestUse(t *testing.T) {
	root := checkout(t)
	for _, tc := range []struct{ name, arguments, want string }{
		{"list", `{}`, "a.go\nabsolute\nbin\nfile\ngit\nlong\nout\nsub/\n"},
		{"list", `{"path": "sub/"}`, "b.go\n"},
		{"read", `{"path": "sub/b.go"}`, "1\ta.F()\n2\tthe end\n"},
		{"read", `{"path": "a.go", "from": 3, "to": 3}`, "3\tfunc F() {}\n"},
		{"read", `{"path": "a.go", "from": 1, "to": 1}`, "1\tpackage a\n(3 lines in all)\n"},
		{"read", `{"path": "a.go", "from": 9}`, "nothing"},
		{"search", `{"pattern": "F\\(\\)"}`, "a.go:3:func F() {}\nsub/b.go:1:a.F()\n"},
		{"search", `{"pattern": "F", "path": "sub"}`, "sub/b.go:1:a.F()\n"},
		{"search", `{"pattern": "the secret"}`, "nothing"},
	} {
		if got := use(root, tc.name, tc.arguments); got != tc.want {
			t.Errorf("%s %s: %q, want %q", tc.name, tc.arguments, got, tc.want)
		}
	}
	for name, arguments := range map[string]string{"read": `{"path": "long"}`, "search": `{"pattern": "line"}`} {
		if got := use(root, name, arguments); strings.Count(got, "\n") > maxRead+1 || !strings.HasSuffix(got, ")\n") {
			t.Errorf("%s is not bounded: %d lines", name, strings.Count(got, "\n"))
		}
	}
}

// TestUse_Hostile: nothing outside the checkout is shown, nor what git keeps, and no
// path of the machine.
func TestUse_Hostile(t *testing.T) {
	root := checkout(t)
	for _, at := range []string{
		"../outside", "sub/../../outside", "/etc/passwd", "file", "absolute", "out", "out/outside", "out/repo/a.go", ".git", ".git/config", "./.git/config", ".GIT/config",
		"sub/../.git/config", "git", "a.go\x00", "//", "..", "...", "a.go/..", "bin", "nowhere", strings.Repeat("x", 10_000), "~/.ssh", "C:\\a", "file:///etc/passwd",
	} {
		for _, name := range []string{"list", "read", "search"} {
			got := use(root, name, `{"pattern": "secret|root", "path": `+quoted(at)+`}`)
			if strings.Contains(got, "the secret") || strings.Contains(got, "root:") || strings.Contains(got, root.Name()) || strings.Contains(got, "outside\n") {
				t.Errorf("%s %q: %s", name, at, got)
			}
		}
	}
	for _, arguments := range []string{"", "[]", "{", `{"path": 1}`, `{"pattern": "("}`, `{"pattern": ""}`, `{"pattern": "` + strings.Repeat("a?", 2000) + `"}`} {
		if got := use(root, "search", arguments); !strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: %s", arguments, got)
		}
	}
	if got := use(root, "write", "{}"); !strings.HasPrefix(got, "error: ") {
		t.Error(got)
	}
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, "\x00", `\u0000`).Replace(s) + `"`
}
