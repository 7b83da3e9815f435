package markdown_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/markdown"
)

func TestTree(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"prose with code", "Use `a < b` **here**\nand *there*.", `[{"k":"p","n":[{"t":"Use "},{"k":"code","t":"a < b"},{"t":" "},{"k":"strong","n":[{"t":"here"}]},{"t":"\nand "},{"k":"em","n":[{"t":"there"}]},{"t":"."}]}]`},
		{"suggestion", "```suggestion\nx = 1\n```", `[{"k":"pre","t":"x = 1\n","i":"suggestion"}]`},
		{"indented code", "see\n\n    x = 1\n", `[{"k":"p","n":[{"t":"see"}]},{"k":"pre","t":"x = 1\n"}]`},
		{"quote and list", "> said\n\n- [x] one\n- two", `[{"k":"quote","n":[{"k":"p","n":[{"t":"said"}]}]},{"k":"ul","n":[{"k":"li","n":[{"k":"p","n":[{"t":"☑ one"}]}]},{"k":"li","n":[{"k":"p","n":[{"t":"two"}]}]}]}]`},
		{"markup stays text", "<b onclick=x>hi</b> &lt;i&gt; \\*", `[{"k":"p","n":[{"k":"html","t":"<b onclick=x>"},{"t":"hi"},{"k":"html","t":"</b>"},{"t":" <i> *"}]}]`},
		{"hidden comment is shown", "<!-- template -->\n\ntext", `[{"k":"p","n":[{"k":"html","t":"<!-- template -->"}]},{"k":"p","n":[{"t":"text"}]}]`},
		{"link, picture, address", "[a](javascript:x) ![b](//c) https://d.example", `[{"k":"p","n":[{"k":"a","i":"javascript:x","n":[{"t":"a"}]},{"t":" "},{"k":"a","i":"//c","n":[{"t":"picture: "},{"t":"b"}]},{"t":" "},{"k":"a","i":"https://d.example","n":[{"t":"https://d.example"}]}]}]`},
		{"table", "| a | b |\n|---|---|\n| 1 | 2 |", `[{"k":"table","n":[{"k":"tr","n":[{"k":"td","n":[{"t":"a"}]},{"k":"td","n":[{"t":"b"}]}]},{"k":"tr","n":[{"k":"td","n":[{"t":"1"}]},{"k":"td","n":[{"t":"2"}]}]}]}]`},
		{"control characters stay", "a\u202eb\r\nc", `[{"k":"p","n":[{"t":"a\u202eb\nc"}]}]`},
	} {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(markdown.Tree(c.body)); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(b.String()); got != strings.ReplaceAll(c.want, `\u202e`, "\u202e") {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// However deep and long a text is, its tree is shallow and loses no word.
func TestTreeIsBounded(t *testing.T) {
	for _, body := range []string{strings.Repeat(">", 20_000) + " deep", strings.Repeat("- ", 5_000) + "deep", strings.Repeat("*a **b ", 5_000) + "deep", strings.Repeat("[", 20_000) + "deep", strings.Repeat("x", 100_000) + " deep"} {
		tree := markdown.Tree(body)
		if d := depth(tree); d > 25 {
			t.Errorf("%.20q: %d levels", body, d)
		}
		if !strings.Contains(words(tree), "deep") {
			t.Errorf("%.20q: a word is lost", body)
		}
	}
}

func depth(nodes []markdown.Node) int {
	deepest := 0
	for _, n := range nodes {
		deepest = max(deepest, 1+depth(n.Nodes))
	}
	return deepest
}

func words(nodes []markdown.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(n.Text + words(n.Nodes))
	}
	return b.String()
}
