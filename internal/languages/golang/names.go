package golang

import "github.com/prforge/prforge/internal/syntax"

// walker extracts what a Go file holds.
type walker struct{ *syntax.Builder }

// typeName is the name of a type without pointer and type arguments: "T",
// "pkg.T"; "" for types without a name.
func (g *walker) typeName(n syntax.Node) string {
	for n.Exists() {
		switch n.Kind() {
		case "type_identifier", "qualified_type":
			return n.Dotted()
		case "pointer_type", "parenthesized_type":
			n = n.FirstNamed()
		case "generic_type":
			n = n.Child("type")
		case "unary_expression": // &T{}
			if n = n.FirstNamed(); n.Kind() != "composite_literal" {
				return ""
			}
		case "composite_literal":
			n = n.Child("type")
		default:
			return ""
		}
	}
	return ""
}
