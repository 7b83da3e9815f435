package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParagraphs(t *testing.T) {
	code := func(s string) Paragraph { return Paragraph{Text: s, Code: true} }
	for _, c := range []struct {
		name, body string
		want       []Paragraph
	}{
		{"empty", "", nil},
		{"blank lines", "one\ntwo\n\n\nthree", []Paragraph{{Text: "one\ntwo"}, {Text: "three"}}},
		{"carriage returns", "one\r\n\r\ntwo\r\n", []Paragraph{{Text: "one"}, {Text: "two"}}},
		{"hidden", "<!-- hidden\n\nstill -->\nshown", []Paragraph{{Text: "shown"}}},
		{"hidden in a line", "a<!-- hidden -->b", []Paragraph{{Text: "ab"}}},
		{"hidden to the end", "c\n<!-- to the end\n\nx", []Paragraph{{Text: "c"}}},
		{"shown by GitHub, since it is no comment", "c <!-- to the end", []Paragraph{{Text: "c <!-- to the end"}}},
		{"a comment in code", "```html\n<!-- shown -->\n```\n\n`<!-- too -->`", []Paragraph{code("```html\n<!-- shown -->\n```"), {Text: "`<!-- too -->`"}}},
		{"fence", "```go\nx\n\ny\n```\n\nafter", []Paragraph{code("```go\nx\n\ny\n```"), {Text: "after"}}},
		{"longer fence", "````\n```\n\n````\n\nafter", []Paragraph{code("````\n```\n\n````"), {Text: "after"}}},
		{"open fence", "~~~\nnever closed\n\nx", []Paragraph{code("~~~\nnever closed\n\nx")}},
		{"fence in a list", "1. so:\n\n   ```\n   x\n\n   y\n   ```", []Paragraph{{Text: "1. so:"}, code("   ```\n   x\n\n   y\n   ```")}},
		{"fence in a comment", "<!--\n```\n-->\none\n\ntwo", []Paragraph{{Text: "one"}, {Text: "two"}}},
		{"separators of lines", "a\u2028b\u0085c\vd", []Paragraph{{Text: "a\nb\nc\nd"}}},
		{"control characters", "\u202eevil\u202c \x00\x1b[31m", []Paragraph{{Text: "evil [31m"}}},
		{"too long", "one\n\n" + strings.Repeat("x", maxBytes), []Paragraph{{Text: "one"}, {Text: strings.Repeat("x", maxBytes)}}},
	} {
		if d := cmp.Diff(c.want, Paragraphs(c.body)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestVisible(t *testing.T) {
	for body, want := range map[string]string{
		"a <!-- b --> c":                         "a  c",
		"<!-- b\n\nc -->d":                       "\n\nd",
		"- [ ] x\n<!-- a --><!-- b -->y":         "- [ ] x\ny",
		"`<!-- a -->`":                           "`<!-- a -->`",
		"<details>\n<!-- a -->\nb\n</details>\n": "<details>\n\nb\n</details>\n",
	} {
		if got := Visible(body); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add("a <!-- b\n\n--> c\n\n1. x\n\n   ```\n   <!-- d\n\n   ```\n> <!-- e\n> f -->")
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 4096 {
			return
		}
		if shown := Visible(body); len(shown) > 3*len(body) {
			t.Errorf("%q: %q", body, shown)
		}
		for _, p := range Paragraphs(body) {
			if p.Text == "" || strings.ContainsAny(p.Text, "\r") || !p.Code && strings.Contains(p.Text, "\n\n") {
				t.Errorf("%q: paragraph %q", body, p.Text)
			}
		}
	})
}
