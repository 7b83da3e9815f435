package debugging

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// columnsOf calls f for every list of plain strings, or string, that selects
// from a table.
func columnsOf(s *Script, f func(syntax.Node)) {
	s.each(func(n syntax.Node) {
		for _, c := range n.NamedChildren() {
			if c.Field() == "subscript" {
				f(c)
			}
		}
	}, "subscript")
	s.calls(func(c call) {
		switch c.method {
		case "groupby", "drop", "set_index", "sort_values", "pivot", "merge", "dropna":
			for _, a := range c.positional {
				f(a)
			}
			for _, k := range []string{"by", "columns", "on", "index", "values", "subset"} {
				if a, ok := c.keywords[k]; ok {
					f(a.Child("value"))
				}
			}
		}
	})
}

// strings are the plain strings of a list; nil where it holds anything else.
func plainStrings(n syntax.Node) []syntax.Node {
	if !n.Is("list") {
		return nil
	}
	var out []syntax.Node
	for _, c := range n.NamedChildren() {
		if _, ok := literal(c); !ok {
			return nil
		}
		out = append(out, c)
	}
	return out
}

var columnName = Operator{
	Name: "column_name", Group: Names, Text: "A column's name is misspelled.",
	Before: "t = {'price': 1}\nprint(t['price'])\n", After: "t = {'price': 1}\nprint(t['prices'])\n",
	find: func(s *Script, f *found) {
		columns(s, func(c syntax.Node, text string) {
			if name := misspelled(text, func(string) bool { return false }); name != "" {
				f.put(c, c.Text()[:1]+name+c.Text()[:1])
			}
		})
	},
}

// columns calls f for every plain string that selects from a table.
func columns(s *Script, f func(n syntax.Node, text string)) {
	columnsOf(s, func(n syntax.Node) {
		for _, c := range append(plainStrings(n), n) {
			if text, ok := literal(c); ok && len(text) > 1 {
				f(c, text)
			}
		}
	})
}

var wrongColumn = Operator{
	Name: "wrong_column", Group: Data, Text: "Another column that the script names is taken.",
	Before: "print(t['price'])\nprint(t['name'])\n", After: "print(t['name'])\nprint(t['name'])\n",
	find: func(s *Script, f *found) {
		var nodes []syntax.Node
		columns(s, func(n syntax.Node, _ string) { nodes = append(nodes, n) })
		slices.SortFunc(nodes, func(a, b syntax.Node) int { return a.From() - b.From() })
		for i, n := range nodes {
			for j := max(0, i-2); j < min(len(nodes), i+3); j++ {
				if text, _ := literal(nodes[j]); !strings.Contains(text, n.Text()[:1]) {
					f.put(n, n.Text()[:1]+text+n.Text()[:1])
				}
			}
		}
	},
}

var columnDropped = Operator{
	Name: "column_dropped", Group: Data, Text: "The last column is left out of a list of columns.",
	Before: "cols = ['a', 'b']\nt = {}\nprint([t[c] for c in cols])\n",
	After:  "cols = ['a']\nt = {}\nprint([t[c] for c in cols])\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			if names := plainStrings(n); len(names) > 1 {
				f.drop(n, names, len(names)-1)
			}
		}, "list")
	},
}
