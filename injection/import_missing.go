package injection

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
	near "github.com/prforge/prforge/internal/text"
)

// missingImport (E5) imports from a module a name that a module beside it has, and
// uses it under that name. Where the import renames, only the import changes.
const missingImport = "E5"

func missingImports(s *Source, modules Modules) []Mutation {
	n := s.names()
	byName := map[string][]use{}
	for _, u := range n.uses {
		byName[u.name] = append(byName[u.name], u)
	}
	var alike, out []Mutation
	for _, statement := range s.Root().NamedChildren() {
		if !statement.Is("import_from_statement") {
			continue
		}
		module := modules(dotted(statement))
		if module == nil {
			continue
		}
		for _, c := range statement.NamedChildren() {
			if c.Field() != "name" {
				continue
			}
			m, ok := missing(s, n, c, module, byName)
			if !ok {
				continue
			}
			out = append(out, m)
			if other := m.Edits[0].New; 2*common(m.Intended, other) >= max(len(partsOf(m.Intended)), len(partsOf(other))) {
				alike = append(alike, m)
			}
		}
	}
	if len(alike) > 0 { // people take names for each other that have most in common
		return alike
	}
	return out
}

// missing puts in the place of one imported name another of a module beside.
func missing(s *Source, n *names, c syntax.Node, module *Module, uses map[string][]use) (Mutation, bool) {
	name := plainName(c)
	identifier := name.ChildOf("identifier")
	other := module.beside(identifier.Text(), n.words, identifier.From())
	if other == "" || identifier.Text() != name.Text() {
		return Mutation{}, false
	}
	m := Mutation{Kind: missingImport, Edits: []Edit{replacing(identifier, other)}, Intended: identifier.Text()}
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
		m.Edits = append(m.Edits, replacing(u.node, other))
	}
	m.Order()
	return m, true
}

// beside draws a name of the modules beside it that the module lacks, of the same
// sort as another name: a class for a class. "" if there is none. Names that a
// spelling checker would take for the other are left out.
func (m *Module) beside(name string, taken map[string]bool, salt ...any) string {
	fit := slices.DeleteFunc(slices.Clone(m.Beside), func(other string) bool {
		return m.Names[other] || taken[other] || sortOf(other) != sortOf(name) || near.OneSlip(name, other) || len(other) < minWord
	})
	if len(fit) == 0 {
		return ""
	}
	fit = drawn(fit, append(salt, name)...)
	slices.SortStableFunc(fit, func(a, b string) int {
		return cmp.Or(cmp.Compare(common(b, name), common(a, name)), cmp.Compare(len(partsOf(a)), len(partsOf(b))))
	})
	return fit[0]
}

// common counts the parts that two names have in common: names of one subject are
// taken for each other.
func common(a, b string) int {
	n := 0
	for _, part := range partsOf(a) {
		if slices.Contains(partsOf(b), part) {
			n++
		}
	}
	return n
}

func partsOf(name string) []string {
	var out []string
	for _, part := range strings.Split(name, "_") {
		if part != "" {
			for _, hump := range humps(part) {
				out = append(out, strings.ToLower(hump))
			}
		}
	}
	return out
}

// sortOf is what a name is the name of, by how it is written: a constant, a class, or
// something else.
func sortOf(name string) string {
	switch bare := strings.TrimLeft(name, "_"); {
	case bare == "" || !isUpper(bare[0]):
		return "other"
	case bare == strings.ToUpper(bare):
		return "constant"
	}
	return "class"
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
