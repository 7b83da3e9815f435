package debugging

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
)

// repositoryScripts reads the scripts of a repository at a commit through git.
func (b *openBuild) repositoryScripts(ctx context.Context, from ScriptSource) ([]model.ScriptSource, error) {
	ref, err := model.ParseRepoRef(from.Repository)
	if err != nil {
		return nil, err
	}
	if b.CloneURL == nil {
		return nil, errors.New("this run reads no repositories")
	}
	shard, err := b.store.Shard(ref)
	if err != nil {
		return nil, err
	}
	o := gitsource.DefaultOptions()
	o.Log, o.MaxFile, o.InUse = b.Log, max(maxNotebook, b.Config.MaxInput()), b.store.InUse
	git, err := gitsource.Open(ctx, filepath.Join(b.State, "git", b.store.ID(), ref.FileName()+".git"), b.CloneURL(ref), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	defer git.Close()
	files := collectors.Files{Git: git, Shard: shard, Commit: from.Commit}
	out, err := commitScripts(ctx, files, from.Paths, b.licenses,
		model.ScriptSource{Repo: ref.String(), Commit: from.Commit, License: from.License}, b.Config.MaxInput())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	return out, nil
}

// commitScripts reads the scripts of a commit that the patterns match. The
// license is the commit's where the source has none.
func commitScripts(ctx context.Context, files collectors.Files, patterns []string, reader *licenses.Reader,
	source model.ScriptSource, maxInput int64) ([]model.ScriptSource, error) {
	whole, err := files.Tree(ctx)
	if err != nil {
		return nil, err
	}
	if source.License == "" {
		license, err := reader.At(whole, &model.Repository{})
		if err != nil {
			return nil, fmt.Errorf("find the license: %w", err)
		}
		if license.SPDX != nil {
			source.License = *license.SPDX
		}
	}
	tree := gitTree(files, whole)
	return tree.scripts(ctx, outsidePackages(tree.paths, matching(tree.paths, patterns)), source, maxInput)
}

// gitTree reads scripts of a commit.
func gitTree(files collectors.Files, whole model.Snapshot) scriptTree {
	t := scriptTree{read: func(ctx context.Context, paths []string, limit int64) (map[string][]byte, error) {
		out := map[string][]byte{}
		if len(paths) == 0 {
			return out, nil
		}
		snapshot, err := files.Only(ctx, paths)
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			if data, err := snapshot.Read(p); err == nil && int64(len(data)) <= limit {
				out[p] = data
			}
		}
		return out, nil
	}}
	for _, e := range whole.Entries() {
		t.paths = append(t.paths, e.Path)
	}
	slices.Sort(t.paths)
	return t
}

// outsidePackages leaves out what is no program of its own by its path: modules
// of packages, tests, other projects' files, and what lies in hidden folders.
func outsidePackages(paths, chosen []string) []string {
	packages := map[string]bool{}
	for _, p := range paths {
		if path.Base(p) == "__init__.py" {
			packages[path.Dir(p)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(chosen), func(p string) bool {
		return packages[path.Dir(p)] || pathkind.IsTest(p) || pathkind.IsVendored(p) || strings.HasPrefix(p, ".") ||
			strings.Contains(p, "/.")
	})
}
