package fixes_test

import (
	"os"
	"strings"
	"testing"
)

// tally counts links, and what one or two readers found true and findable: of all, of those that the rule releases, and
// of those whose lines can be placed, which become records (known of the last two sets).
type tally struct{ all, released, records [5]int } // links; true by the first and the second reader; findable by the same

// TestReadings pins what docs/escaped.md says of the links that were read: of each set how many are released by the
// rule as it is now, or was when the set was read with another grade_a_days, and how many of them are true and findable.
// That the rule gives the column needs the repositories' clones.
func TestReadings(t *testing.T) {
	text, err := os.ReadFile("../../docs/escaped-readings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*tally{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 10 {
			t.Fatalf("%d columns: %s", len(f), line)
		}
		if got[f[0]] == nil {
			got[f[0]] = &tally{}
		}
		count(&got[f[0]].all, f)
		if f[8] == "yes" || f[8] == "record" {
			count(&got[f[0]].released, f)
		}
		if f[8] == "record" {
			count(&got[f[0]].records, f)
		}
	}
	for set, want := range map[string]tally{
		"trial": {all: [5]int{118, 74, 0, 64, 0}, released: [5]int{2, 2, 0, 2, 0}},
		"two-1": {all: [5]int{103, 85, 84, 77, 70}, released: [5]int{22, 22, 22, 22, 22}},
		"two-2": {all: [5]int{28, 23, 23, 20, 20}, released: [5]int{8, 8, 8, 7, 7}},
		"two-3": {all: [5]int{116, 89, 87, 84, 83}, released: [5]int{41, 40, 39, 37, 36}},
		"two-4": {all: [5]int{135, 104, 105, 98, 98}, released: [5]int{70, 68, 68, 63, 62}},
		"two-5": {all: [5]int{112, 97, 97, 88, 88}, released: [5]int{103, 93, 93, 87, 87}, records: [5]int{75, 73, 73, 68, 68}},
		"two-6": {all: [5]int{117, 103, 103, 93, 93}, released: [5]int{117, 103, 103, 93, 93}, records: [5]int{82, 77, 77, 69, 69}},
	} {
		if got[set] == nil || *got[set] != want {
			t.Errorf("%s: %v, want %v", set, got[set], want)
		}
	}
}

// count adds one line: its verdicts and where it can be found, by one reader or by two with a slash between.
func count(n *[5]int, f []string) {
	verdicts, where := strings.Split(f[6], "/"), strings.Split(f[7], "/")
	n[0]++
	for i, v := range verdicts {
		if v == "T" {
			n[1+i]++
			if where[i] == "D" || where[i] == "R" {
				n[3+i]++
			}
		}
	}
}
