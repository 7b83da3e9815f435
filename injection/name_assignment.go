package injection

// droppedAssignment (U4) leaves out the one assignment that binds a name.
var droppedAssignment = Operator{Kind: "U4", Find: func(s *Source) []Mutation {
	var out []Mutation
	for _, b := range s.names().soleBindings() {
		if b.Field() != "left" || !b.Parent().Is("assignment") || b.Parent().Child("type").Exists() ||
			!b.Parent().Parent().Is("expression_statement") {
			continue
		}
		if e, ok := dropStatement(s, b.Parent().Parent()); ok {
			out = append(out, Mutation{Kind: "U4", Edits: []Edit{e}, Intended: b.Text()})
		}
	}
	return out
}}
