package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestReadProse(t *testing.T) {
	for name, c := range map[string]struct {
		body  string
		prose string
		words int
	}{
		"plain":                 {"One two three.", "One two three.", 3},
		"carriage returns":      {"one\r\ntwo\rthree", "one\ntwo\nthree", 3},
		"quote":                 {"> quoted words here\n\nanswer now", "answer now", 2},
		"lazy quote":            {"> quoted\nstill the reader's line", "still the reader's line", 4},
		"fence":                 {"a\n```go\nx := 1\n```\nb", "a\nb", 2},
		"longer fence":          {"a\n````md\n```\nx\n```\n````\nb", "a\nb", 2},
		"tilde fence":           {"a\n~~~\nx y z\n~~~\nb", "a\nb", 2},
		"unclosed fence":        {"a\n```\nx y z", "a", 1},
		"fence in a list":       {"- a\n  ```suggestion\n  x y\n  ```\n- b", "a\nb", 2},
		"suggestion":            {"```suggestion\nx y\n```", "", 0},
		"HTML comment":          {"a <!-- hidden words --> b", "a b", 2},
		"HTML comment block":    {"<!-- hidden\nwords -->\n\nb", "b", 1},
		"HTML block":            {"<p>one <b>two</b></p>\n\nthree", "one two\nthree", 3},
		"HTML details":          {"<details>\n<summary>one</summary>\n\ntwo\n\n</details>", "one\ntwo", 2},
		"unclosed comment":      {"one\n\n<!-- two three", "one", 1},
		"link":                  {"see [the docs](https://example.org/a) now", "see the docs now", 4},
		"bare link":             {"see https://example.org/a now", "see now", 2},
		"reference link":        {"see [it][1] now\n\n[1]: https://example.org/a", "see it now", 3},
		"image":                 {"look ![alt text](https://example.org/a.png) here", "look here", 2},
		"image tag":             {`look <img src="a.png" alt="words in it"> here`, "look here", 2},
		"comment and more":      {"<!-- hidden\nwords --> tail\n\nb", "tail\nb", 2},
		"tag in a word":         {"one<br>two", "one two", 1},
		"address in a word":     {"see<https://example.org/a>now", "see now", 1},
		"code span":             {"use `a b` instead", "use `a b` instead", 4},
		"operators in code":     {"`a != b`", "`a != b`", 3},
		"triple-tick span":      {"use ```foo bar``` here", "use `foo bar` here", 2},
		"emoji":                 {"nice :tada: :+1: 🎉 work", "nice 🎉 work", 2},
		"command":               {"/ok-to-test\n/lgtm cancel\nthanks", "thanks", 1},
		"punctuation":           {"a - b ... ? c", "a - b ... ? c", 3},
		"emphasis":              {"**bold** and _it_ and ~~gone~~", "bold and it and gone", 5},
		"zero-width":            {"a\u200bb\u2060c d", "abc d", 2},
		"table":                 {"| a | b |\n|---|---|\n| c | d |", "a\nb\nc\nd", 4},
		"invalid UTF-8":         {"a \xff b", "a \uFFFD b", 2},
		"empty":                 {"", "", 0},
		"indented is a message": {"    x := 1\n\nwords", "words", 1},
	} {
		got := Read(c.body)
		if diff := cmp.Diff(c.prose, got.Prose); diff != "" {
			t.Errorf("%s: prose (-want +got):\n%s", name, diff)
		}
		if got.Words != c.words {
			t.Errorf("%s: %d words, want %d", name, got.Words, c.words)
		}
	}
}

// Quoted lines do not count for the length, fenced code does; plain prose has no code.
func TestRead_PlainAndRunes(t *testing.T) {
	for body, want := range map[string]struct {
		plain string
		runes int
	}{
		"née":                    {"née", 3},
		"a`b`c":                  {"a c", 5},
		"> quoted\n\nab":         {"ab", 3},
		"a\n```\nx := 1\n```\nb": {"a\nb", 9},
	} {
		if got := Read(body); got.Plain != want.plain || got.Runes != want.runes {
			t.Errorf("%q: plain %q of %d runes, want %q of %d", body, got.Plain, got.Runes, want.plain, want.runes)
		}
	}
}

func TestReadBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		body                string
		suggestions, blocks int
	}{
		"suggestion":          {"```suggestion\nx\n```", 1, 0},
		"empty suggestion":    {"```suggestion\n```", 1, 0},
		"two":                 {"```suggestion\nx\n```\nand\n```suggestion\ny\n```", 2, 0},
		"with CRLF":           {"```suggestion\r\nx\r\n```\r\n", 1, 0},
		"longer fence":        {"````suggestion\n```\n````", 1, 0},
		"with line offsets":   {"```suggestion:-0+2\nx\n```", 1, 0},
		"other language":      {"```go\nx\n```", 0, 1},
		"suggestion as title": {"suggestion\n```\nx\n```", 0, 1},
		"inside a code block": {"````\n```suggestion\nx\n```\n````", 0, 1},
		"quoted":              {"> ```suggestion\n> x\n> ```", 0, 0},
		"unclosed":            {"```suggestion\nx", 1, 0},
	} {
		got := Read(c.body)
		if got.Suggestions != c.suggestions || got.CodeBlocks != c.blocks {
			t.Errorf("%s: %d suggestions and %d blocks, want %d and %d", name, got.Suggestions, got.CodeBlocks, c.suggestions, c.blocks)
		}
	}
}

func TestOutline(t *testing.T) {
	for name, c := range map[string]struct {
		body         string
		h2, all, row int
	}{
		"headings":                {"# a\n## b\n### c\n##nospace", 1, 3, 0},
		"in code":                 {"```\n## a\n```\n    ## b", 0, 0, 0},
		"in a quote":              {"> ## a", 0, 0, 0},
		"underlined":              {"a\n---\nb\n---\n", 0, 0, 0},
		"html":                    {"<h2>a</h2><H3 id=x>b</H3>", 1, 2, 0},
		"table of three":          {"| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |", 0, 0, 3},
		"table of two":            {"| a | b |\n|:--|--:|\n| 1 | 2 |\n| 3 | 4 |", 0, 0, 2},
		"table without the edges": {"a | b\n--|--\n1 | 2\n3 | 4\n\nx | y", 0, 0, 2},
		"loose rows":              {"| a |\n| b |\n| c |", 0, 0, 3},
		"pipes in prose":          {"a | b\nc || d", 0, 0, 0},
		"empty row":               {"||\n|a|", 0, 0, 1},
		"two tables":              {"| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |", 0, 0, 2},
	} {
		got := Read(c.body)
		if got.H2 != c.h2 || got.Headings != c.all || got.TableRows != c.row {
			t.Errorf("%s: %d, %d, %d; want %d, %d, %d", name, got.H2, got.Headings, got.TableRows, c.h2, c.all, c.row)
		}
	}
}

// hostile are bodies that make naive parsers slow or deep.
func hostile() map[string]string {
	n := 262144
	return map[string]string{
		"quotes":     strings.Repeat(">", n),
		"brackets":   strings.Repeat("[", n),
		"images":     strings.Repeat("![", n/2),
		"emphasis":   strings.Repeat("*a ", n/3),
		"underlines": strings.Repeat("_a_ ", n/4),
		"backticks":  strings.Repeat("`", n),
		"tick runs":  strings.Repeat("` `` ", n/5),
		"lists":      strings.Repeat("- ", n/2),
		"nested":     strings.Repeat(" - a\n", n/5),
		"tags":       strings.Repeat("<a ", n/3),
		"comments":   strings.Repeat("<!--", n/4),
		"tables":     strings.Repeat("|a", n/2) + "\n" + strings.Repeat("|-", n/2),
		"links":      strings.Repeat("[a](", n/4),
		"references": strings.Repeat("[a]: b\n", n/7),
		"one line":   strings.Repeat("x", n),
		"tildes":     strings.Repeat("~", n),
		"strikes":    strings.Repeat("~~a", n/3),
		"entities":   strings.Repeat("&amp", n/4),
		"www":        strings.Repeat("www.", n/4),
		"mails":      strings.Repeat("a@", n/2),
	}
}

// TestReadHostile: what is read of a body is valid and no longer than the body,
// whatever it nests.
func TestReadHostile(t *testing.T) {
	for name, body := range hostile() {
		if prose := Read(body).Prose; !utf8.ValidString(prose) || len(prose) > len(body) {
			t.Errorf("%s: %d bytes of %d", name, len(prose), len(body))
		}
	}
}
