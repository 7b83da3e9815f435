package java

import "github.com/prforge/prforge/internal/syntax"

// walker extracts what a Java file holds.
type walker struct{ *syntax.Builder }

// typeName is a type's name without type arguments and annotations; "" for
// primitive types and arrays.
func (j *walker) typeName(n syntax.Node) string {
	switch n.Kind() {
	case "type_identifier", "scoped_type_identifier":
		if name := n.Dotted(); name != "?" && name != "var" {
			return name
		}
	case "generic_type", "annotated_type":
		return j.typeName(n.ChildOf("type_identifier", "scoped_type_identifier", "generic_type"))
	}
	return ""
}
