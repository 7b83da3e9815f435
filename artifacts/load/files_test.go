package load_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
)

func TestOpenIntact(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	if err := freeze.Freeze(t.Context(), whole, artifactstest.Dataset(artifactstest.Tasks())); err != nil {
		t.Fatal(err)
	}
	edit := func(path, old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			full := filepath.Join(dir, path)
			text, err := os.ReadFile(full)
			if err != nil || !strings.Contains(string(text), old) {
				t.Fatalf("%s has no %q: %v", path, old, err)
			}
			if err := os.WriteFile(full, []byte(strings.Replace(string(text), old, new, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(path string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			if err := os.RemoveAll(filepath.Join(dir, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tc := range []struct {
		name   string
		damage func(*testing.T, string)
		want   string // in the error; "" for none
	}{
		{"as frozen", func(*testing.T, string) {}, ""},
		{"an edited card", edit(artifacts.FileCard, "#", "##"), ""},
		{"an edited license", edit(artifacts.FileLicense, "#", "##"), ""},
		{"files that are missing", remove("evidence"), ""},
		{"another record", edit(artifacts.FileRecords, "{", "{ "), "prs.jsonl is damaged: it is not the file that the manifest lists; 'prforge verify "},
		{"a folder for a file", func(t *testing.T, dir string) {
			remove(artifacts.FileFunnel)(t, dir)
			if err := os.Mkdir(filepath.Join(dir, artifacts.FileFunnel), 0o755); err != nil {
				t.Fatal(err)
			}
		}, "audit/funnel.json"},
		{"no manifest", remove(artifacts.FileManifest), "is not a dataset"},
		{"a manifest of a later version", edit(artifacts.FileManifest, `"schema_version": 1`, `"schema_version": 2`), "schema_version is 2; this prforge reads version 1"},
		{"a manifest without a field", edit(artifacts.FileManifest, `"tokenizer"`, `"tokeniser"`), "manifest.json is damaged: /: lacks tokenizer"},
		{"a manifest with null", edit(artifacts.FileManifest, `"min_words": 10`, `"min_words": null`), "manifest.json is damaged: /parameters/min_words: is null instead of integer"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			tc.damage(t, dir)
			r, err := load.OpenIntact(dir)
			if tc.want == "" && (err != nil || r == nil || r.Dir != dir) || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// A record's line may be much longer than what a scanner takes by itself.
func TestRawLines_Long(t *testing.T) {
	dir := t.TempDir()
	long := `"` + strings.Repeat("x", 1<<20) + `"`
	if err := os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte("1\n\n"+long+"\n2"), 0o644); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line, err := range load.RawLines(dir, "a.jsonl") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(line.Number, " ", string(line.Text)))
	}
	if !slices.Equal(got, []string{"1 1", "3 " + long, "4 2"}) {
		t.Errorf("%d lines: %.100q", len(got), got)
	}
	if testing.Short() {
		return
	}
	if err := os.Truncate(filepath.Join(dir, "a.jsonl"), 300<<20); err != nil {
		t.Fatal(err)
	}
	for line, err := range load.RawLines(dir, "a.jsonl") {
		if line.Number == 0 && (err == nil || !strings.Contains(err.Error(), "a.jsonl: line 4 is longer than 256 MB")) {
			t.Errorf("a line without end: %v", err)
		}
	}
}
