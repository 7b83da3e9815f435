package debugging

import (
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

var readOption = Operator{
	Name: "read_option", Group: Data,
	Text:   "A table is read without its header, with its first column as index, without its first line, or turned.",
	Before: "import pandas as pd\nt = pd.read_csv('a.csv')\nprint(t['a'])\n",
	After:  "import pandas as pd\nt = pd.read_csv('a.csv', header=None)\nprint(t['a'])\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			var options []string
			switch c.method {
			case "read_csv", "read_table":
				options = []string{"header=None", "index_col=0"}
			case "read_excel", "read_fwf":
				options = []string{"header=None", "index_col=0"}
			case "loadtxt", "genfromtxt":
				options = []string{"skiprows=1", "unpack=True"}
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
	Name: "dtype", Group: Data, Text: "Whole numbers are made real ones, or the other way round.",
	Before: "a = b.astype(int)\nprint(c[a])\n", After: "a = b.astype(float)\nprint(c[a])\n",
	find: func(s *Script, f *found) {
		other := map[string]string{"float": "int", "int": "float", "bool": "int", "np.float64": "np.int64",
			"np.int64": "np.float64", "np.float32": "np.int32",
			"np.int32": "np.float32", "np.bool_": "np.int64", "np.uint8": "np.float64"}
		s.calls(func(c call) {
			value := c.keywords["dtype"].Child("value")
			if c.method == "astype" && len(c.positional) > 0 {
				value = c.positional[0]
			}
			if name := other[value.Text()]; name != "" {
				f.put(value, name)
			}
		})
	},
}

var shape = Operator{
	Name: "shape", Group: Data,
	Text:   "The sizes of an array or of a grid of plots are exchanged, or an array is made a row instead of a column.",
	Before: "a = b.reshape(-1, 1)\nprint(a[1])\n", After: "a = b.reshape(1, -1)\nprint(a[1])\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			sizes := c.positional
			switch c.method {
			case "zeros", "ones", "empty", "full", "reshape":
				if len(sizes) > 0 && sizes[0].Is("tuple") {
					sizes = sizes[0].NamedChildren()
				}
			case "rand", "randn", "subplots", "eye":
			case "random", "normal", "uniform", "standard_normal", "randint", "integers", "choice":
				sizes = c.keywords["size"].Child("value").NamedChildren()
				if len(c.positional) > 0 && c.positional[0].Is("tuple") {
					sizes = c.positional[0].NamedChildren()
				}
			default:
				return
			}
			if len(sizes) == 2 {
				f.swap(c.node, sizes[0], sizes[1])
			}
		})
	},
}

var slice = Operator{
	Name: "slice", Group: Data,
	Text:   "A slice takes the other part or everything, or an index is in the other dimension or left out.",
	Before: "a = b[:, 0]\nprint(a + c)\n", After: "a = b[0]\nprint(a + c)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			parts := indices(n)
			switch {
			case len(parts) == 2:
				f.swap(n, parts[0], parts[1])
				if parts[0].Text() == ":" {
					f.cut(n, parts[0].From(), parts[1].From(), "")
				} else if parts[1].Text() == ":" {
					f.cut(n, parts[0].To(), parts[1].To(), "")
				}
			case len(parts) == 1 && parts[0].Is("slice"):
				text := parts[0].Text()
				if bound, ok := strings.CutPrefix(text, ":"); ok && bound != "" && !strings.Contains(bound, ":") {
					f.put(parts[0], bound+":")
				} else if bound, ok := strings.CutSuffix(text, ":"); ok && bound != "" && !strings.Contains(bound, ":") {
					f.put(parts[0], ":"+bound)
				}
				if text != ":" && n.Field() != "left" {
					f.put(n, n.Child("value").Text())
				}
			}
		}, "subscript")
	},
}

// indices are the expressions between the brackets of a subscript.
func indices(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for _, c := range n.NamedChildren() {
		if c.Field() == "subscript" {
			out = append(out, c)
		}
	}
	return out
}

var axis = Operator{
	Name: "axis", Group: Data, Text: "The other axis or the other size is taken, or no axis is named.",
	Before: "m = a.mean(axis=0)\nprint(b - m)\n", After: "m = a.mean(axis=1)\nprint(b - m)\n",
	find: func(s *Script, f *found) {
		other := map[string]string{"0": "1", "1": "0", "-1": "0"}
		s.calls(func(c call) {
			if a, ok := c.keywords["axis"]; ok {
				value := a.Child("value")
				if text := other[value.Text()]; text != "" {
					f.put(value, text)
				}
				named := c.arguments.NamedChildren()
				f.drop(c.node, named, slices.IndexFunc(named, func(n syntax.Node) bool { return n.Index() == a.Index() }))
			}
		})
		s.each(func(n syntax.Node) {
			if parts := indices(n); len(parts) == 1 && strings.HasSuffix(n.Child("value").Text(), ".shape") &&
				other[parts[0].Text()] != "" {
				f.put(parts[0], other[parts[0].Text()])
			}
		}, "subscript")
	},
}

var offByOne = Operator{
	Name: "off_by_one", Group: Data,
	Text:   "A bound, an index or a length is one too large, or a loop begins one too early.",
	Before: "for i in range(len(a) - 1):\n    print(a[i], a[i + 1])\n",
	After:  "for i in range(len(a)):\n    print(a[i], a[i + 1])\n",
	find: func(s *Script, f *found) {
		larger := func(n syntax.Node) {
			if number, err := strconv.Atoi(n.Text()); err == nil && number >= 0 && number < maxCounted {
				f.put(n, strconv.Itoa(number+1))
			}
		}
		s.each(func(n syntax.Node) {
			if parts := n.Children(); len(parts) == 3 && parts[1].Is("-") && parts[2].Text() == "1" {
				f.put(n, parts[0].Text())
			}
		}, "binary_operator")
		s.calls(func(c call) {
			if c.method != "range" || c.receiver.Exists() || len(c.positional) == 0 {
				return
			}
			if len(c.positional) == 2 && c.positional[0].Text() == "1" {
				f.drop(c.node, c.positional, 0)
			}
			larger(c.positional[min(1, len(c.positional)-1)])
		})
		s.each(func(n syntax.Node) {
			for _, part := range indices(n) {
				larger(part)
			}
		}, "subscript")
		s.each(func(n syntax.Node) {
			for _, c := range n.Children() {
				if c.Is("<", ">") {
					f.put(c, c.Text()+"=")
				}
			}
		}, "comparison_operator")
	},
}

// maxCounted is the first number that is too large to be counted one too far by hand.
const maxCounted = 10

var wrongNumber = Operator{
	Name: "wrong_number", Group: Data, Text: "A number of a call is another that the script has.",
	Before: "a = make(20)\nb = make(50)\nprint(a + b)\n", After: "a = make(20)\nb = make(20)\nprint(a + b)\n",
	find: func(s *Script, f *found) {
		var numbers []syntax.Node
		s.calls(func(c call) {
			for _, a := range c.positional {
				if a.Is("tuple", "list") {
					numbers = append(numbers, a.NamedChildren()...)
				}
				numbers = append(numbers, a)
			}
			for _, name := range sizes {
				numbers = append(numbers, c.keywords[name].Child("value"))
			}
		})
		numbers = slices.DeleteFunc(numbers,
			func(n syntax.Node) bool { return !n.Is("integer") || len(n.Text()) == 1 && n.Text() < "2" })
		slices.SortFunc(numbers, func(a, b syntax.Node) int { return a.From() - b.From() })
		for i, n := range numbers {
			for j := max(0, i-3); j < min(len(numbers), i+4); j++ {
				f.put(n, numbers[j].Text())
			}
		}
	},
}

// sizes are names of keyword arguments that say how large something is.
var sizes = []string{"size", "shape", "n", "k", "num", "n_samples", "n_features", "n_components", "n_clusters",
	"n_neighbors", "bins", "nrows", "ncols", "periods"}
