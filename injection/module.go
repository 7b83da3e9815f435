package injection

import "strings"

// Module is what a module of the repository offers to those that import from it.
type Module struct {
	Path  string          // of its file
	Names map[string]bool // bound at its top, and its submodules
	Open  string          // why there may be more names; "" if there are not
}

// ReadModule lists the names of a module from its source. Errors are
// syntax.ErrNoTree.
func ReadModule(path string, src []byte, submodules []string) (*Module, error) {
	s, err := Read(src)
	if err != nil {
		return nil, err
	}
	n := s.names()
	m := &Module{Path: path, Names: map[string]bool{}, Open: n.unsupported}
	for name := range n.scopes[0].bound {
		m.Names[name] = true
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
