package gitsource

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/memo"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/pattern"
)

// class says why a file is wanted. Lower classes go first when not all files can be stored.
type class int

const (
	changed  class = iota // the pull request changes it
	build                 // import resolution, scores or layer 4 read it
	nearby                // source in a changed file's directory
	language              // source in a changed file's language
	source                // any other source
	settings              // other configuration, of modest size
	notWanted
)

// buildFile matches what import resolution, the repository score and the
// behavior mapping read, wherever it lies.
var buildFile = pattern.MustCompile(`(?i)(^|/)(go\.(mod|work)|package\.json|[tj]sconfig[^/]*\.json|pnpm-workspace\.yaml|lerna\.json|` +
	`pyproject\.toml|setup\.(py|cfg)|tox\.ini|pytest\.ini|noxfile\.py|conftest\.py|pom\.xml|(build|settings)\.gradle(\.kts)?|\.?codecov\.ya?ml|\.coveragerc|\.nycrc[^/]*|` +
	`(jest|vitest)\.(config|workspace)\.[^/]+|\.gitlab-ci\.yml|\.travis\.yml|appveyor\.yml|azure-pipelines\.yml|jenkinsfile)$` +
	`|^\.github/workflows/[^/]+$|^\.circleci/config\.yml$|^(licen[cs]e|copying)[^/]*$`)

// settingsFile matches formats of configuration files. JSON is not one: most of it is data.
var settingsFile = pattern.MustCompile(`(?i)(^|/)([^/]+\.(ya?ml|toml|ini|cfg|conf|properties)|\.env[^/]*|[^/]+\.env)$`)

// wantedFile is a wanted file with what orders it.
type wantedFile struct {
	model.TreeEntry
	class    class
	distance int // folders between it and the nearest changed file
}

// selector decides which files are wanted. It caches what a path alone decides, because the commits of a repository
// share most paths.
type selector struct{ byPath *memo.Memo[class] }

// wantedFiles lists the files of a tree that are wanted by their paths, the most
// wanted first. Symlinks and submodules are not read, unless a symlink is what
// changed.
func (c selector) wantedFiles(files []model.TreeEntry, paths []string) []wantedFile {
	changed := newChangedPaths(paths)
	var list []wantedFile
	for _, f := range files {
		folder := path.Dir(f.Path)
		w := wantedFile{TreeEntry: f, class: c.classify(f, folder, changed)}
		if w.class == notWanted {
			continue
		}
		if w.class > build {
			w.distance = changed.distance(folder)
		}
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b wantedFile) int {
		switch {
		case a.class != b.class:
			return int(a.class - b.class)
		case a.distance != b.distance:
			return a.distance - b.distance
		}
		return strings.Compare(a.Path, b.Path)
	})
	return list
}

func (c selector) classify(f model.TreeEntry, folder string, t changedPaths) class {
	switch {
	case f.Mode == modeSubmodule:
		return notWanted
	case t.paths[f.Path]:
		return changed
	case f.Mode == modeSymlink:
		return notWanted
	}
	known, ok := c.byPath.Get(f.Path)
	if !ok {
		known = classifyPath(f.Path)
		c.byPath.Put(f.Path, known, 1)
	}
	switch {
	case known != source:
		return known
	case t.folders[folder]:
		return nearby
	case t.languages[pathkind.Language(f.Path)]:
		return language
	}
	return source
}

// classifyPath gives build, source, settings or notWanted.
func classifyPath(p string) class {
	switch {
	case pathkind.IsVendored(p):
		return notWanted
	case buildFile.MatchString(p):
		return build
	case pathkind.IsSource(p) && !pathkind.IsGenerated(p, nil):
		return source
	case settingsFile.MatchString(p) && !pathkind.IsTest(p) && !pathkind.IsDocs(p) && !pathkind.IsGenerated(p, nil):
		return settings
	}
	return notWanted
}

// changedPaths is what a pull request changes.
type changedPaths struct {
	paths, folders, languages map[string]bool
	distances                 map[string]int // by folder, of those asked for
}

func newChangedPaths(paths []string) changedPaths {
	t := changedPaths{paths: map[string]bool{}, folders: map[string]bool{}, languages: map[string]bool{},
		distances: map[string]int{}}
	for _, p := range paths {
		t.paths[p] = true
		t.folders[path.Dir(p)] = true
		t.languages[pathkind.Language(p)] = true
	}
	return t
}

// distance counts the folders up and down from a folder to the nearest one with a
// changed file.
func (t changedPaths) distance(folder string) int {
	if known, ok := t.distances[folder]; ok {
		return known
	}
	nearest := maxDepth * 2
	from := folders(folder)
	for changed := range t.folders {
		to := folders(changed)
		common := 0
		for common < min(len(from), len(to)) && from[common] == to[common] {
			common++
		}
		nearest = min(nearest, len(from)+len(to)-2*common)
	}
	t.distances[folder] = nearest
	return nearest
}

// folders are the names of a folder and of those that it lies in, outermost first.
func folders(dir string) []string {
	if dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}
