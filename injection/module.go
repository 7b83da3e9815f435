package injection

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// Module is what a module of the repository offers to those that import from it.
type Module struct {
	Path   string            // of its file
	Source []byte            // nil where it must not be shown
	Names  map[string]bool   // bound at its top, and its submodules
	Own    map[string]string // those that it defines at its top, with the sort of statement; the others it imports
	Open   string            // why there may be more names; "" if there are not
	Beside []string          // what modules beside it are called
}

// Modules gives what is known of a module that a file imports from, written as
// "from ...name import": level is the number of dots. nil if it is not one of
// the repository's.
type Modules func(name string, level int) *Module

// ReadModule lists the names of a module from its source. Errors are
// syntax.ErrNoTree.
func ReadModule(path string, src []byte, submodules []string) (*Module, error) {
	s, err := Read(src)
	if err != nil {
		return nil, err
	}
	n := s.names()
	m := &Module{Path: path, Source: src, Names: map[string]bool{}, Own: map[string]string{}, Open: n.unsupported}
	for name, bound := range n.scopes[0].bound {
		m.Names[name] = true
		if !slices.ContainsFunc(bound, inImport) {
			m.Own[name] = sortOf(statementOf(bound[0]))
		}
	}
	for i := range n.scopes {
		for name, where := range n.scopes[i].elsewhere {
			if where == "global" {
				m.Names[name] = true
			}
		}
	}
	for _, name := range submodules {
		m.Names[name] = true
	}
	switch {
	case m.Names["__getattr__"]:
		m.Open = "it has __getattr__"
	case strings.Contains(string(src), "sys.modules"), strings.Contains(string(src), "setattr("):
		m.Open = "it may set names by other means"
	}
	return m, nil
}

// sortOf is the kind of a statement, and of a decorated definition that of what is
// defined: a class, a function, an assignment.
func sortOf(statement syntax.Node) string {
	if statement.Is("decorated_definition") {
		return statement.Child("definition").Kind()
	}
	return statement.Kind()
}

func inImport(n syntax.Node) bool {
	return statementOf(n).Is("import_statement", "import_from_statement", "future_import_statement")
}

// Imported is an import from a module, as the file has it.
type Imported struct {
	Module string   // without dots before it
	Level  int      // how many dots there are
	Names  []string // that are taken from it; none of a plain import
	Lines  []int    // of Names
}

// Imports are the file's imports, in the order of the source.
func (s *Source) Imports() []Imported {
	var out []Imported
	s.Root().Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case "import_statement":
			for _, c := range n.NamedChildren() {
				out = append(out, Imported{Module: plainName(c).Text()})
			}
		case "import_from_statement":
			name, level := dotted(n)
			i := Imported{Module: name, Level: level}
			for _, c := range importedNames(n) {
				i.Names, i.Lines = append(i.Names, plainName(c).Text()), append(i.Lines, c.Lines().Start)
			}
			out = append(out, i)
		default:
			return true
		}
		return false
	})
	return out
}

// plainName is an imported name without what it is renamed to.
func plainName(c syntax.Node) syntax.Node {
	if c.Is("aliased_import") {
		return c.Child("name")
	}
	return c
}

// dotted is the module of a from-import without the dots before it, and how many
// these are.
func dotted(statement syntax.Node) (name string, level int) {
	written := statement.Child("module_name").Text()
	name = strings.TrimLeft(written, ".")
	return name, len(written) - len(name)
}

// importedNames are the names that a from-import takes; none of other statements.
func importedNames(statement syntax.Node) []syntax.Node {
	if !statement.Is("import_from_statement") {
		return nil
	}
	return slices.DeleteFunc(statement.NamedChildren(), func(c syntax.Node) bool { return c.Field() != "name" })
}
