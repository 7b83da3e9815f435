package debugging

import (
	"bytes"
	"testing"
)

func TestOperatorsDoWhatTheirExamplesShow(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Operators() {
		if seen[o.Name] || o.Text == "" || o.Group == "" {
			t.Errorf("operator %q is there twice or without a description", o.Name)
		}
		seen[o.Name] = true
		s, err := Parse([]byte(o.Before))
		if err != nil {
			t.Fatalf("%s: %v", o.Name, err)
		}
		var got []string
		for _, c := range o.Find(s) {
			text, err := s.Apply(c)
			if err != nil {
				t.Errorf("%s: %v", o.Name, err)
			}
			got = append(got, string(text))
		}
		found := false
		for _, text := range got {
			found = found || text == o.After
		}
		if !found {
			t.Errorf("%s gives %q, want %q among them", o.Name, got, o.After)
		}
	}
}

func TestOperatorsLeaveTheRestAlone(t *testing.T) {
	for _, tc := range []struct {
		name, source string
		want         int
	}{
		{"stale_variable", "rows = load()\nother = 1\nmeans = f(rows)\nprint(means)\n", 1},
		{"axis", "first = rows[0]\nsize = rows.shape[0]\nsizes = rows.shape[0, 1]\nlast = rows.shape[n]\n", 1},
		{"off_by_one", "for i in range(1, n):\n    print(i)\n", 1},
		{"off_by_one", "for i in range(2, n):\n    print(i)\n", 0},
		{"stale_variable", "rows = load()\nmeans = f(x.rows)\nprint(means)\n", 0},
	} {
		s, err := Parse([]byte(tc.source))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range Operators() {
			if got := o.Find(s); o.Name == tc.name && len(got) != tc.want {
				t.Errorf("%s finds %+v in %q, want %d", o.Name, got, tc.source, tc.want)
			}
		}
	}
}

// Whatever the source, a candidate changes one statement and no line count.
func FuzzCandidates(f *testing.F) {
	for _, o := range Operators() {
		f.Add([]byte(o.Before))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := Parse(src)
		if err != nil {
			return
		}
		for _, o := range Operators() {
			for _, c := range o.Find(s) {
				if c.Operator != o.Name || len(c.Edits) == 0 {
					t.Fatalf("%+v", c)
				}
				out, err := s.Apply(c)
				if err != nil {
					t.Fatalf("%s on %q: %v", o.Name, src, err)
				}
				span := s.Statements[c.Statement].Span
				for _, e := range c.Edits {
					if e.Line < span.First || e.Line > span.Last {
						t.Fatalf("%s changes line %d outside %v of %q", o.Name, e.Line, span, src)
					}
				}
				_ = bytes.Count(out, []byte("\n"))
			}
		}
	})
}
