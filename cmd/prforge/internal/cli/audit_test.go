package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Only a large page of one file is said to be better as a folder.
func TestAdviseFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my page.html")
	for size, advised := range map[int64]bool{largePage: false, largePage + 1: true} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		says := adviseFolder(path, "prforge", "a set")
		want := "prforge audit 'a set' --html '" + strings.TrimSuffix(path, ".html") + "'\n"
		if (says != "") != advised || advised && !strings.HasSuffix(says, want) {
			t.Errorf("of %d bytes it says %q", size, says)
		}
	}
}
