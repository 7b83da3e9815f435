package injection

import "github.com/prforge/prforge/internal/syntax"

// missingImport (E5) imports a name that its module lacks, and uses it under
// that name: one wrong spelling throughout the file. Where the import renames,
// only the import changes.
var missingImport = Operator{Kind: "E5", Find: func(s *Source) []Mutation {
	n := s.names()
	byName := map[string][]use{}
	for _, u := range n.uses {
		byName[u.name] = append(byName[u.name], u)
	}
	var out []Mutation
	for _, statement := range s.Root().NamedChildren() {
		if !statement.Is("import_from_statement") {
			continue
		}
		for _, c := range statement.NamedChildren() {
			if c.Field() != "name" {
				continue
			}
			if m, ok := missing(s, n, c, byName); ok {
				out = append(out, m)
			}
		}
	}
	return out
}}

// missing misspells one imported name.
func missing(s *Source, n *names, c syntax.Node, uses map[string][]use) (Mutation, bool) {
	name := plainName(c)
	identifier := name.ChildOf("identifier")
	slip := misspell(identifier.Text(), n.words, identifier.From())
	if slip == "" || identifier.Text() != name.Text() {
		return Mutation{}, false
	}
	m := Mutation{Kind: "E5", Edits: []Edit{replacing(identifier, slip)}, Intended: identifier.Text()}
	if c != name {
		return m, true
	}
	if inStrings(s.Root(), identifier.Text()) {
		return Mutation{}, false
	}
	for i := range n.scopes { // the name must be the import's everywhere
		if bound := n.scopes[i].bound[identifier.Text()]; len(bound) > 1 || len(bound) == 1 && bound[0] != identifier {
			return Mutation{}, false
		}
	}
	for _, u := range uses[identifier.Text()] {
		m.Edits = append(m.Edits, replacing(u.node, slip))
	}
	m.Order()
	return m, true
}

// importOf is the import whose imported name is at the offset: the module as
// written, with its dots, and whether it certainly runs when the file is
// imported. ok is false if there is none.
func importOf(s *Source, offset int) (module string, level int, certain, ok bool) {
	for _, statement := range s.Root().NamedChildren() {
		if !statement.Is("import_from_statement") || offset < statement.From() || offset >= statement.To() {
			continue
		}
		module, level = dotted(statement)
		return module, level, unreached(statement) == "", true
	}
	return "", 0, false, false
}

// inStrings reports whether a string that is no docstring has the word: an
// annotation, or __all__, where a linter reads it as a name.
func inStrings(root syntax.Node, word string) bool {
	found := false
	root.Walk(func(n syntax.Node) bool {
		found = found || n.Is("string") && !n.Parent().Is("expression_statement") && HasWord(n.Text(), word)
		return !found
	})
	return found
}
