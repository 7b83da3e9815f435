package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/languages/python"
	"github.com/prforge/prforge/internal/syntax"
)

func TestNodesGiveTheBytesOfTheFile(t *testing.T) {
	src := []byte("x = 1\r\nprint(f'{x!r:>{width}} é', y)\r\n")
	tree, err := syntax.ParseTree(python.Language, src, syntax.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	tree.Root().Walk(func(n syntax.Node) bool {
		if got := string(src[n.From():n.To()]); got != n.Text() {
			t.Errorf("%s at %d: %q, text %q", n.Kind(), n.From(), got, n.Text())
		}
		if n.Is("identifier") {
			names = append(names, n.Text())
		}
		return true
	})
	if got := strings.Join(names, " "); got != "x print x width y" {
		t.Errorf("names: %s", got)
	}
	call := tree.Root().NamedChildren()[1].NamedChildren()[0]
	if call.Kind() != "call" || call.Child("function").Text() != "print" || call.Lines() != (syntax.Span{Start: 2, End: 2}) ||
		call.Child("arguments").Field() != "arguments" || call.Child("arguments").Parent() != call || len(call.Child("arguments").Children()) != 5 {
		t.Errorf("the call: %s %q", call.Kind(), call.Text())
	}
}

func TestNoNodeAnswersWithNothing(t *testing.T) {
	var n syntax.Node
	if n.Exists() || n.Kind() != "" || n.Text() != "" || n.Parent().Exists() || n.Children() != nil || n.Child("name").Exists() || n.Is("") {
		t.Error("the zero Node is something")
	}
	n.Walk(func(syntax.Node) bool { t.Error("walked"); return true })
}

func TestASourceWithoutACompleteTreeIsRefused(t *testing.T) {
	small := syntax.DefaultOptions()
	small.MaxDepth = 5
	for name, tc := range map[string]struct {
		src  string
		opts syntax.Options
	}{
		"syntax error": {"def f(:\n", syntax.DefaultOptions()},
		"not UTF-8":    {"x = '\xff'\n", syntax.DefaultOptions()},
		"binary":       {"x = '\x00'\n", syntax.DefaultOptions()},
		"too deep":     {"x = [[[[[[1]]]]]]\n", small},
	} {
		if _, err := syntax.ParseTree(python.Language, []byte(tc.src), tc.opts); !errors.Is(err, syntax.ErrNoTree) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
