package debugging

import "github.com/prforge/prforge/internal/syntax"

var importAlias = Operator{
	Name: "import_alias", Group: Names, Imports: true, Text: "The alias of an imported module is left out.",
	Before: "import numpy as np\nprint(np.pi)\n", After: "import numpy\nprint(np.pi)\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			alias := n.Child("alias")
			if alias.Exists() && s.names[alias.Text()] > 1 {
				f.cut(n, n.Child("name").To(), alias.To(), "")
			}
		}, "aliased_import")
	},
}

var importDropped = Operator{
	Name: "import_dropped", Group: Names, Imports: true, Text: "One name of an import is left out.",
	Before: "from math import pi, sin\nprint(sin(pi))\n", After: "from math import pi\nprint(sin(pi))\n",
	find: func(s *Script, f *found) {
		s.each(func(n syntax.Node) {
			var names []syntax.Node
			for _, c := range n.NamedChildren() {
				if c.Field() == "name" {
					names = append(names, c)
				}
			}
			for i := range names {
				f.drop(n, names, i)
			}
		}, "import_statement", "import_from_statement")
	},
}

var nameDefined = Operator{
	Name: "name_defined", Group: Names, Text: "A name that is assigned once is misspelled where it is assigned.",
	Before: "total = 1\nprint(total)\n", After: "toal = 1\nprint(total)\n",
	find: func(s *Script, f *found) {
		written := map[string]int{}
		s.each(func(n syntax.Node) {
			left := n.Child("left")
			left.Walk(func(c syntax.Node) bool {
				if c.Is("identifier") {
					written[c.Text()]++
				}
				return true
			})
		}, "assignment", "augmented_assignment", "for_statement", "for_in_clause")
		s.each(func(n syntax.Node) {
			left := n.Child("left")
			if !left.Is("identifier") || written[left.Text()] != 1 || s.names[left.Text()] < 2 {
				return
			}
			if name := misspelled(left.Text(), s.uses); name != "" {
				f.put(left, name, s.onlyUse(left)...)
			}
		}, "assignment")
	},
}

// onlyUse is the statement of the one other place that has the identifier: the
// repair could be made there as well.
func (s *Script) onlyUse(name syntax.Node) []Span {
	var uses []Span
	s.each(func(n syntax.Node) {
		if n.Index() == name.Index() || n.Text() != name.Text() {
			return
		}
		if i := s.at(n); i >= 0 {
			uses = append(uses, s.Statements[i].Span)
		}
	}, "identifier")
	if len(uses) != 1 {
		return nil
	}
	return uses
}

var functionName = Operator{
	Name: "function_name", Group: Names, Text: "The name of a called method or of a module's function is misspelled.",
	Before: "import math\nprint(math.sqrt(4))\n", After: "import math\nprint(math.sqrrt(4))\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			if c.receiver.Exists() {
				if name := misspelled(c.method, s.uses); name != "" {
					f.put(c.function.Child("attribute"), name)
				}
			}
		})
	},
}

var keywordName = Operator{
	Name: "keyword_name", Group: Names, Text: "The name of a keyword argument is misspelled.",
	Before: "print(1, sep='')\n", After: "print(1, seps='')\n",
	find: func(s *Script, f *found) {
		s.calls(func(c call) {
			for _, a := range c.arguments.NamedChildren() {
				if a.Is("keyword_argument") {
					taken := func(n string) bool { _, ok := c.keywords[n]; return ok }
					if name := misspelled(a.Child("name").Text(), taken); name != "" {
						f.put(a.Child("name"), name)
					}
				}
			}
		})
	},
}
