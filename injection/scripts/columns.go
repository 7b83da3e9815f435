package scripts

import "github.com/prforge/prforge/internal/syntax"

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
	Name: "column_name", Group: Calls, Text: "Two letters of a column's name are exchanged.",
	Before: "t = {'price': 1}\nprint(t['price'])\n", After: "t = {'price': 1}\nprint(t['pirce'])\n",
	find: func(s *Script, f *found) {
		columnsOf(s, func(n syntax.Node) {
			for _, c := range append(plainStrings(n), n) {
				if text, ok := literal(c); ok && len(text) > 1 {
					if name := misspelled(text, func(string) bool { return false }); name != "" {
						f.put(c, c.Text()[:1]+name+c.Text()[:1])
					}
				}
			}
		})
	},
}

var columnDropped = Operator{
	Name: "column_dropped", Group: Data, Text: "The last column is left out of a list of columns.",
	Before: "cols = ['a', 'b']\nt = {}\nprint([t[c] for c in cols])\n", After: "cols = ['a']\nt = {}\nprint([t[c] for c in cols])\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			names := plainStrings(n)
			if last := len(names) - 1; last > 0 && s.Tree.Line(names[last-1].To()) == s.Tree.Line(names[last].From()) {
				f.cut(n, names[last-1].To(), names[last].To(), "")
			}
		}, "list")
	},
}
