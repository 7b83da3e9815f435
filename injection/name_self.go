package injection

import "github.com/prforge/prforge/internal/syntax"

// droppedSelf (U5) reads a field as if it were a variable. The name is a variable of
// another function too: one that only fields have gives itself away.
var droppedSelf = Operator{Kind: "U5", Find: func(s *Source) []Mutation {
	var out []Mutation
	known := s.names()
	variable := map[string]bool{}
	for i := range known.scopes {
		for name := range known.scopes[i].bound {
			variable[name] = variable[name] || known.scopes[i].kind == functionScope
		}
	}
	s.Root().Walk(func(n syntax.Node) bool {
		if !n.Is("attribute") || n.Child("object").Text() != "self" || !n.Child("object").Is("identifier") || assigned(n) ||
			!variable[n.Child("attribute").Text()] {
			return true
		}
		from, to := n.From(), n.Child("attribute").From()
		if string(s.Source()[from:to]) == "self." {
			out = append(out, Mutation{Kind: "U5", Edits: []Edit{s.removing(from, to)}, Intended: n.Text()})
		}
		return true
	})
	return out
}}

// assigned reports whether a node is assigned to or deleted and not read.
func assigned(n syntax.Node) bool {
	for p := n.Parent(); ; n, p = p, p.Parent() {
		switch p.Kind() {
		case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "expression_list":
			continue
		case "delete_statement", "as_pattern_target":
			return true
		}
		return n.Field() == "left" && p.Is("assignment", "augmented_assignment", "for_statement", "for_in_clause")
	}
}
