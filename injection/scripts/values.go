package scripts

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

var readOption = Operator{
	Name: "read_option", Group: Data, Text: "A table is read without its header, with another separator, or with its first column as index.",
	Before: "import pandas as pd\nt = pd.read_csv('a.csv')\nprint(t['a'])\n", After: "import pandas as pd\nt = pd.read_csv('a.csv', header=None)\nprint(t['a'])\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			var options []string
			switch c.method {
			case "read_csv", "read_table":
				options = []string{"header=None", "sep=';'", "index_col=0"}
			case "read_excel", "read_fwf":
				options = []string{"header=None", "index_col=0"}
			case "loadtxt", "genfromtxt":
				options = []string{"delimiter=';'", "dtype=str"}
			}
			for _, o := range options {
				name, _, _ := strings.Cut(o, "=")
				if _, has := c.keywords[name]; !has {
					at, text := c.append(o)
					f.cut(c.node, at, at, text)
				}
			}
		})
	},
}

var dtype = Operator{
	Name: "dtype", Group: Data, Text: "Numbers are made text, or their type another.",
	Before: "a = b.astype(float)\nprint(a.mean())\n", After: "a = b.astype(str)\nprint(a.mean())\n",
	find: func(s *Script, f *found) {
		put := func(n syntax.Node) {
			switch n.Text() {
			case "float", "int", "np.float64", "np.int64", "np.float32", "np.int32", "bool", "'float'", "'int'":
				f.put(n, "str")
			case "str", "object":
				f.put(n, "float")
			}
		}
		s.calls(func(c call) {
			if c.method == "astype" && len(c.positional) > 0 {
				put(c.positional[0])
			}
			if a, ok := c.keywords["dtype"]; ok {
				put(a.Child("value"))
			}
		})
	},
}

var shape = Operator{
	Name: "shape", Group: Data, Text: "The sizes of an array are exchanged, or it is made a row instead of a column.",
	Before: "a = b.reshape(-1, 1)\nprint(a[1])\n", After: "a = b.reshape(1, -1)\nprint(a[1])\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			sizes := c.positional
			switch c.method {
			case "zeros", "ones", "empty", "full", "reshape":
				if len(sizes) > 0 && sizes[0].Is("tuple") {
					sizes = sizes[0].NamedChildren()
				}
			case "rand", "randn":
			case "normal", "uniform", "standard_normal", "randint":
				a, ok := c.keywords["size"]
				if !ok {
					return
				}
				sizes = a.Child("value").NamedChildren()
			default:
				return
			}
			if len(sizes) == 2 && sizes[0].Text() != sizes[1].Text() {
				f.cut(c.node, sizes[0].From(), sizes[1].To(), sizes[1].Text()+", "+sizes[0].Text())
			}
		})
	},
}

var slice = Operator{
	Name: "slice", Group: Data, Text: "A slice takes the other part, or one dimension is left out.",
	Before: "a = b[:, 0]\nprint(a + c)\n", After: "a = b[0]\nprint(a + c)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			var parts []syntax.Node
			for _, c := range n.NamedChildren() {
				if c.Field() == "subscript" {
					parts = append(parts, c)
				}
			}
			switch {
			case len(parts) == 2 && parts[0].Text() == ":":
				f.cut(n, parts[0].From(), parts[1].From(), "")
			case len(parts) == 2 && parts[1].Text() == ":":
				f.cut(n, parts[0].To(), parts[1].To(), "")
			case len(parts) == 1 && parts[0].Is("slice"):
				text := parts[0].Text()
				if bound, ok := strings.CutPrefix(text, ":"); ok && bound != "" && !strings.Contains(bound, ":") {
					f.put(parts[0], bound+":")
				} else if bound, ok := strings.CutSuffix(text, ":"); ok && bound != "" && !strings.Contains(bound, ":") {
					f.put(parts[0], ":"+bound)
				}
			}
		}, "subscript")
	},
}

var axis = Operator{
	Name: "axis", Group: Data, Text: "The other axis is taken.",
	Before: "m = a.mean(axis=0)\nprint(b - m)\n", After: "m = a.mean(axis=1)\nprint(b - m)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			a, ok := c.keywords["axis"]
			if !ok {
				return
			}
			switch value := a.Child("value"); value.Text() {
			case "0":
				f.put(value, "1")
			case "1", "-1":
				f.put(value, "0")
			}
		})
	},
}

var offByOne = Operator{
	Name: "off_by_one", Group: Data, Text: "A length or a bound is one too large.",
	Before: "for i in range(len(a)):\n    print(a[i])\n", After: "for i in range(len(a) + 1):\n    print(a[i])\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			if c.method == "range" && !c.receiver.Exists() && (len(c.positional) == 1 || len(c.positional) == 2) {
				n := c.positional[len(c.positional)-1]
				f.cut(n, n.To(), n.To(), " + 1")
			}
		})
		s.each(func(n syntax.Node) {
			if assigned(n) && strings.HasSuffix(n.Child("value").Text(), ".shape") {
				f.cut(n, n.To(), n.To(), " + 1")
			}
		}, "subscript")
		s.calls(func(c call) {
			if assigned(c.node) && c.method == "len" && len(c.positional) == 1 {
				f.cut(c.node, c.node.To(), c.node.To(), " + 1")
			}
		})
	},
}

var numberAsText = Operator{
	Name: "number_as_text", Group: Data, Text: "A number is given as text.",
	Before: "m = make(depth=3)\nm.fit(x)\n", After: "m = make(depth='3')\nm.fit(x)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			for _, a := range c.arguments.NamedChildren() {
				value := a
				if a.Is("keyword_argument") {
					if name := a.Child("name").Text(); name == "random_state" || name == "verbose" {
						continue
					}
					value = a.Child("value")
				}
				if value.Is("integer", "float") {
					f.put(value, "'"+value.Text()+"'")
				}
			}
		})
		s.each(func(n syntax.Node) {
			if assigned(n) {
				f.put(n, "'"+n.Text()+"'")
			}
		}, "integer", "float")
	},
}

var swappedArguments = Operator{
	Name: "swapped_arguments", Group: Calls, Text: "The first two arguments are exchanged.",
	Before: "m.fit(x, y)\n", After: "m.fit(y, x)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			if len(c.positional) < 2 || c.positional[0].Text() == c.positional[1].Text() {
				return
			}
			switch c.method {
			case "fit", "train_test_split", "score", "fit_transform", "fit_predict", "merge", "polyfit", "polyval", "isinstance", "getattr", "zip", "map", "filter", "arange", "normal", "full":
				a, b := c.positional[0], c.positional[1]
				if s.Tree.Line(a.From()) == s.Tree.Line(b.To()) {
					f.cut(c.node, a.From(), b.To(), b.Text()+", "+a.Text())
				}
			}
		})
	},
}
