package rust

import (
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
)

// A name that is passed on as it is leads to all files that use it. Only "pub use a as b" hides some.

// Leading lists the candidates that may pass a name on under another one.
func (r *resolver) Leading(_ *imports.Closure, candidates []*imports.Source) []*imports.Source {
	return r.g.Holding(candidates, []imports.Handle{imports.NewHandle(0, "pub", "use", "as")})
}

// PassedOn are the other names under which a file passes on what another one defines, or that file as a module.
func (r *resolver) PassedOn(c *imports.Closure, by string) []imports.Handle {
	f, ok := r.g.File(by)
	if !ok {
		return nil
	}
	var names []string
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Kind != syntax.ImportReExport {
			continue
		}
		for _, n := range im.Names {
			if n.Alias == "" || n.Name == "*" {
				continue
			}
			if m, ok := r.module(f, im.Def, im.Module, 0); ok {
				if e, ok := r.g.Member(m, n.Name, 0); ok && e.Path == c.Path {
					names = append(names, n.Alias)
				}
			}
		}
	}
	return imports.EachHandle(imports.Bare, names)
}
