package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// changed lists the files of a released version that are not what was released:
// altered, missing or new. A version without SHA256SUMS is not released yet.
func changed(t *testing.T, dir string) []string {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	released := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(sums)), "\n") {
		sum, name, _ := strings.Cut(line, "  ")
		released[name] = sum
	}
	var out []string
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if name := filepath.Base(path); released[name] != hex.EncodeToString(sum[:]) {
			out = append(out, name)
		}
		delete(released, filepath.Base(path))
	}
	for name := range released {
		out = append(out, name)
	}
	return out
}

func TestReleasedSchemasDoNotChange(t *testing.T) {
	versions, err := filepath.Glob("v*")
	if err != nil || len(versions) != Version {
		t.Fatalf("%d versions in folders, Version is %d, error %v", len(versions), Version, err)
	}
	for _, dir := range versions {
		if names := changed(t, dir); len(names) > 0 {
			t.Errorf("%s is released and differs in %v: copy it to the next version and change that", dir, names)
		}
	}
}

func TestChangesOfReleasedSchemasAreSeen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	empty := sha256.Sum256([]byte("{}"))
	write("record.json", "{}")
	write("SHA256SUMS", hex.EncodeToString(empty[:])+"  record.json\n")
	if names := changed(t, dir); len(names) > 0 {
		t.Errorf("an intact version differs in %v", names)
	}
	write("record.json", "{} ")
	write("new.json", "{}")
	if names := changed(t, dir); len(names) != 2 {
		t.Errorf("an altered and a new file: %v", names)
	}
}
