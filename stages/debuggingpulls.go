package stages

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// pullSteps is the order of everything that happens to a repository and to a
// pull request that is searched for scripts.
func pullSteps() []string {
	return []string{
		verdict.StageCollectRepository, verdict.StageWindow, verdict.StageCollect, verdict.FilterMerged, verdict.StageFiles,
		verdict.StageFetchDiff, verdict.FilterDiffParseable, verdict.StageFetchBase, verdict.FilterBaseAccessible, verdict.FilterRepositoryPublic,
		verdict.StageHeads,
	}
}

// pullScriptStages is the order of everything that happens to one pull request
// within its repository. What reviewers wrote does not matter here, nor does
// what else it changes.
func pullScriptStages(s *Session, find *pullScripts) []pipeline.Stage[*item] {
	merged := slices.DeleteFunc(filters.OfPull(s.registry, s.filters), func(f filters.Filter) bool { return f.ID() != verdict.FilterMerged })
	return slices.Concat(
		[]pipeline.Stage[*item]{collectStage{}},
		filterStages(merged),
		[]pipeline.Stage[*item]{changedScriptsStage{find}, diffStage{}},
		filterStages(filters.OfDiff(s.filters)),
		[]pipeline.Stage[*item]{baseStage{}},
		filterStages(filters.OfBase(s.filters)),
		[]pipeline.Stage[*item]{headsStage{find}},
	)
}

// pullScripts is what searching pull requests for scripts shares.
type pullScripts struct {
	patterns []string
	license  string // "" reads the repository's
	licenses *licenses.Reader
}

// pullScripts looks for scripts that merged pull requests add or change, as they
// leave them.
func (b *debuggingBuild) pullScripts(ctx context.Context, from config.ScriptSource) (all foundScripts, err error) {
	if b.Pulls == nil {
		return all, errors.New("this run asks for no pull requests")
	}
	find := &pullScripts{patterns: from.Paths, license: from.License, licenses: licenses.NewReader()}
	err = b.Pulls(b.Config.Path(from.PullRequests), func(s *Session) error {
		shards, err := eachRepository(ctx, s, s.repositories(), func(ctx context.Context, ref model.RepoRef) (*shard[model.ScriptSource], error) {
			return pullShard(ctx, s, find, ref)
		})
		if err != nil {
			return err
		}
		dropDuplicates(shards)
		for t := range trailsOf(shards) {
			all.trails = append(all.trails, t)
		}
		for _, sh := range shards {
			all.sources = append(all.sources, sh.Finals...)
		}
		return nil
	})
	return all, err
}

// pullShard searches the pull requests of one repository.
func pullShard(ctx context.Context, s *Session, find *pullScripts, asked model.RepoRef) (sh *shard[model.ScriptSource], err error) {
	sh, err = openShard[model.ScriptSource](s, asked)
	if err != nil || sh.repo == nil {
		return sh, err
	}
	defer func() { err = errors.Join(err, sh.repo.Release()) }()
	passed, err := sh.runPulls(ctx, s, pullScriptStages(s, find))
	if err != nil {
		return sh, err
	}
	for _, p := range passed {
		sh.Finals = append(sh.Finals, p.scripts...)
	}
	return sh, nil
}

// changedScriptsStage looks for scripts among the paths that a pull request
// changes.
type changedScriptsStage struct{ find *pullScripts }

func (changedScriptsStage) Name() string { return verdict.StageFiles }

func (st changedScriptsStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	var paths []string
	for _, f := range it.c.Final.Pull.Files {
		if f.Change != model.FileDeleted {
			paths = append(paths, f.Path)
		}
	}
	if len(st.find.chosen(paths)) == 0 {
		return verdict.Reject(verdict.NoFittingFile, "it adds or changes no script"), nil
	}
	return verdict.Pass(), nil
}

// chosen are those of the given paths that may be scripts.
func (f *pullScripts) chosen(paths []string) []string {
	return outsidePackages(paths, matching(paths, f.patterns))
}

// headsStage reads the scripts as the pull request leaves them: the files at its
// base with its diff applied.
type headsStage struct{ find *pullScripts }

func (headsStage) Name() string { return verdict.StageHeads }

func (st headsStage) Run(ctx context.Context, it *item) (verdict.Verdict, error) {
	sources, err := it.repo.Sources(it.ref.Number)
	if err != nil || sources == nil {
		return verdict.Verdict{}, errors.Join(err, errNoSources(sources))
	}
	source := model.ScriptSource{Repo: it.ref.Repo.String(), Commit: it.c.Pull.HeadOid, License: st.find.license, PRNumber: &it.ref.Number, Title: it.c.Pull.Title}
	if source.License == "" {
		license, err := st.find.licenses.At(sources, it.c.Repo)
		if err != nil {
			return verdict.Verdict{}, fmt.Errorf("find the license: %w", err)
		}
		if license.SPDX != nil {
			source.License = *license.SPDX
		}
	}
	tree := pullTree(it, sources)
	var changed []string
	for _, f := range it.c.Parsed.Files {
		if f.NewPath != "" && !f.IsBinary {
			changed = append(changed, f.NewPath)
		}
	}
	slices.Sort(changed)
	chosen := outsidePackages(tree.paths, matching(changed, st.find.patterns))
	if it.scripts, err = tree.scripts(ctx, chosen, source); err != nil {
		return verdict.Verdict{}, err
	}
	if len(it.scripts) == 0 {
		return verdict.Reject(verdict.FileUnreadable, "no script that it changes can be read as it leaves it, outside of a package"), nil
	}
	return verdict.Pass(), nil
}

// pullTree is what a pull request leaves, as far as its base was kept.
func pullTree(it *item, sources model.Snapshot) scriptTree {
	there := map[string]bool{}
	for _, e := range sources.Entries() {
		there[e.Path] = true
	}
	for _, f := range it.c.Parsed.Files {
		delete(there, f.OldPath)
		if f.NewPath != "" {
			there[f.NewPath] = true
		}
	}
	return scriptTree{paths: slices.Sorted(maps.Keys(there)), read: func(_ context.Context, paths []string, limit int64) (map[string][]byte, error) {
		out := map[string][]byte{}
		for _, p := range paths {
			if data, err := headOf(it, sources, p); err == nil && int64(len(data)) <= limit {
				out[p] = data
			}
		}
		return out, nil
	}}
}
