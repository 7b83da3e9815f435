package scripts

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

var stepDropped = Operator{
	Name: "step_dropped", Group: Data, Text: "A step that fits, fills, drops or scales is skipped; its input goes on instead.",
	Before: "model = make()\nmodel.fit(x, y)\nmodel.predict(x)\n", After: "model = make()\nmodel\nmodel.predict(x)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			switch {
			case !c.receiver.Exists():
			case alone(c.node) && c.method == "fit" && !c.receiver.Is("call"):
				f.put(c.node, c.receiver.Text())
			case assigned(c.node) && c.method == "fit":
				f.put(c.node, c.receiver.Text())
			case assigned(c.node) && slices.Contains([]string{"fit_transform", "transform"}, c.method) && len(c.positional) > 0:
				f.put(c.node, c.positional[0].Text())
			case assigned(c.node) && slices.Contains([]string{"dropna", "fillna", "reset_index", "set_index", "astype", "reshape", "ravel", "groupby", "pivot", "pivot_table", "unstack", "stack", "to_frame"}, c.method):
				f.put(c.node, c.receiver.Text())
			}
		})
	},
}

var inplaceNone = Operator{
	Name: "inplace_none", Group: Data, Text: "A call whose result is assigned also works in place, and so gives None.",
	Before: "t = t.dropna()\nprint(t.mean())\n", After: "t = t.dropna(inplace=True)\nprint(t.mean())\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			_, has := c.keywords["inplace"]
			if has || !assigned(c.node) || !c.receiver.Exists() {
				return
			}
			switch c.method {
			case "dropna", "fillna", "drop", "sort_values", "sort_index", "reset_index", "set_index", "rename", "drop_duplicates", "query":
				at, text := c.append("inplace=True")
				f.cut(c.node, at, at, text)
			}
		})
	},
}

var callDropped = Operator{
	Name: "call_dropped", Group: Data, Text: "The brackets of a call without arguments are left out, so that the method itself goes on.",
	Before: "m = t.mean()\nprint(m + 1)\n", After: "m = t.mean\nprint(m + 1)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			if !alone(c.node) && c.arguments.Text() == "()" {
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
			if slices.Contains([]string{"values", "T", "data", "target"}, n.Child("attribute").Text()) && n.Field() != "function" {
				f.put(n, n.Child("object").Text())
			}
		}, "attribute")
		s.calls(func(c call) {
			if c.receiver.Exists() && slices.Contains([]string{"toarray", "todense", "ravel", "flatten", "to_numpy", "tolist", "transpose", "items"}, c.method) && !alone(c.node) {
				f.put(c.node, c.receiver.Text())
			}
		})
	},
}

var arrayDropped = Operator{
	Name: "array_dropped", Group: Data, Text: "A list is not made an array, or a table not made a table.",
	Before: "import numpy as np\na = np.array([1, 2])\nprint(a.shape)\n", After: "import numpy as np\na = [1, 2]\nprint(a.shape)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			if len(c.positional) == 0 || alone(c.node) {
				return
			}
			switch c.method {
			case "array", "asarray", "DataFrame", "Series", "column_stack", "vstack", "hstack", "concatenate", "concat", "list", "dict", "c_":
				f.put(c.node, c.positional[0].Text())
			}
		})
	},
}

var container = Operator{
	Name: "container", Group: Data, Text: "An empty list is made a tuple, an empty dictionary a list.",
	Before: "a = []\na.append(1)\n", After: "a = ()\na.append(1)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			switch {
			case !assigned(n):
			case n.Text() == "[]":
				f.put(n, "()")
			case n.Text() == "{}":
				f.put(n, "[]")
			}
		}, "list", "dictionary")
	},
}

var returnDropped = Operator{
	Name: "return_dropped", Group: Data, Text: "A function gives back nothing, or one value less.",
	Before: "def f(x):\n    return x + 1\nprint(f(1) + 1)\n", After: "def f(x):\n    return\nprint(f(1) + 1)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			values := n.NamedChildren()
			if len(values) != 1 || s.Tree.Line(n.From()) != s.Tree.Line(n.To()) {
				return
			}
			f.cut(n, n.From()+len("return"), n.To(), "")
			if list := values[0].NamedChildren(); values[0].Is("expression_list") && len(list) > 1 {
				f.cut(n, list[len(list)-2].To(), list[len(list)-1].To(), "")
			}
		}, "return_statement")
	},
}

var unpack = Operator{
	Name: "unpack", Group: Data, Text: "Only the first of several names is left that a result is unpacked into.",
	Before: "a, b = f()\nprint(a + b)\n", After: "a = f()\nprint(a + b)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			left := n.Child("left")
			names := left.NamedChildren()
			if left.Is("pattern_list", "tuple_pattern") && len(names) > 1 && names[0].Is("identifier") && !strings.Contains(left.Text(), "\n") {
				f.put(left, names[0].Text())
			}
		}, "assignment")
	},
}

var trainTest = Operator{
	Name: "train_test", Group: Data, Text: "A training set is taken for a test set, or the other way round.",
	Before: "x_train, x_test = 1, 2\nprint(x_train)\n", After: "x_train, x_test = 1, 2\nprint(x_test)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			if n.Field() == "left" || n.Parent().Is("pattern_list", "tuple_pattern", "parameters") || n.Field() == "attribute" || n.Field() == "name" {
				return
			}
			for _, pair := range [][2]string{{"train", "test"}, {"test", "train"}} {
				if other := strings.Replace(n.Text(), pair[0], pair[1], 1); other != n.Text() && s.uses(other) {
					f.put(n, other)
				}
			}
		}, "identifier")
	},
}
