package rust

import (
	"path"
	"regexp"
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/imports"
)

var (
	section     = regexp.MustCompile(`(?m)^\s*\[+([^\]\n]+)\]+`)
	packageName = regexp.MustCompile(`(?m)^\s*name\s*=\s*"([\w-]+)"`)
	libraryPath = regexp.MustCompile(`(?m)^\s*path\s*=\s*"([^"\n]+)"`)
)

// resolver resolves Rust's modules: those of a crate are the files below its root,
// as Cargo looks for them. Modules with a path of their own are not followed.
type resolver struct {
	imports.NoReExports
	g       *imports.Graph
	loaded  bool
	folders []string            // of packages, the longest first
	crates  map[string][]string // roots of libraries, by the name of the crate
}

// sectionOf is the text of a section of a manifest.
func sectionOf(text, name string) string {
	for _, m := range section.FindAllStringSubmatchIndex(text, -1) {
		if strings.TrimSpace(text[m[2]:m[3]]) == name {
			rest := text[m[1]:]
			if next := section.FindStringIndex(rest); next != nil {
				rest = rest[:next[0]]
			}
			return rest
		}
	}
	return ""
}

// load reads the manifests of the packages, of a workspace or not.
func (r *resolver) load() {
	if r.loaded {
		return
	}
	r.loaded, r.crates = true, map[string][]string{}
	for _, p := range r.g.Configs(manifest) {
		src, ok := r.g.ReadConfig(p)
		if !ok {
			continue
		}
		m := packageName.FindStringSubmatch(sectionOf(string(src), "package"))
		if m == nil {
			continue // of a workspace alone
		}
		dir := path.Dir(p)
		r.folders = append(r.folders, dir)
		name, root := m[1], path.Join(dir, "src/lib.rs")
		library := sectionOf(string(src), "lib")
		if m := packageName.FindStringSubmatch(library); m != nil {
			name = m[1]
		}
		if m := libraryPath.FindStringSubmatch(library); m != nil {
			root = path.Join(dir, m[1])
		}
		if r.g.Source(root) != nil {
			name = strings.ReplaceAll(name, "-", "_")
			r.crates[name] = append(r.crates[name], root)
		}
	}
	sort.SliceStable(r.folders, func(i, j int) bool { return len(r.folders[i]) > len(r.folders[j]) })
}

// rootNames are the base names of the files that are roots of crates, or modules
// named after their folder.
func isFolderFile(p string) bool {
	switch path.Base(p) {
	case "lib.rs", "main.rs", "mod.rs":
		return true
	}
	return false
}

// root is the root of the crate that a file belongs to: the library or program
// above it, or the file itself, as each test, example and benchmark is a crate.
func (r *resolver) root(file string) string {
	r.load()
	if path.Base(file) == "main.rs" { // a program beside a library is a crate of its own
		return file
	}
	for _, dir := range r.folders {
		if dir != "." && !strings.HasPrefix(file, dir+"/") {
			continue
		}
		for _, name := range []string{"src/lib.rs", "src/main.rs"} {
			root := path.Join(dir, name)
			if strings.HasPrefix(file, path.Join(dir, "src")+"/") && !strings.HasPrefix(file, path.Join(dir, "src/bin")+"/") &&
				r.g.Source(root) != nil {
				return root
			}
		}
		for _, roots := range r.crates {
			for _, root := range roots {
				if strings.HasPrefix(root, dir+"/") && strings.HasPrefix(file, path.Dir(root)+"/") {
					return root
				}
			}
		}
		break
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) { // tests/it/main.rs with modules beside it
		for _, name := range []string{"main.rs", "lib.rs"} {
			if p := path.Join(dir, name); r.g.Source(p) != nil {
				return p
			}
		}
		if dir == "." || path.Base(dir) == "tests" || path.Base(dir) == "src" {
			return file
		}
	}
}

// folder is the directory that the child modules of a file are in.
func (r *resolver) folder(file string) string {
	if isFolderFile(file) || r.root(file) == file {
		return path.Dir(file)
	}
	return strings.TrimSuffix(file, ".rs")
}

// child is the file of a module inside that of another file.
func (r *resolver) child(file, name string) (imports.Entity, bool) {
	dir := r.folder(file)
	for _, p := range []string{path.Join(dir, name+".rs"), path.Join(dir, name, "mod.rs")} {
		if p != file && r.g.Source(p) != nil {
			return imports.Entity{Path: p, Def: imports.Whole}, true
		}
	}
	return imports.Entity{}, false
}

// above is the file of the module around that of a file.
func (r *resolver) above(file string) (imports.Entity, bool) {
	root := r.root(file)
	if file == root {
		return imports.Entity{}, false
	}
	dir := path.Dir(file)
	if path.Base(file) == "mod.rs" {
		dir = path.Dir(dir)
	}
	if dir == path.Dir(root) {
		return imports.Entity{Path: root, Def: imports.Whole}, true
	}
	for _, p := range []string{dir + ".rs", path.Join(dir, "mod.rs")} {
		if r.g.Source(p) != nil {
			return imports.Entity{Path: p, Def: imports.Whole}, true
		}
	}
	return imports.Entity{}, false
}

// crate is the root of a library of the repository.
func (r *resolver) crate(from, name string) (imports.Entity, bool) {
	r.load()
	roots := r.crates[name]
	if len(roots) != 1 || roots[0] == r.root(from) {
		return imports.Entity{}, false
	}
	return imports.Entity{Path: roots[0], Def: imports.Whole}, true
}
