package injection

import "github.com/prforge/prforge/internal/syntax"

// renamedBinding (U2) renames the one place that binds a name, and leaves its
// uses as they were: a renaming half done.
var renamedBinding = Operator{Kind: "U2", Find: func(s *Source) []Mutation {
	n := s.names()
	used := map[string]bool{}
	for _, u := range n.uses {
		used[u.name] = true
	}
	var out []Mutation
	for _, b := range n.soleBindings() {
		if !used[b.Text()] || !renamable(b) {
			continue
		}
		if name := otherName(b.Text(), n.words, b.From()); name != "" {
			out = append(out, Mutation{Kind: "U2", Edits: []Edit{replacing(b, name)}, Intended: b.Text()})
		}
	}
	return out
}}

// renamable: variables and parameters, not what an import or a definition is
// called, since other files use those.
func renamable(b syntax.Node) bool {
	p := b.Parent()
	switch p.Kind() {
	case "assignment", "for_statement", "named_expression":
		return b.Field() == "left" || b.Field() == "name"
	case "parameters", "default_parameter", "typed_parameter", "typed_default_parameter":
		return !receiver(b.Text())
	case "pattern_list", "tuple_pattern", "as_pattern_target":
		return true
	}
	return false
}
