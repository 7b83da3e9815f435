package script

import (
	"encoding/json"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/imports"
)

// scriptPackage is what a package.json says of how the package is imported.
type scriptPackage struct {
	dir     string
	name    string
	mains   []string        // source, module, main, types: the entries from before "exports"
	exports json.RawMessage // nil if there is none
	imports json.RawMessage
}

// tsconfig is the part of a tsconfig.json that names modules, with what it
// extends worked in.
type tsconfig struct {
	base  string // directory of baseUrl; "" if not set
	paths []pathAlias
}

// pathAlias is one entry of "paths": a pattern with at most one "*", and where it
// leads, as paths of the repository.
type pathAlias struct {
	pattern string
	targets []string
}

// load reads the configuration files once.
func (s *resolver) load() {
	if s.loaded {
		return
	}
	s.loaded = true
	s.packages, s.byName = map[string]*scriptPackage{}, map[string][]string{}
	s.configs, s.aliases = map[string]*tsconfig{}, map[string][]string{}
	s.resolved = map[specifier]string{}
	for _, p := range s.g.Configs("package.json") {
		if inModules(p) {
			continue
		}
		if pkg, ok := s.readPackage(p); ok {
			s.packages[pkg.dir] = pkg
			if pkg.name != "" {
				s.byName[pkg.name] = append(s.byName[pkg.name], pkg.dir)
			}
		}
	}
	s.findAliases()
}

// inModules: what is installed is no source of the repository.
func inModules(p string) bool { return strings.Contains("/"+p, "/node_modules/") }

func (s *resolver) readPackage(p string) (*scriptPackage, bool) {
	src, ok := s.g.ReadConfig(p)
	if !ok {
		return nil, false
	}
	var raw struct {
		Name    any             `json:"name"`
		Source  any             `json:"source"`
		Module  any             `json:"module"`
		Main    any             `json:"main"`
		Types   any             `json:"types"`
		Exports json.RawMessage `json:"exports"`
		Imports json.RawMessage `json:"imports"`
	}
	if err := json.Unmarshal(plainJSON(src), &raw); err != nil {
		s.g.Note(p, "not a package.json")
		return nil, false
	}
	pkg := &scriptPackage{dir: path.Dir(p), exports: raw.Exports, imports: raw.Imports}
	pkg.name, _ = raw.Name.(string)
	for _, main := range []any{raw.Source, raw.Module, raw.Main, raw.Types} {
		if m, ok := main.(string); ok && m != "" {
			pkg.mains = append(pkg.mains, m)
		}
	}
	return pkg, true
}

// packageOf is the package that a file belongs to; nil if there is none.
func (s *resolver) packageOf(file string) *scriptPackage {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if pkg := s.packages[dir]; pkg != nil {
			return pkg
		}
		if dir == "." {
			return nil
		}
	}
}

// entry is the source behind a key of "exports", "." or "./sub". Without
// "exports" the package's main fields and its files answer.
func (s *resolver) entry(pkg *scriptPackage, key string) (string, bool) {
	if pkg.exports != nil {
		return s.mapped(pkg, pkg.exports, key)
	}
	if key != "." {
		if f, ok := s.source(pkg, key); ok {
			return f, true
		}
		return s.source(pkg, "./src/"+key)
	}
	for _, main := range pkg.mains {
		if f, ok := s.source(pkg, main); ok {
			return f, true
		}
	}
	for _, main := range []string{"index", "src/index"} {
		for _, ext := range scriptExtensions {
			if p := path.Join(pkg.dir, main+ext); s.isScript(p) {
				return p, true
			}
		}
	}
	return "", false
}

// mapped looks a key up in "exports" or "imports". An exact key wins, then the
// pattern with the longest text before its "*".
func (s *resolver) mapped(pkg *scriptPackage, table json.RawMessage, key string) (string, bool) {
	var byKey map[string]json.RawMessage
	if json.Unmarshal(table, &byKey) != nil || !isSubpaths(byKey) {
		byKey = map[string]json.RawMessage{".": table}
	}
	if v, ok := byKey[key]; ok {
		return s.firstTarget(pkg, v, "")
	}
	best, star := "", ""
	for _, pattern := range imports.SortedKeys(byKey) {
		before, after, ok := strings.Cut(pattern, "*")
		if !ok || !strings.HasPrefix(key, before) || !strings.HasSuffix(key, after) || len(key) < len(before)+len(after) {
			continue
		}
		if b, _, _ := strings.Cut(best, "*"); best == "" || len(before) > len(b) {
			best, star = pattern, key[len(before):len(key)-len(after)]
		}
	}
	if best == "" {
		return "", false
	}
	return s.firstTarget(pkg, byKey[best], star)
}

// isSubpaths: keys are paths, not conditions.
func isSubpaths(m map[string]json.RawMessage) bool {
	for k := range m {
		return strings.HasPrefix(k, ".") || strings.HasPrefix(k, "#")
	}
	return false
}

// firstTarget is the first target, by condition, that lies in the repository.
func (s *resolver) firstTarget(pkg *scriptPackage, v json.RawMessage, star string) (string, bool) {
	for _, t := range targetsOf(v, 0) {
		if f, ok := s.source(pkg, strings.ReplaceAll(t, "*", star)); ok {
			return f, true
		}
	}
	return "", false
}

// conditions are looked at in this order; others, which are a project's own and
// mostly lead to sources, before them by name.
var conditions = []string{"source", "development", "import", "module", "require", "node", "browser", "default", "types"}

// maxConditions bounds the nesting of conditions.
const maxConditions = 8

// targetsOf lists the targets under conditions and lists, best first.
func targetsOf(v json.RawMessage, depth int) []string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return []string{text}
	}
	if depth >= maxConditions {
		return nil
	}
	var out []string
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		for _, e := range list {
			out = append(out, targetsOf(e, depth+1)...)
		}
		return out
	}
	var byCondition map[string]json.RawMessage
	if json.Unmarshal(v, &byCondition) != nil {
		return nil
	}
	keys := imports.SortedKeys(byCondition)
	sort.SliceStable(keys, func(i, j int) bool {
		return slices.Index(conditions, keys[i]) < slices.Index(conditions, keys[j])
	})
	for _, k := range keys {
		out = append(out, targetsOf(byCondition[k], depth+1)...)
	}
	return out
}

// buildDirs are the folders that build products lie in, which repositories do
// not hold; their sources lie in src or beside package.json.
var buildDirs = map[string]bool{"dist": true, "lib": true, "build": true, "out": true, "esm": true, "cjs": true,
	"es": true, "types": true, "umd": true, "node": true}

// source is the source behind a target of a package: the file itself, or what it
// is built from.
func (s *resolver) source(pkg *scriptPackage, target string) (string, bool) {
	rel, ok := imports.Join(target)
	if !ok {
		return "", false
	}
	if f, ok := s.plainFile(path.Join(pkg.dir, rel)); ok {
		return f, true
	}
	parts := strings.Split(rel, "/")
	built := 0
	for built < len(parts)-1 && buildDirs[parts[built]] {
		built++
	}
	if built == 0 {
		return "", false
	}
	rest := strings.Join(parts[built:], "/")
	for _, suffix := range []string{".d.ts", ".d.mts", ".d.cts", ".min.js", ".mjs", ".cjs", ".js"} {
		if trimmed, ok := strings.CutSuffix(rest, suffix); ok {
			rest = trimmed
			break
		}
	}
	if f, ok := s.plainFile(path.Join(pkg.dir, "src", rest)); ok {
		return f, true
	}
	return s.plainFile(path.Join(pkg.dir, rest))
}

// plainFile is file without following another package.json.
func (s *resolver) plainFile(p string) (string, bool) {
	if f, ok := s.asWritten(p); ok {
		return f, true
	}
	for _, e := range scriptExtensions {
		if s.isScript(p + e) {
			return p + e, true
		}
		if q := path.Join(p, "index"+e); s.isScript(q) {
			return q, true
		}
	}
	return "", false
}
