package injection

// misspelledUse (U1) misspells one use of a name, so that the name exists nowhere.
var misspelledUse = Operator{Kind: "U1", Find: func(s *Source) []Mutation {
	var out []Mutation
	n := s.names()
	for _, u := range n.uses {
		if n.resolve(u.name, u.scope) == builtin || receiver(u.name) {
			continue
		}
		if slip := misspell(u.node.Text(), n.words, u.node.From()); slip != "" {
			out = append(out, renaming("U1", u, slip))
		}
	}
	return out
}}

// receiver: nobody misspells what every method begins with.
func receiver(name string) bool { return name == "self" || name == "cls" }

// renaming writes another name in the place of one use.
func renaming(kind string, u use, name string) Mutation {
	return Mutation{Kind: kind, Edits: []Edit{replacing(u.node, name)}, Intended: u.node.Text()}
}
