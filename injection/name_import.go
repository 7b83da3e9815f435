package injection

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// droppedImport (U3) leaves out an import, or one name of an import.
var droppedImport = Operator{Kind: "U3", Find: func(s *Source) []Mutation {
	var out []Mutation
	s.Root().Walk(func(n syntax.Node) bool {
		if !n.Is("import_statement", "import_from_statement") {
			return true
		}
		var names []syntax.Node
		for _, c := range n.NamedChildren() {
			if c.Field() == "name" {
				names = append(names, c)
			}
		}
		for i, name := range names {
			e, ok := dropFromList(s, names, i)
			if len(names) == 1 {
				e, ok = dropStatement(s, n)
			}
			if ok {
				out = append(out, Mutation{Kind: "U3", Edits: []Edit{e}, Intended: importedAs(name)})
			}
		}
		return false
	})
	return out
}}

// importedAs is the name that an import binds.
func importedAs(n syntax.Node) string {
	if n.Is("aliased_import") {
		return n.Child("alias").Text()
	}
	return n.ChildOf("identifier").Text()
}

// dropFromList removes one name of several with its comma: the whole line where
// it is alone on it, else up to the next name or from the previous one.
func dropFromList(s *Source, names []syntax.Node, i int) (Edit, bool) {
	src := s.Source()
	from, to := names[i].From(), names[i].To()
	start, end := lineStart(src, from), lineEnd(src, to)
	if alone := strings.TrimSpace(string(src[start:end])); alone == names[i].Text()+"," {
		return s.removing(start, end), true
	}
	if i+1 < len(names) && names[i+1].Lines().Start == names[i].Lines().Start {
		return s.removing(from, names[i+1].From()), true
	}
	if i > 0 && names[i-1].Lines().Start == names[i].Lines().Start {
		return s.removing(names[i-1].To(), to), true
	}
	return Edit{}, false
}
