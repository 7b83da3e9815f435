package debugging

import (
	"encoding/json"
	"testing"

	"github.com/prforge/prforge/evaluation"
)

func itemOf(t *testing.T, s Sample) evaluation.Item {
	t.Helper()
	key, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return evaluation.Item{ID: s.ID, Key: key, Prompts: map[string]string{"numbered": s.Code}}
}

func TestCheats(t *testing.T) {
	code := func(second string) string { return "import numpy as np\n" + second + "\nprint(totals + other)\n" }
	sample := func(id, script, second string) Sample {
		return Sample{ID: id, Script: script, Code: code(second), Truths: []Truth{{Cause: Line{First: 2, Last: 2}, Effect: Line{First: 3, Last: 3}, Type: "TypeError"}}}
	}
	for _, tc := range []struct {
		cheat  string
		second string
		finds  bool
	}{
		{"regex", "totals = other.mean", true},
		{"regex", "totals = other.mean()", false},
		{"regex", "f(depth='3')", true},
		{"regex", "totals = other.sort()", true},
		{"speller", "totls = np.zeros(2); totals = 1; totals = 2", true},
		{"speller", "totals = np.zeros(2)", false},
		{"constant", "totals = 1", false},
		{"effect", "totals = 1", false},
		{"siblings", "totals = 1", true},
		{"pair", "totals = 1", true},
	} {
		samples := []Sample{sample("a", "one", tc.second), sample("b", "one", "totals = [1]"), sample("c", "one", "totals = [1]"), sample("d", "two", tc.second)}
		var items []evaluation.Item
		for _, s := range samples {
			items = append(items, itemOf(t, s))
		}
		for _, c := range Cheats().List {
			if c.Name != tc.cheat {
				continue
			}
			answers, err := c.Answers(t.Context(), items, "numbered")
			if err != nil || len(answers) != len(items) {
				t.Fatalf("%s: %d answers, error %v", tc.cheat, len(answers), err)
			}
			for i := range items {
				score, err := Benchmark{}.Score(items[i], "numbered", Benchmark{}.Read(items[i], answers[i]), nil)
				if err != nil {
					t.Fatal(err)
				}
				alone := tc.cheat == CheatSiblings || tc.cheat == CheatPair
				want := tc.finds && (i == 0 || i == 3 && !alone)
				if found := score.Rates["cause_line_recall"].N == 1; found != want && (i == 0 || i == 3) {
					t.Errorf("%s on %q of item %d: found is %t", tc.cheat, tc.second, i, found)
				}
			}
		}
	}
}

func TestNearly(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"total", "totl"}: true, {"totl", "total"}: true, {"total", "totale"}: true, {"total", "tatal"}: true, {"total", "toatl"}: true,
		{"abc", "xbcd"}: false, {"total", "tto"}: false, {"total", "tober"}: false, {"x1", "x2"}: false, {"total", "total"}: false,
	} {
		if got := nearly(words[0], words[1]); got != want {
			t.Errorf("%v: %v", words, got)
		}
	}
}
