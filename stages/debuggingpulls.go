package stages

import (
	"context"
	"errors"
	"slices"

	"github.com/prforge/prforge/collectors/gitsource"
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
		verdict.StageCollectRepository, verdict.StageWindow, verdict.StageCollect, verdict.FilterMerged, verdict.FilterRepositoryPublic,
		verdict.StageFiles, verdict.StageHeads,
	}
}

// pullScriptStages is the order of everything that happens to one pull request
// within its repository. What reviewers wrote does not matter here, nor what
// else it changes.
func pullScriptStages(s *Session, find *pullScripts) []pipeline.Stage[*item] {
	all := slices.Concat(filters.OfPull(s.registry, s.filters), filters.OfBase(s.filters))
	kept := slices.DeleteFunc(all, func(f filters.Filter) bool {
		return f.ID() != verdict.FilterMerged && f.ID() != verdict.FilterRepositoryPublic
	})
	return slices.Concat(
		[]pipeline.Stage[*item]{collectStage{}},
		filterStages(kept),
		[]pipeline.Stage[*item]{changedScriptsStage{find}, headsStage{find}},
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
	find := &pullScripts{patterns: from.Paths, license: from.License}
	err = b.Pulls(ctx, b.Config.Path(from.PullRequests), func(s *Session) error {
		find.licenses = s.licenses
		shards, err := eachRepository(ctx, s, s.repositories(), s.fetchSamples, func(ctx context.Context, ref model.RepoRef) (*shard[model.ScriptSource], error) {
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
			all.sources = append(all.sources, sh.Finalists...)
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
		sh.Finalists = append(sh.Finalists, p.scripts...)
	}
	return sh, nil
}

// changedScriptsStage looks for scripts among the paths that a pull request
// changes.
type changedScriptsStage struct{ find *pullScripts }

func (changedScriptsStage) Name() string { return verdict.StageFiles }

func (st changedScriptsStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	if len(st.find.changed(it.c.Pull)) == 0 {
		return verdict.Reject(verdict.NoFittingFile, "it adds or changes no script"), nil
	}
	return verdict.Pass(), nil
}

// changed are the paths that a pull request changes and that may be scripts.
func (f *pullScripts) changed(p *model.PullRequest) []string {
	var paths []string
	for _, file := range p.Files {
		if file.Change != model.FileDeleted {
			paths = append(paths, file.Path)
		}
	}
	return outsidePackages(paths, matching(paths, f.patterns))
}

// headsStage reads the scripts as the pull request leaves them.
type headsStage struct{ find *pullScripts }

func (headsStage) Name() string { return verdict.StageHeads }

func (st headsStage) Run(ctx context.Context, it *item) (verdict.Verdict, error) {
	pull := it.c.Pull
	files, err := it.repo.FilesAt(ctx, pull.HeadOid)
	if err != nil {
		return verdict.Verdict{}, err
	}
	changed := st.find.changed(pull)
	if it.scripts, err = commitScripts(ctx, files, changed, st.find.licenses, model.ScriptSource{
		Repo: it.ref.Repo.String(), Commit: pull.HeadOid, License: st.find.license, PRNumber: &it.ref.Number, Title: pull.Title,
	}); err != nil {
		if errors.Is(err, gitsource.ErrAbsent) {
			return verdict.Reject(verdict.FileUnreadable, "its head is not available any more"), nil
		}
		return verdict.Verdict{}, err
	}
	if len(it.scripts) == 0 {
		return verdict.Reject(verdict.NoFittingFile, "what it changes are modules of packages, or too large"), nil
	}
	return verdict.Pass(), nil
}
