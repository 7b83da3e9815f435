package debugging

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A value that is impossible by itself, by its tag or by its list is refused at its line.
func TestLoadConfig_Refuses(t *testing.T) {
	const good = "version: 1\ndataset: {freeze_date: 2026-01-01}\nscripts: [{folder: a}]\n"
	path := filepath.Join(t.TempDir(), "debugging.yaml")
	for _, tc := range []struct{ text, want string }{
		{good, ""},
		{strings.Replace(good, "1", "2", 1), ":1: version: is 2"},
		{good + "max_lines: 0\n", ":4: max_lines: is 0; the least possible is 1"},
		{good + "accept_seeds: [-1]\n", ":4: accept_seeds: a seed is from 0"},
		{strings.Replace(good, "folder: a", "repository: a/b, commit: main", 1), ":3: scripts[0].commit: must be the 40 digits"},
	} {
		if err := os.WriteFile(path, []byte(tc.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := LoadConfig(path, DefaultConfig())
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%q: %v, want %q", tc.text, err, tc.want)
		}
	}
}
