package debugging

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// steps calls f for every call of a method of a value: not for a function of a
// module.
func (s *Script) steps(f func(call)) {
	modules := map[string]bool{}
	s.each(func(n syntax.Node) {
		for _, c := range n.NamedChildren() {
			if c.Field() == "name" {
				name := c.Text()
				if alias := c.Child("alias"); alias.Exists() {
					name = alias.Text()
				}
				modules[name] = true
			}
		}
	}, "import_statement", "import_from_statement")
	s.calls(func(c call) {
		if c.receiver.Exists() && !modules[c.receiver.Text()] {
			f(c)
		}
	})
}

var stepDropped = Operator{
	Name: "step_dropped", Group: Data,
	Text:   "A step that fits, fills, drops or scales is left out; its input goes on instead.",
	Before: "t = load()\nm = t.dropna().mean()\nprint(m)\n", After: "t = load()\nm = t.mean()\nprint(m)\n",
	find: func(s *Script, f *found) {
		s.steps(func(c call) {
			target := c.node.Parent().Child("left").Text()
			switch {
			case c.node.Parent().Is("attribute"):
				f.put(c.node, c.receiver.Text())
			case !assigned(c.node):
			case slices.Contains([]string{"fit_transform", "transform"}, c.method) && len(c.positional) > 0 &&
				c.positional[0].Text() != target:
				f.put(c.node, c.positional[0].Text())
			case c.receiver.Is("call") || c.receiver.Text() != target &&
				slices.Contains([]string{"fit", "dropna", "fillna", "reset_index", "set_index", "astype", "reshape", "ravel",
					"groupby", "pivot", "pivot_table", "unstack", "stack", "to_frame", "copy", "split"}, c.method):
				f.put(c.node, c.receiver.Text())
			}
		})
	},
}

var stepOrder = Operator{
	Name: "step_order", Group: Data, Text: "Two steps of a chain, a pipeline or a nested call are exchanged.",
	Before: "t = load()\nm = t.mean().round(2)\n", After: "t = load()\nm = t.round(2).mean()\n",
	find: func(s *Script, f *found) {
		src := s.Source()
		s.steps(func(c call) {
			inner, ok := takeApart(c.receiver)
			if ok && inner.receiver.Exists() && inner.method != c.method {
				a, b := string(src[inner.receiver.To():inner.node.To()]), string(src[inner.node.To():c.node.To()])
				f.cut(c.node, inner.receiver.To(), c.node.To(), b+a)
			}
		})
		s.calls(func(c call) {
			if c.method != "make_pipeline" && c.method != "Pipeline" || len(c.positional) == 0 {
				return
			}
			steps := c.positional
			if steps[0].Is("list") {
				steps = steps[0].NamedChildren()
			}
			for i := 1; i < len(steps); i++ {
				f.swap(c.node, steps[i-1], steps[i])
			}
		})
		s.calls(func(c call) {
			if len(c.positional) != 1 || len(c.arguments.NamedChildren()) != 1 {
				return
			}
			inner, ok := takeApart(c.positional[0])
			if ok && len(inner.arguments.NamedChildren()) == 1 && inner.function.Text() != c.function.Text() &&
				inner.method != "range" {
				f.put(c.node, inner.function.Text()+"("+c.function.Text()+inner.arguments.Text()+")")
			}
		})
	},
}

var inplaceNone = Operator{
	Name: "inplace_none", Group: Data, Text: "A call whose result is assigned works in place, and so gives None.",
	Before: "t = t.dropna()\nprint(t.mean())\n", After: "t = t.dropna(inplace=True)\nprint(t.mean())\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			_, has := c.keywords["inplace"]
			if has || !assigned(c.node) {
				return
			}
			switch c.method {
			case "dropna", "fillna", "drop", "sort_values", "sort_index", "reset_index", "set_index", "rename",
				"drop_duplicates", "query":
				at, text := c.append("inplace=True")
				f.cut(c.node, at, at, text)
			case "sorted":
				if len(c.positional) == 1 && len(c.keywords) == 0 && c.positional[0].Is("identifier") {
					f.put(c.node, c.positional[0].Text()+".sort()")
				}
			case "permutation":
				f.put(c.function.Child("attribute"), "shuffle")
			}
		})
	},
}

var callDropped = Operator{
	Name: "call_dropped", Group: Data,
	Text:   "The brackets of a call without arguments are left out, so that the method itself goes on.",
	Before: "m = t.mean()\nprint(m + 1)\n", After: "m = t.mean\nprint(m + 1)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			if !alone(c.node) && c.receiver.Exists() && c.arguments.Text() == "()" {
				f.cut(c.node, c.arguments.From(), c.arguments.To(), "")
			}
		})
	},
}

var valuesDropped = Operator{
	Name: "values_dropped", Group: Data, Text: "A conversion such as .values, .T or .ravel() is left out.",
	Before: "a = t.values\nprint(a[:, 0])\n", After: "a = t\nprint(a[:, 0])\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			if slices.Contains([]string{"values", "T", "data", "target", "shape", "size", "index", "columns"},
				n.Child("attribute").Text()) && n.Field() != "function" && n.Field() != "left" {
				f.put(n, n.Child("object").Text())
			}
		}, "attribute")
		s.calls(func(c call) {
			if c.receiver.Exists() &&
				slices.Contains([]string{"toarray", "todense", "ravel", "flatten", "to_numpy", "tolist", "transpose", "items",
					"keys"}, c.method) && !alone(c.node) {
				f.put(c.node, c.receiver.Text())
			}
		})
	},
}

var conversionDropped = Operator{
	Name: "conversion_dropped", Group: Data,
	Text:   "A value goes on as it is: not as a number, a text, a list, an array or a table.",
	Before: "n = 3\nprint('n = ' + str(n))\n", After: "n = 3\nprint('n = ' + n)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			if len(c.positional) == 0 || alone(c.node) {
				return
			}
			switch c.method {
			case "DataFrame", "Series":
				if len(c.arguments.NamedChildren()) == 1 {
					f.put(c.node, c.positional[0].Text())
				}
			case "array", "asarray", "column_stack", "vstack", "hstack", "concatenate", "concat",
				"list", "dict", "tuple", "set", "str", "int", "float", "len", "range", "enumerate", "zip", "abs", "sum":
				f.put(c.node, c.positional[0].Text())
			}
		})
	},
}

var returned = Operator{
	Name: "returned", Group: Data, Text: "A function gives back one value less, or two of them in the other order.",
	Before: "def f(x):\n    return x, 1\na, b = f(1)\n", After: "def f(x):\n    return x\na, b = f(1)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			list := n.ChildOf("expression_list").NamedChildren()
			if last := len(list) - 1; last > 0 && s.Tree.Line(n.From()) == s.Tree.Line(n.To()) {
				f.cut(n, list[last-1].To(), list[last].To(), "")
				f.swap(n, list[last-1], list[last])
			}
		}, "return_statement")
	},
}

var unpack = Operator{
	Name: "unpack", Group: Data,
	Text:   "Of several names that a result is unpacked into two are exchanged, or only the first is left.",
	Before: "a, b = f()\nprint(a + b)\n", After: "b, a = f()\nprint(a + b)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			left := n.Child("left")
			names := left.NamedChildren()
			if !left.Is("pattern_list", "tuple_pattern") || len(names) < 2 || !names[0].Is("identifier") ||
				strings.Contains(left.Text(), "\n") {
				return
			}
			for i := 1; i < len(names); i++ {
				f.swap(n, names[i-1], names[i])
			}
			f.put(left, names[0].Text())
		}, "assignment", "for_statement", "for_in_clause")
	},
}
