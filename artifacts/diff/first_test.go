package diff_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prforge/prforge/artifacts/diff"
)

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct{ path, old, new, want string }{
		{"a.json", `{"a": 1, "b": [1, {"c": "x"}]}`, `{"a": 1, "b": [1, {"c": "y"}]}`, `b[1].c: "x" and "y"`},
		{"a.json", `{"a": [1]}`, `{"a": [1, 2]}`, "a: 1 and 2"},
		{"a.json", `{"a": 1}`, `{}`, "a: 1 and null"},
		{"a.json", `{"a": 1}`, `{"a":1}`, "the same values in another form"},
		{"a.jsonl", "{\"a\": 1}\n{\"a\": 2}\n", "{\"a\": 1}\n{\"a\": 3}\n", "line 2: a: 2 and 3"},
		{"a.jsonl", "{\"a\": 1}\n", "{\"a\": 1}\n{\"a\": 3}\n", "line 2:  and {\"a\": 3}"},
		{"a.md", "one\ntwo\x1b[31m\n", "one\nthree\n", "line 2: two\\u001b[31m and three"},
		{"a.parquet", "PAR\x00", "PAR\x00\x00", "4 bytes and 5"},
		{"a.json", "", `{}`, " and {}"},
	} {
		dirs := []string{t.TempDir(), t.TempDir()}
		for i, text := range []string{c.old, c.new} {
			if err := os.WriteFile(filepath.Join(dirs[i], c.path), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := diff.FirstDifference(dirs[0], dirs[1], c.path); got != c.want {
			t.Errorf("%s %q %q: got %q, want %q", c.path, c.old, c.new, got, c.want)
		}
	}
	if got := diff.FirstDifference(t.TempDir(), t.TempDir(), "a.json"); got != "is only in the second" {
		t.Errorf("got %q", got)
	}
}
