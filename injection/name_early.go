package injection

// usedBeforeBound (U7) exchanges the assignment of a local variable with the
// statement behind it, which uses it. Nobody writes an assignment behind a
// return.
var usedBeforeBound = Operator{Kind: "U7", Find: func(s *Source) []Mutation {
	n := s.names()
	reads := map[string][]use{}
	for _, u := range n.uses {
		reads[u.name] = append(reads[u.name], u)
	}
	var out []Mutation
	for _, b := range n.soleBindings() {
		statement := b.Parent().Parent()
		if b.Field() != "left" || !b.Parent().Is("assignment") || !statement.Is("expression_statement") {
			continue
		}
		next := statement.Next()
		from, to, ok := wholeLines(s, statement)
		from2, to2, ok2 := wholeLines(s, next)
		if !ok || !ok2 || to != from2 || next.Is("return_statement", "raise_statement") ||
			!readsWithin(reads[b.Text()], next.From(), next.To()) {
			continue
		}
		text := string(s.Source()[from:to])
		out = append(out, Mutation{Kind: "U7", Intended: b.Text(), Edits: []Edit{
			s.removing(from, to),
			{Offset: to2, Line: s.lineAt(to2), New: text},
		}})
	}
	return out
}}

func readsWithin(uses []use, from, to int) bool {
	for _, u := range uses {
		if from <= u.node.From() && u.node.From() < to {
			return true
		}
	}
	return false
}
