package digest

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFolder_Known: the digest is the one that sha256sum gives of the stated form.
func TestFolder_Known(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b.txt", "two\n")
	write(t, dir, "a/x", "one\n")
	write(t, dir, ".git/index", "not counted")
	got, err := Folder(dir)
	// printf 'a/x\0%s\nb.txt\0%s\n' $(printf 'one\n' | sha256sum | cut -c-64) $(printf 'two\n' | sha256sum | cut -c-64) | sha256sum
	if want := "6e81419148b7d33519b47340098790397aa03041c04b9bfcd4d596bdacf668ab"; err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// TestFolder_Changes: every change but one in .git is another digest.
func TestFolder_Changes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "agent.py", "1")
	seen := map[string]string{}
	step := func(name string) {
		t.Helper()
		sum, err := Folder(dir)
		if err != nil || seen[sum] != "" {
			t.Errorf("%s: as %s, %v", name, seen[sum], err)
		}
		seen[sum] = name
	}
	step("first")
	write(t, dir, "agent.py", "2")
	step("content")
	write(t, dir, "more/agent.py", "2")
	step("another file")
	if err := os.Symlink("agent.py", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	step("link")
	if _, err := Folder(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there has a digest")
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
