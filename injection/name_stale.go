package injection

// staleUse (U1) calls one use of a name by another that exists nowhere: a renaming
// that went too far, or not far enough.
var staleUse = Operator{Kind: "U1", Find: func(s *Source) []Mutation {
	var out []Mutation
	n := s.names()
	for _, u := range n.uses {
		if n.resolve(u.name, u.scope) == builtin || receiver(u.name) {
			continue
		}
		if other := otherName(u.node.Text(), n.words, u.node.From()); other != "" {
			out = append(out, renaming("U1", u, other))
		}
	}
	return out
}}
