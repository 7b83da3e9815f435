package python

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
)

// Python's modules pass on whatever they import, under other names too.

// MayRename reports whether a file may import one of some names under another one.
func (p *resolver) MayRename(names ...string) bool {
	if p.renamed == nil {
		p.renamed = map[imports.Mention]bool{}
		for _, f := range p.g.Sources(&family) {
			for m := range p.g.Words(f).Occurring(imports.Renamed) {
				p.renamed[m] = true
			}
		}
	}
	return slices.ContainsFunc(names, func(name string) bool { return p.renamed[imports.MentionOf(name, 0)] })
}

// MayLead: a package may have any of its modules, a module what it imports.
func (p *resolver) MayLead(module *imports.Source, name string) bool {
	if module.Language.Family != &family {
		return true
	}
	w := p.g.Words(module)
	return imports.Stem(module.Path) == "__init__" || w.Has(imports.WildcardImport) ||
		w.Has(imports.MentionOf(name, imports.Bound))
}

// Leading implements imports.Resolver: a module with a star import passes on everything from that module; a package
// what it imports; any other module only the names of the file, or the file.
func (p *resolver) Leading(c *imports.Closure, candidates []*imports.Source) []*imports.Source {
	news := p.news(c)
	naming := news
	if named := append(p.g.TopNames(c.Path), imports.Stem(c.Path)); !p.MayRename(named...) {
		candidates = p.g.Holding(candidates, imports.EachHandle(imports.Bound, append(named, imports.WildcardWord)))
		naming = p.g.Holding(news, imports.EachHandle(imports.Imported, append(named, imports.WildcardWord)))
	}
	var whole, packages, modules []*imports.Source
	for _, f := range candidates {
		switch {
		case p.g.Words(f).Has(imports.WildcardImport):
			whole = append(whole, f)
		case imports.Stem(f.Path) == "__init__":
			packages = append(packages, f)
		default:
			modules = append(modules, f)
		}
	}
	out := slices.Concat(p.g.UsedByOthers(whole, c.Files()), p.g.UsedByOthers(packages, news),
		p.g.UsedByOthers(modules, naming))
	slices.SortFunc(out, func(a, b *imports.Source) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// news lists the files that are not found yet, and those that pass on whatever is
// found to be passed on to them.
func (p *resolver) news(c *imports.Closure) []*imports.Source {
	var out []*imports.Source
	for _, f := range c.Files() {
		if !c.IsFound(f.Path) || p.g.Words(f).Has(imports.WildcardImport) {
			out = append(out, f)
		}
	}
	return out
}

// PassedOn are handles for the files that use another one and name one of the
// things that it passes on.
func (p *resolver) PassedOn(c *imports.Closure, by string) []imports.Handle {
	f, ok := p.g.File(by)
	if !ok {
		return nil
	}
	tied := p.g.EdgesTo(by, c.Path)
	switch {
	case p.takesAll(f, c.IsPassing):
		return append(p.Handles(by, 0), p.g.NameHandles(c.Path, imports.Imported, "")...)
	case len(tied) > 0:
		names := append(p.localNames(f, c.Path), imports.WildcardWord, imports.Stem(c.Path))
		for _, e := range tied {
			names = append(names, e.Names...)
		}
		var out []imports.Handle
		for _, h := range p.Handles(by, 0) {
			for _, name := range names {
				named := h
				named.Mentions = append(slices.Clone(h.Mentions), imports.MentionOf(name, imports.Imported))
				out = append(out, named)
			}
		}
		return out
	}
	return nil
}

// localNames are the names by which a file knows another one and what it has, as far
// as those are imported from a module by name, or given to a module.
func (p *resolver) localNames(f *syntax.File, of string) []string {
	to, _ := p.g.File(of)
	var out []string
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Alias != "" {
			out = append(out, im.Alias)
		}
		m, ok := p.module(f.Path, im.Level, im.Module)
		for _, n := range im.Names {
			if !ok || n.Name == "*" || m.Path != f.Path && !p.g.MayLeadTo(m, n.Name, to) {
				continue
			}
			if e, ok := p.from(f, m, n.Name, 0); m.Path == of || ok && e.Path == of {
				out = append(out, n.Local())
			}
		}
	}
	return out
}

// takesAll reports whether a file imports all names of one of some files.
func (p *resolver) takesAll(f *syntax.File, from func(path string) bool) bool {
	for i := range f.Imports {
		im := &f.Imports[i]
		if len(im.Names) == 1 && im.Names[0].Name == "*" {
			if m, ok := p.module(f.Path, im.Level, im.Module); ok && from(m.Path) {
				return true
			}
		}
	}
	return false
}
