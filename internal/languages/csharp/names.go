package csharp

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// walker extracts what a C# file holds. Namespaces are no definitions: their types
// are those of the file.
type walker struct{ *syntax.Builder }

// nameOf is a name without type arguments.
func nameOf(n syntax.Node) string {
	if n.Kind() == "generic_name" {
		return n.ChildOf("identifier").Text()
	}
	return n.Text()
}

// receiver is the text before the name of a member; "?" if that is more than names
// joined by dots.
func receiver(access, name syntax.Node) string {
	text := strings.TrimRight(access.Text()[:name.From()-access.From()], " \t\n.?!")
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '.' && c != '_' && c != '@' && c < 0x80 &&
			!('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return "?"
		}
	}
	if rest, ok := strings.CutPrefix(text, "base"); ok && (rest == "" || rest[0] == '.') {
		return "super" + rest
	}
	return text
}

// transparent are the types whose awaited or unwrapped value has the type of their
// argument.
var transparent = map[string]bool{"Task": true, "ValueTask": true, "Lazy": true, "Nullable": true}

// typeName is a type's name without type arguments; "" for arrays and those of the
// language.
func (w *walker) typeName(n syntax.Node) string {
	switch n.Kind() {
	case "identifier":
		return n.Text()
	case "qualified_name":
		if name := n.Dotted(); name != "?" {
			return name
		}
	case "alias_qualified_name":
		return n.Child("name").Text()
	case "generic_name":
		name := n.ChildOf("identifier").Text()
		if transparent[name] {
			if inner := w.typeName(n.ChildOf("type_argument_list").FirstNamed()); inner != "" {
				return inner
			}
		}
		return name
	case "nullable_type":
		return w.typeName(n.FirstNamed())
	}
	return ""
}
