package syntax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
)

// TestWalk compares walks for the sources of every language and those of this
// package.
func TestWalk(t *testing.T) {
	errors, lost := 0, 0
	for path, src := range sources(t) {
		n, bytes := syntax.CompareWalks(t, languages.Detect(path), path, src)
		errors += n
		lost += bytes
	}
	if errors == 0 || lost == 0 {
		t.Errorf("%d errors, %d bytes lost: nothing was shown of them", errors, lost)
	}
}

// sources are the sources of the golden archives and those of this package.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"empty.py": {}, "broken.js": []byte("f(")}
	archives, err := filepath.Glob("../languages/*/testdata/syntax.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if languages.Detect(f.Name) != nil && !strings.HasPrefix(f.Name, "want/") {
				out[f.Name] = f.Data
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if out[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
