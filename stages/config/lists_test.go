package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The file of a list becomes part of the dataset's configuration, which reads back as
// the same list and names no file.
func TestLists_CanonicalHoldsTheFile(t *testing.T) {
	dir := t.TempDir()
	list := "\ufeff# what the model was tuned on\nB/b#7\nhttps://github.com/a/a/pull/3\nb/b 5 7\n"
	if err := os.WriteFile(filepath.Join(dir, "training.txt"), []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "prforge.yaml")
	c, err := Parse(path, []byte(minimal+"contamination: {lists: [training.txt]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"training", "a/a 3", "b/b 5 7"}
	got := func(c *Config) []string {
		return append([]string{c.Contamination.Lists[0].Name}, c.Contamination.Lists[0].Pulls...)
	}
	if d := cmp.Diff(want, got(c)); d != "" {
		t.Error(d)
	}
	text, err := c.Canonical(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseFrozen(path, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if d := cmp.Diff(want, got(again)); d != "" {
		t.Error(d)
	}
	second, err := again.Canonical(nil)
	if err != nil || string(second) != string(text) {
		t.Errorf("%v: the canonical configuration is not canonical:\n%s", err, second)
	}
}

func TestLists_Refused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("a/b#1\nroot:x:0:0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "latin1.txt"), []byte("# caf\xe9\na/b#1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"lists: [nothing.txt]":                       "no such file",
		"lists: [secret]":                            "line 2: want OWNER/NAME#NUMBER",
		"lists: [{name: x, pulls: [a/b]}]":           "line 1: want OWNER/NAME#NUMBER",
		"lists: [{name: x, pulls: [a/b 0]}]":         "line 1: want OWNER/NAME#NUMBER",
		"lists: [{name: '', pulls: [a/b 1]}]":        "needs a name",
		"lists: [{name: x, pulls: ['../../etc#1']}]": "line 1: want OWNER/NAME#NUMBER",
		"lists: [{name: x, numbers: ['a/b#1']}]":     "name of a file",
		"lists: [latin1.txt]":                        "not UTF-8",
		"lists: training.txt":                        "contamination.lists",
	} {
		_, err := Parse(filepath.Join(dir, "prforge.yaml"), []byte(minimal+"contamination: {"+text+"}\n"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "root") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := ParseFrozen(filepath.Join(dir, "config.yaml"), []byte(minimal+"frozen: true\ncontamination: {lists: [secret]}\n")); err == nil || !strings.Contains(err.Error(), "names no file") {
		t.Errorf("a dataset's configuration reads a file: %v", err)
	}
}
