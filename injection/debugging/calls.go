package debugging

import (
	"slices"

	"github.com/prforge/prforge/internal/syntax"
)

var swappedArguments = Operator{
	Name: "swapped_arguments", Group: Calls, Text: "Two arguments in a row are exchanged.",
	Before: "m.fit(x, y)\n", After: "m.fit(y, x)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			if c.method == "print" {
				return
			}
			for i := 1; i < len(c.positional); i++ {
				if a, b := c.positional[i-1], c.positional[i]; !a.Is("integer", "float") || !b.Is("integer", "float") {
					f.swap(c.node, a, b)
				}
			}
		})
	},
}

// flowing are names of keyword arguments that say what a value is or has, and not
// how it looks.
var flowing = append([]string{
	"columns", "index", "on", "how", "by", "subset", "values", "weights", "keepdims", "squeeze", "return_counts",
	"return_inverse", "return_index", "dtype",
	"sep", "delimiter", "skiprows", "usecols", "names", "header", "parse_dates", "index_col", "sparse", "sparse_output",
	"projection", "data", "key", "as_index",
	"full_output", "average", "drop", "endpoint", "retstep", "unpack", "indexing", "create_using", "weight", "return_X_y",
	"as_frame", "include_bias", "strategy",
	"fill_value", "ndmin", "density", "right", "expand", "deg", "sharex", "subplot_kw", "gridspec_kw", "transform",
	"method", "bounds", "args",
}, sizes...)

var keywordDropped = Operator{
	Name: "keyword_dropped", Group: Calls, Text: "A keyword argument that says what a value is or has is left out.",
	Before: "t = pd.DataFrame(x, columns=names)\nprint(t.a)\n", After: "t = pd.DataFrame(x)\nprint(t.a)\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			for i, a := range c.arguments.NamedChildren() {
				if a.Is("keyword_argument") && slices.Contains(flowing, a.Child("name").Text()) {
					f.drop(c.node, c.arguments.NamedChildren(), i)
				}
			}
		})
	},
}

// confused are functions and attributes that are taken for one another.
var confused = map[string][]string{
	"append": {"extend"}, "extend": {"append"}, "fit_transform": {"fit", "transform"}, "transform": {"fit"},
	"predict": {"predict_proba"}, "predict_proba": {"predict"},
	"loc": {"iloc"}, "iloc": {"loc"}, "vstack": {"hstack"}, "hstack": {"vstack"}, "concatenate": {"stack"},
	"stack": {"concatenate"}, "subplots": {"subplot"},
	"items": {"keys", "values"}, "keys": {"items"}, "dot": {"multiply"}, "outer": {"dot"}, "repeat": {"tile"},
	"tile": {"repeat"}, "argmax": {"max"}, "argmin": {"min"},
	"argsort": {"sort"}, "max": {"argmax"}, "min": {"argmin"}, "nodes": {"edges"}, "edges": {"nodes"},
	"add_edges_from": {"add_nodes_from"},
	"add_nodes_from": {"add_edges_from"}, "add_node": {"add_nodes_from"}, "add_edge": {"add_edges_from"},
	"linspace": {"arange"}, "arange": {"linspace"},
	"meshgrid": {"stack"}, "ravel": {"squeeze"}, "squeeze": {"ravel"}, "zeros_like": {"zeros"}, "ones_like": {"ones"},
	"split": {"partition"}, "partition": {"split"},
	"join": {"merge"}, "merge": {"concat"}, "pivot": {"pivot_table"}, "unstack": {"stack"}, "map": {"apply"},
	"apply": {"map"}, "agg": {"apply"}, "union": {"update"},
	"add": {"update"}, "update": {"add"}, "where": {"argmax"}, "nonzero": {"argmax"}, "cumsum": {"sum"}, "sum": {"cumsum"},
	"std": {"cumsum"}, "groupby": {"set_index"},
}

var confusedCall = Operator{
	Name: "confused_call", Group: Calls,
	Text:   "Another function of the same family is called, or another operator of matrices taken.",
	Before: "i = a.argmax()\nprint(b[i])\n", After: "i = a.max()\nprint(b[i])\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			name := n.Child("attribute")
			for _, other := range confused[name.Text()] {
				f.put(name, other)
			}
		}, "attribute")
		s.each(func(n syntax.Node) {
			for _, c := range n.Children() {
				if c.Is("@") {
					f.put(c, "*")
				}
			}
		}, "binary_operator")
	},
}

var condition = Operator{
	Name: "condition", Group: Conditions,
	Text:   "A condition is turned round, or one of two is enough where both had to hold.",
	Before: "x = None\nif x is None:\n    x = 1\nprint(x + 1)\n",
	After:  "x = None\nif x is not None:\n    x = 1\nprint(x + 1)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			f.put(n, n.FirstNamed().Text())
		}, "not_operator")
		turned := map[string]string{"is": "is not", "is not": "is", "in": "not in", "not in": "in", "==": "!=", "!=": "==",
			"and": "or", "or": "and"}
		s.each(func(n syntax.Node) {
			for _, c := range n.Children() {
				if other := turned[c.Text()]; other != "" && !c.Is("identifier") {
					f.put(c, other)
				}
			}
		}, "comparison_operator", "boolean_operator")
	},
}
