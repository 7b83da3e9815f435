package page

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prforge/prforge/internal/page/pagetest"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"-> != ... \u200b":          "",
		"Callers of `parse` rely":   "callers of parse rely",
		"read_file":                 "file read_file",
		"__proto__ constructor":     "__proto__ constructor proto__",
		"readFile2 HTTPServer ABC":  "abc file2 httpserver readfile2 server",
		"don't src/app.py#L3":       "app don l3 py src t",
		"Größe ΣΑΣ nai\u0308ve":     "größe nai\u0308ve σασ",
		"読む":                        "む 読む",
		strings.Repeat("x", 300):    strings.Repeat("x", 20),
		"a_b_c_d_e_f_g_h_i_j_k_l_m": "a_b_c_d_e_f_g_h_i_j_ b_c_d_e_f_g_h_i_j_k_ c_d_e_f_g_h_i_j_k_l_ d_e_f_g_h_i_j_k_l_m e_f_g_h_i_j_k_l_m f_g_h_i_j_k_l_m g_h_i_j_k_l_m h_i_j_k_l_m",
	} {
		var terms Terms
		terms.Text()
		terms.Words(text)
		if got := strings.Join(slices.Sorted(maps.Keys(terms.lists)), " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Whatever a text is, its terms are short, few for each run of letters, and
// found in it.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"read_file", "HTTPServer", "İstanbul", "\xff\xfe", "a_b_c", strings.Repeat("aB", 400)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var terms Terms
		terms.Text()
		terms.Words(text)
		runs := len(strings.FieldsFunc(text, func(r rune) bool { return !inWord(r) }))
		if len(terms.lists) > termParts*runs {
			t.Errorf("%d terms of %d runs", len(terms.lists), runs)
		}
		low := strings.ToLower(text)
		for term := range terms.lists {
			if n := utf8.RuneCountInString(term); n == 0 || n > termRunes {
				t.Errorf("%q has %d letters", term, n)
			}
			if !strings.Contains(low, term) {
				t.Errorf("%q is not in %q", term, low)
			}
		}
	})
}

// Every term is in the block that the directory names, with its texts.
func TestTermsInBlocks(t *testing.T) {
	var terms Terms
	want := map[string][]int{}
	for n := 1; n <= 3000; n++ {
		terms.Text()
		for _, divisor := range []int{1, 2, 7, 1000} {
			if n%divisor == 0 {
				terms.Fact("by", strconv.Itoa(divisor))
				terms.Fact("by", strconv.Itoa(divisor)) // twice is once
				name := "by=" + strconv.Itoa(divisor)
				want[name] = append(want[name], n)
			}
		}
		for k := range 20 {
			word := fmt.Sprintf("w%da%dlongenoughtofill", n, k)
			terms.Words(word)
			want[string([]rune(word)[:min(len(word), termRunes)])] = []int{n}
		}
	}
	blocks := written(t, &terms)
	var d directory
	if err := json.Unmarshal(blocks["terms"], &d); err != nil {
		t.Fatal(err)
	}
	if d.Texts != 3000 || len(d.Firsts) != len(blocks)-1 || len(d.Firsts) < 2 || !slices.IsSorted(d.Firsts) {
		t.Fatalf("the directory is %+v of %d blocks", d, len(blocks))
	}
	read := make([]map[string][]int, len(d.Firsts))
	for i := range read {
		if err := json.Unmarshal(blocks["terms-"+strconv.Itoa(i+1)], &read[i]); err != nil {
			t.Fatal(err)
		}
	}
	for term, texts := range want {
		at, found := slices.BinarySearch(d.Firsts, term)
		if !found {
			at--
		}
		var got []int
		last := 0
		for _, step := range read[at][term] {
			last += step
			got = append(got, last)
		}
		if !slices.Equal(got, texts) {
			t.Fatalf("%s is in %d texts, want %d", term, len(got), len(texts))
		}
	}
}

// written are the blocks of an index, as a page has them.
func written(t *testing.T, terms *Terms) map[string][]byte {
	t.Helper()
	var out bytes.Buffer
	w := &Writer{w: bufio.NewWriter(&out), tail: "<end>"}
	if err := w.Terms("terms", terms); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil || !bytes.HasSuffix(out.Bytes(), []byte("<end>")) {
		t.Fatalf("the page ends %.20q, %v", out.Bytes()[max(0, out.Len()-20):], err)
	}
	return pagetest.Blocks(t, out.Bytes())
}
