package debugging

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/prforge/prforge/internal/syntax"
)

// binding is where a variable of a scope gets a value.
type binding struct {
	name  string
	from  int         // offset after which it has the value
	group int         // node that it is unpacked or declared in beside others, -1 for none
	value syntax.Node // what it is made of; none for a parameter
}

// bindings are the variables of each scope in source order, by the scope's node.
func (s *Script) bindings() map[int][]binding {
	out := map[int][]binding{}
	put := func(target, value syntax.Node, from int) {
		group := -1
		if !target.Is("identifier") {
			group = target.Index()
		}
		target.Walk(func(n syntax.Node) bool {
			if n.Is("identifier") {
				at := scope(n)
				out[at] = append(out[at], binding{n.Text(), from, group, value})
			}
			return !n.Is("attribute", "subscript")
		})
	}
	s.each(func(n syntax.Node) {
		switch {
		case n.Is("assignment"):
			put(n.Child("left"), n.Child("right"), n.To())
		case n.Is("for_statement"):
			put(n.Child("left"), n.Child("right"), n.Child("right").To())
		case n.Is("parameters"):
			at := scope(n)
			for _, p := range n.NamedChildren() {
				if p.Is("default_parameter") {
					p = p.Child("name")
				}
				if p.Is("identifier") && p.Text() != "self" {
					out[at] = append(out[at], binding{p.Text(), n.To(), n.Index(), syntax.Node{}})
				}
			}
		}
	}, "assignment", "for_statement", "parameters")
	return out
}

// scope is the node of the function or class around a node, -1 for the module.
func scope(n syntax.Node) int {
	for p := n.Parent(); p.Exists(); p = p.Parent() {
		if p.Is("function_definition", "class_definition", "lambda") {
			return p.Index()
		}
	}
	return -1
}

// reads calls f for every variable that is read, but for what is called.
func (s *Script) reads(f func(syntax.Node)) {
	s.each(func(n syntax.Node) {
		switch n.Field() {
		case "left", "attribute", "name", "function", "alias":
			return
		}
		if !n.Parent().Is("pattern_list", "tuple_pattern", "list_pattern", "parameters", "lambda_parameters", "dotted_name",
			"global_statement", "as_pattern_target") {
			f(n)
		}
	}, "identifier")
}

// maxOthers is how many other variables are tried in one variable's place.
const maxOthers = 2

// exchange puts other variables that have a value in place of each one that is
// read. related says whether two of them could be mixed up: used has the value that
// is read.
func exchange(s *Script, f *found, related func(used, other binding) bool) {
	all := s.bindings()
	s.reads(func(n syntax.Node) {
		i := s.at(n)
		if i < 0 {
			return
		}
		known := slices.DeleteFunc(slices.Clone(all[scope(n)]), func(b binding) bool { return b.from > n.From() })
		used := lastOf(known, n.Text())
		if used < 0 {
			return
		}
		slices.SortStableFunc(known, func(a, b binding) int { return cmp.Compare(b.from, a.from) })
		used = slices.IndexFunc(known, func(b binding) bool { return b.name == n.Text() })
		tried := map[string]bool{n.Text(): true}
		for _, b := range known {
			if !tried[b.name] && len(tried) <= maxOthers && related(known[used], b) {
				tried[b.name] = true
				f.put(n, b.name)
			}
		}
	})
}

func lastOf(all []binding, name string) int {
	for i, a := range slices.Backward(all) {
		if a.name == name {
			return i
		}
	}
	return -1
}

var wrongVariable = Operator{
	Name: "wrong_variable", Group: Data,
	Text:   "Another variable is read that is unpacked with the right one or has a like name.",
	Before: "first, second = f()\nprint(first)\n", After: "first, second = f()\nprint(second)\n",
	find: func(s *Script, f *found) {
		exchange(s, f, func(used, other binding) bool {
			return used.group >= 0 && used.group == other.group || alike(used.name, other.name)
		})
	},
}

var staleVariable = Operator{
	Name: "stale_variable", Group: Data, Text: "What a variable was made of is read in its place.",
	Before: "rows = load()\nmeans = f(rows)\nprint(means)\n", After: "rows = load()\nmeans = f(rows)\nprint(rows)\n",
	find: func(s *Script, f *found) {
		exchange(s, f, func(used, other binding) bool {
			made := false
			used.value.Walk(func(n syntax.Node) bool {
				made = made || n.Is("identifier") && n.Text() == other.name && n.Field() != "attribute"
				return true
			})
			return made
		})
	},
}

// alike reports whether two names share a word, or are both of one letter.
func alike(a, b string) bool {
	if len(a) == 1 && len(b) == 1 {
		return true
	}
	words := func(name string) []string {
		return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || unicode.IsDigit(r) })
	}
	for _, w := range words(a) {
		if slices.Contains(words(b), w) {
			return true
		}
	}
	return false
}

var trainTest = Operator{
	Name: "train_test", Group: Data, Text: "A training set is taken for a test set, or the other way round.",
	Before: "x_train, x_test = 1, 2\nprint(x_train)\n", After: "x_train, x_test = 1, 2\nprint(x_test)\n",
	find: func(s *Script, f *found) {
		s.reads(func(n syntax.Node) {
			for _, pair := range [][2]string{{"train", "test"}, {"test", "train"}} {
				if other := strings.Replace(n.Text(), pair[0], pair[1], 1); other != n.Text() && s.uses(other) {
					f.put(n, other)
				}
			}
		})
	},
}

var fitPart = Operator{
	Name: "fit_part", Group: Data,
	Text:   "A model is fitted, or asked, with another part of the data that the script fits or asks with.",
	Before: "m.fit(x, y)\nm.predict(z)\n", After: "m.fit(x, y)\nm.predict(y)\n",
	find: func(s *Script, f *found) {
		var arguments []syntax.Node
		s.calls(func(c call) {
			switch c.method {
			case "fit", "fit_transform", "fit_predict", "transform", "inverse_transform", "predict", "predict_proba",
				"decision_function", "score", "kneighbors":
				if c.receiver.Exists() {
					arguments = append(arguments, c.positional...)
				}
			}
		})
		for _, a := range arguments {
			for _, b := range arguments {
				if a.Is("identifier") && b.Is("identifier") && scope(a) == scope(b) && b.From() < a.From() {
					f.put(a, b.Text())
				}
			}
		}
	},
}

var lostAssignment = Operator{
	Name: "lost_assignment", Group: Data, Text: "The result of a step goes nowhere, and the value from before goes on.",
	Before: "t = load()\nt = t.dropna()\nprint(t)\n", After: "t = load()\nt.dropna()\nprint(t)\n",
	find: func(s *Script, f *found) {
		all := s.bindings()
		s.each(func(n syntax.Node) {
			left, right := n.Child("left"), n.Child("right")
			if !alone(n) || !right.Is("call") || n.Child("type").Exists() {
				return
			}
			before := slices.DeleteFunc(slices.Clone(all[scope(n)]), func(b binding) bool { return b.from > n.From() })
			switch {
			case left.Is("identifier") && lastOf(before, left.Text()) >= 0, left.Is("subscript") &&
				strings.Contains(right.Text(), left.Text()):
				f.cut(n, n.From(), right.From(), "")
			}
		}, "assignment")
	},
}
