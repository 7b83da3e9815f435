package script

import (
	"encoding/json"
	"path"
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/imports"
)

// maxExtends bounds the chain of configurations that extend each other.
const maxExtends = 10

// byConfig resolves a bare specifier by the nearest tsconfig.json or
// jsconfig.json above the file.
func (s *resolver) byConfig(from, spec string) (string, bool) {
	c := s.configOf(from)
	if c == nil {
		return "", false
	}
	for _, a := range c.paths {
		before, after, wild := strings.Cut(a.pattern, "*")
		star := ""
		switch {
		case !wild && a.pattern != spec:
			continue
		case wild:
			if !strings.HasPrefix(spec, before) || !strings.HasSuffix(spec, after) || len(spec) < len(before)+len(after) {
				continue
			}
			star = spec[len(before) : len(spec)-len(after)]
		}
		for _, t := range a.targets {
			if p, ok := imports.Join(strings.ReplaceAll(t, "*", star)); ok {
				if f, ok := s.file(p); ok {
					return f, true
				}
			}
		}
		return "", false // the compiler looks no further either
	}
	if c.base == "" {
		return "", false
	}
	return s.file(path.Join(c.base, spec))
}

// configOf is the configuration of a file; nil if there is none.
func (s *resolver) configOf(file string) *tsconfig {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, base := range []string{"tsconfig.json", "jsconfig.json"} {
			if p := path.Join(dir, base); s.isFile(p) {
				return s.config(p, 0)
			}
		}
		if dir == "." {
			return nil
		}
	}
}

func (s *resolver) isFile(p string) bool {
	ok := s.g.HasFile(p)
	return ok
}

// config reads a configuration with what it extends; what it says itself
// replaces what it inherits. A configuration that only refers to others for
// editors ("references") takes the names of the first that has any.
func (s *resolver) config(p string, depth int) *tsconfig {
	if c, ok := s.configs[p]; ok {
		return c
	}
	c := &tsconfig{}
	s.configs[p] = c
	src, ok := s.g.ReadConfig(p)
	if !ok || depth > maxExtends {
		return c
	}
	var raw struct {
		Extends         any `json:"extends"`
		CompilerOptions struct {
			BaseURL *string             `json:"baseUrl"`
			Paths   map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
		References []struct {
			Path string `json:"path"`
		} `json:"references"`
	}
	if err := json.Unmarshal(plainJSON(src), &raw); err != nil {
		s.g.Note(p, "not a tsconfig.json")
		return c
	}
	for _, parent := range extended(raw.Extends) {
		if q, ok := s.configPath(path.Dir(p), parent); ok {
			*c = *s.config(q, depth+1)
		}
	}
	dir := path.Dir(p)
	base := dir
	if raw.CompilerOptions.BaseURL != nil {
		if b, ok := imports.Join(dir, *raw.CompilerOptions.BaseURL); ok {
			c.base, base = b, b
		}
	}
	if raw.CompilerOptions.Paths != nil {
		c.paths = pathAliases(base, raw.CompilerOptions.Paths)
	}
	for _, r := range raw.References {
		if c.base != "" || c.paths != nil {
			break
		}
		if q, ok := s.configPath(dir, r.Path); ok {
			*c = *s.config(q, depth+1)
		}
	}
	return c
}

func extended(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			if text, ok := e.(string); ok {
				out = append(out, text)
			}
		}
		return out
	}
	return nil
}

// configPath is the file that "extends" or a reference names: a relative path,
// or one inside a package of the repository.
func (s *resolver) configPath(dir, name string) (string, bool) {
	base := dir
	if !strings.HasPrefix(name, ".") {
		found := false
		for _, pkg := range imports.SortedKeys(s.byName) {
			dirs := s.byName[pkg]
			if rest, ok := strings.CutPrefix(name+"/", pkg+"/"); ok && len(dirs) == 1 {
				base, name, found = dirs[0], strings.TrimSuffix(rest, "/"), true
				break
			}
		}
		if !found {
			return "", false
		}
	}
	p, ok := imports.Join(base, name)
	if !ok {
		return "", false
	}
	for _, q := range []string{p, p + ".json", path.Join(p, "tsconfig.json")} {
		if s.isFile(q) {
			return q, true
		}
	}
	return "", false
}

// pathAliases orders "paths" as the compiler matches them: exact names, then the
// longest text before the "*".
func pathAliases(base string, paths map[string][]string) []pathAlias {
	var out []pathAlias
	for _, pattern := range imports.SortedKeys(paths) {
		a := pathAlias{pattern: pattern}
		for _, t := range paths[pattern] {
			if p, ok := imports.Join(base, t); ok {
				a.targets = append(a.targets, p)
			}
		}
		out = append(out, a)
	}
	rank := func(a pathAlias) int {
		before, _, wild := strings.Cut(a.pattern, "*")
		if !wild {
			return 1 << 20
		}
		return len(before)
	}
	sort.SliceStable(out, func(i, j int) bool { return rank(out[i]) > rank(out[j]) })
	return out
}

// findAliases notes for each file the specifiers that lead to it by a name that
// need not be in its path.
func (s *resolver) findAliases() {
	note := func(file, spec string) { s.aliases[file] = append(s.aliases[file], spec) }
	for _, dir := range imports.SortedKeys(s.packages) {
		pkg := s.packages[dir]
		if f, ok := s.entry(pkg, "."); ok {
			note(f, pkg.name)
		}
		s.eachKey(pkg.exports, func(key string) {
			if f, ok := s.mapped(pkg, pkg.exports, key); ok {
				note(f, path.Join(pkg.name, key))
			}
		})
		s.eachKey(pkg.imports, func(key string) {
			if f, ok := s.mapped(pkg, pkg.imports, key); ok {
				note(f, key)
			}
		})
	}
	for _, base := range []string{"tsconfig.json", "jsconfig.json"} {
		for _, p := range s.g.Configs(base) {
			if inModules(p) {
				continue
			}
			for _, a := range s.config(p, 0).paths {
				if strings.Contains(a.pattern, "*") {
					continue
				}
				for _, t := range a.targets {
					if f, ok := s.file(t); ok {
						note(f, a.pattern)
						break
					}
				}
			}
		}
	}
}

// eachKey calls f for each exact key of a table of subpaths.
func (s *resolver) eachKey(table json.RawMessage, f func(key string)) {
	var byKey map[string]json.RawMessage
	if json.Unmarshal(table, &byKey) != nil {
		return
	}
	for _, k := range imports.SortedKeys(byKey) {
		if (strings.HasPrefix(k, "./") || strings.HasPrefix(k, "#")) && !strings.Contains(k, "*") {
			f(k)
		}
	}
}

// isMain reports whether the file is the entry of the package in its directory.
func (s *resolver) isMain(file string) bool {
	pkg := s.packages[path.Dir(file)]
	if pkg == nil {
		return false
	}
	f, ok := s.entry(pkg, ".")
	return ok && f == file
}
