package label_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/evaluation/stats"
)

const change = "diff --git a/src/a.go b/src/a.go\n--- a/src/a.go\n+++ b/src/a.go\n@@ -1,3 +1,4 @@\n package a\n+var x = 1\n // one\n // two\n"

// hostileText is in every text that comes from strangers.
const hostileText = "</script><script>window.ran = 1</script><img src=x onerror=alert(1)> \u202e | `x`"

// sheet asks two questions about n comments, the second one only of those that are
// the same as something beside them.
func sheet(n int, hostile string) label.Sheet {
	line := 2
	s := label.Sheet{
		Title: "Comments of a sample", Intro: []string{"What you see, and what the words mean."}, Changes: map[string]string{"one": change + hostile},
		Questions: []label.Question{
			{Key: "label", Ask: "What is it?", Options: []label.Option{{Value: "SAME", Means: "as one beside it"}, {Value: "OTHER", Means: "true, and something else"}, {Value: "WRONG", Means: "wrong"}}},
			{Key: "match", Ask: "The same as which?", Beside: true, When: &label.Answered{Question: "label", Value: "SAME"}},
		},
		Training: []label.Trained{{Item: label.Item{ID: "t1", Title: "A change", Body: "It is wrong.", At: label.Place{File: "src/a.go", Line: &line}}, Diff: change, Answers: map[string]string{"label": "WRONG"}, Why: "Because the code says so."}},
	}
	for i := range n {
		it := label.Item{ID: label.ID("item", fmt.Sprint(i)), Title: "Fix it" + hostile, URL: "javascript:alert(1)", Description: "It **was** broken" + hostile, Change: "one",
			Body: fmt.Sprintf("=comment %d,\r\nwith; a \"list\":\r\n\r\n* one\t%s", i, hostile), At: label.Place{File: "src/a.go", Line: &line}}
		for k := range i % 3 {
			it.Beside = append(it.Beside, label.Other{ID: fmt.Sprintf("c_%d", k+1), Body: "The number is wrong" + hostile, At: label.Place{File: "b.go"}})
		}
		s.Items = append(s.Items, it)
	}
	return s.With(upTo(n), 7)
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestWith_AsksOneInTenTwice(t *testing.T) {
	s := sheet(40, "")
	if len(s.Order) != 44 || !slices.Equal(s.Order, sheet(40, "").Order) {
		t.Fatalf("the order is %v", s.Order)
	}
	first := map[int]int{}
	twice := 0
	for at, n := range s.Order {
		if was, seen := first[n]; !seen {
			first[n] = at
		} else if twice++; at-was < 10 || at < 20 {
			t.Errorf("item %d comes at %d and at %d", n, was, at)
		}
	}
	if twice != 4 || len(first) != 40 {
		t.Errorf("%d of %d items come twice", twice, len(first))
	}
	if few := s.Sample(5, 1); len(few.Items) != 5 || len(few.Order) != 5 {
		t.Errorf("%d items in the order %v", len(few.Items), few.Order)
	}
}

// filled is a sheet's table as some spreadsheet saves it.
func filled(t *testing.T, s label.Sheet, change func(head []string, rows [][]string) ([]string, [][]string), comma rune, crlf bool) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head, rows := change(lines[0], lines[1:])
	b.Reset()
	w := csv.NewWriter(&b)
	w.Comma, w.UseCRLF = comma, crlf
	if err := w.WriteAll(append([][]string{head}, rows...)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fill labels the rows of a table: the first thing beside it where there is one.
func fill(head []string, rows [][]string) ([]string, [][]string) {
	at := func(name string) int { return slices.Index(head, name) }
	for i, r := range rows {
		if i == 3 {
			continue // not labeled
		}
		r[at("label")] = "other"
		if strings.Contains(r[at("beside")], "c_1") {
			r[at("label")], r[at("match")] = " Same ", "C_1"
		}
	}
	return head, rows
}

func TestReadCSV(t *testing.T) {
	s := sheet(20, hostileText)
	want, err := s.ReadCSV("ada.csv", filled(t, s, fill, ',', false))
	if err != nil || len(want) != 21 || want[0].Rater != "ada" {
		t.Fatalf("%d labels, %v", len(want), err)
	}
	same := map[string]string{"label": "SAME", "match": "c_1"}
	if n := len(slices.DeleteFunc(slices.Clone(want), func(l label.Label) bool { return !maps.Equal(l.Answers, same) })); n < 10 {
		t.Errorf("%d labels have an answer to both questions", n)
	}
	byID := func(l []label.Label) []label.Label { m, _ := label.Merge(l); return m }
	for name, content := range map[string][]byte{
		"excel in Europe": append([]byte("\xef\xbb\xbf"), filled(t, s, fill, ';', true)...),
		"tabs":            filled(t, s, fill, '\t', true),
		"sorted": filled(t, s, func(head []string, rows [][]string) ([]string, [][]string) {
			head, rows = fill(head, rows)
			slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
			return head, rows
		}, ',', false),
		"other columns, another order": filled(t, s, func(head []string, rows [][]string) ([]string, [][]string) {
			head, rows = fill(head, rows)
			for i, r := range rows {
				rows[i] = append([]string{"a note;", r[8], r[7]}, r[:7]...)
			}
			return append([]string{"notes", "MATCH", "Label "}, head[:7]...), rows
		}, ',', false),
		"rows left out, empty ones": filled(t, s, func(head []string, rows [][]string) ([]string, [][]string) {
			head, rows = fill(head, rows)
			return head, append(slices.Delete(rows, 3, 4), make([]string, len(head)), []string{"", "", "", "", "", "", "", "", ""})
		}, ',', false),
		"texts of another encoding": bytes.ReplaceAll(filled(t, s, fill, ',', false), []byte("\u202e"), []byte("\x92")),
	} {
		got, err := s.ReadCSV("/some/where/ada.csv", content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(byID(want), byID(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for want, content := range map[string]string{
		"it is empty":                              "",
		"there is no column match":                 "id,label\n",
		`row 2: there is no item "i0"`:             "id,label,match\ni0,OTHER,\n",
		`row 3: label is "GOOD", want one of unsu`: "id,label,match\n,,\n" + s.Items[0].ID + ",GOOD,\n",
		`row 2: match is "c_9"`:                    "id,label,match\n" + s.Items[2].ID + ",SAME,c_9\n",
	} {
		if _, err := s.ReadCSV("b.csv", []byte(content)); err == nil || !strings.Contains(err.Error(), "b.csv: "+want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
}

// LibreOffice saved testdata/libreoffice.csv: soffice --headless --convert-to
// csv:"Text - txt - csv (StarCalc)":59,34,76,1 of the table that the test fills.
func TestReadCSV_LibreOffice(t *testing.T) {
	s := sheet(20, hostileText)
	path := filepath.Join("testdata", "libreoffice.csv")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.ReadCSV("ada.csv", content)
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.ReadCSV("ada.csv", filled(t, s, fill, ',', false))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func FuzzReadCSV(f *testing.F) {
	s := sheet(3, "")
	f.Add([]byte("id,label,match\n" + s.Items[0].ID + ",SAME,c_1\n"))
	f.Add([]byte("\xef\xbb\xbfid;label;match;\"\"\"\r\n\"" + s.Items[1].ID + "+\";unsure"))
	f.Fuzz(func(t *testing.T, content []byte) {
		labels, err := s.ReadCSV("a.csv", content)
		for _, l := range labels {
			if err != nil || len(l.Answers) == 0 || !slices.ContainsFunc(s.Items, func(it label.Item) bool { return it.ID == l.Item }) {
				t.Errorf("%+v, %v", l, err)
			}
		}
	})
}

func said(item, rater, answer string) label.Label {
	return label.Label{Item: item, Rater: rater, Answers: map[string]string{"label": answer}}
}

func TestAgree(t *testing.T) {
	labels, err := label.Merge([]label.Label{said("1", "ada", "yes"), said("2", "ada", "no"), said("3", "ada", "yes"), said("4", "ada", label.Unsure)},
		[]label.Label{said("1", "ben", "yes"), said("2", "ben", "no"), said("3", "ben", "no"), said("4", "ben", "no")},
		[]label.Label{{Item: "1", Rater: "ada", Again: true, Answers: map[string]string{"label": "no"}}})
	if err != nil {
		t.Fatal(err)
	}
	plain := func(string) label.Standing { return label.Standing{} }
	a := label.Agree(stats.Default(), "label", labels, plain)
	// Equal on two of three; expected 4/9: (2/3 - 4/9) / (5/9) = 0.4.
	if k := a.Pairs[0].Agreement; a.Items != 4 || a.Unsure != 1 || k.Items != 3 || k.Kappa.Value < 0.399 || k.Kappa.Value > 0.401 || a.Pairs[0].A != "ada" {
		t.Errorf("%+v", a)
	}
	if s := a.Selves; len(s) != 1 || s[0].Rater != "ada" || s[0].Same.Value != 0 {
		t.Errorf("asked twice: %+v", s)
	}
	// Item 3 stands for as many as seven others.
	weighed := label.Agree(stats.Default(), "label", labels, func(item string) label.Standing {
		return label.Standing{Weight: map[string]float64{"3": 7}[item]}
	})
	if k := weighed.Pairs[0].Agreement.Observed; k < 0.222 || k > 0.223 {
		t.Errorf("weighed, %v are equal", k)
	}
	if d := (label.Sheet{Items: []label.Item{{ID: "4"}, {ID: "3"}, {ID: "1"}}}).Differ(labels); !slices.Equal(d, []int{1}) {
		t.Errorf("raters differ on %v", d)
	}
	if _, err := label.Merge(labels, []label.Label{said("1", "ada", "no")}); err == nil {
		t.Error("two labels of one rater")
	}
	if again, err := label.Merge(labels, labels); err != nil || len(again) != len(labels) {
		t.Errorf("%d labels read twice, %v", len(again), err)
	}
}
