package bugs

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation"
)

func cheatItem(t *testing.T, id, source string) evaluation.Item {
	t.Helper()
	key, err := json.Marshal(Key{QuestionID: id, Repo: "o/r", Path: "p/m.py", Source: source})
	if err != nil {
		t.Fatal(err)
	}
	return evaluation.Item{ID: id, Key: key, Prompts: map[string]string{"config_A": source}}
}

// Each cheat claims what its patterns are about, and nothing in the file without it.
func TestCheats(t *testing.T) {
	clean := strings.Join([]string{
		"import os", "", "class Reader:", "    def read(self, path, seen=None):", "        if not path:", "            return None",
		"        total = (1 +", "  2)", "        text = \"\"\"", "odd", "        \"\"\"", "        return total, os, text", "",
		"    async def fetch(self):", "        return 1", ""}, "\n")
	items := []evaluation.Item{cheatItem(t, "clean", clean)}
	want := map[string]string{}
	changes := map[string][2]string{
		"regex deeper":    {"            return None", "              return None\n                return 2"},
		"regex shallower": {"            return None", "          return None\n         return 2"},
		"regex no block":  {"            return None", "        return None"},
		"regex mutable":   {"seen=None", "seen=[]"},
		"regex await":     {"return total, os, text", "return fetch()"},
		"regex handler":   {"            return None", "            try:\n                path()\n            except OSError:\n                pass"},
		"regex self":      {"        if not path", "        self.cache = fetch\n        cache\n        if not path"},
		"speller":         {"return total, os, text", "return total, total, os, toatl"},
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) { // pair looks at the first that differs
		change := changes[name]
		source := strings.Replace(clean, change[0], change[1], 1)
		if source == clean {
			t.Fatalf("%s: nothing changed", name)
		}
		items = append(items, cheatItem(t, name, source))
		want[name] = strings.Fields(name)[0]
	}
	set := Cheats(func(context.Context, []File) ([][]Finding, error) { return nil, errors.New("not here") })
	for _, c := range set.List {
		answers, err := c.Answers(t.Context(), items, "config_A")
		if c.Name == Pyflakes {
			if err == nil {
				t.Error("pyflakes ran")
			}
			continue
		}
		if err != nil || len(answers) != len(items) {
			t.Fatalf("%s: %d answers, error %v", c.Name, len(answers), err)
		}
		for i, it := range items {
			claims := len(read(answers[i]).Findings) > 0
			if should := c.Name == "pair" || c.Name == "constant" || want[it.ID] == c.Name; claims != should && (c.Name != "regex" || it.ID != "speller") {
				t.Errorf("%s on %q: %s", c.Name, it.ID, answers[i])
			}
		}
	}
}
