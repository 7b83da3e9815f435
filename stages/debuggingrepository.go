package stages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/store"
)

// repositoryScripts reads the scripts of a repository at a commit through git.
// What was transferred once is in the state.
func (b *debuggingBuild) repositoryScripts(ctx context.Context, from config.ScriptSource) (out []model.ScriptSource, err error) {
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
	o.Log, o.MaxFile = b.Log, maxNotebook
	repo, err := gitsource.Open(ctx, filepath.Join(b.State, "git", ref.FileName()+".git"), b.CloneURL(ref), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	g := gitTree{repo: repo, shard: shard, commit: from.Commit}
	whole, err := g.collect(ctx, gitsource.Request{Key: "tree:" + from.Commit, BuildFiles: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	license := from.License
	if license == "" {
		found, err := licenses.NewReader().At(whole, &model.Repository{})
		if err != nil {
			return nil, fmt.Errorf("find the license of %s: %w", ref, err)
		}
		if found.SPDX != nil {
			license = *found.SPDX
		}
	}
	tree := scriptTree{read: g.read}
	for _, e := range whole.Entries() {
		tree.paths = append(tree.paths, e.Path)
	}
	slices.Sort(tree.paths)
	out, err = tree.scripts(ctx, outsidePackages(tree.paths, matching(tree.paths, from.Paths)), model.ScriptSource{Repo: ref.String(), Commit: from.Commit, License: license})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	return out, nil
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
		return packages[path.Dir(p)] || pathkind.IsTest(p) || pathkind.IsVendored(p) || strings.HasPrefix(p, ".") || strings.Contains(p, "/.")
	})
}

// gitTree reads files of a commit.
type gitTree struct {
	repo   *gitsource.Repo
	shard  *store.Shard
	commit string
}

// collect makes sure that a request is in the shard.
func (g gitTree) collect(ctx context.Context, q gitsource.Request) (model.Snapshot, error) {
	q.Commit = g.commit
	failed, err := g.repo.Collect(ctx, g.shard, []gitsource.Request{q})
	if err := errors.Join(err, failed[q.Key]); err != nil {
		return nil, err
	}
	return g.shard.Snapshot(q.Key)
}

func (g gitTree) read(ctx context.Context, paths []string, limit int64) (map[string][]byte, error) {
	out := map[string][]byte{}
	if len(paths) == 0 {
		return out, nil
	}
	sum := sha256.Sum256([]byte(strings.Join(paths, "\x00")))
	files, err := g.collect(ctx, gitsource.Request{Key: "scripts:" + g.commit + ":" + hex.EncodeToString(sum[:8]), Changed: paths, Only: true})
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		if data, err := files.Read(p); err == nil && int64(len(data)) <= limit {
			out[p] = data
		}
	}
	return out, nil
}
