package debugging

import (
	"context"
	"errors"
	"slices"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// pullSteps is the order of everything that happens to a repository and to a
// pull request that is searched for scripts.
func pullSteps() []string {
	return []string{
		verdict.StageCollectRepository, verdict.StageWindow, verdict.StageCollect, verdict.FilterMerged,
		verdict.FilterRepositoryPublic,
		verdict.StageFiles, verdict.StageHeads,
	}
}

// pullScriptStages is the order of everything that happens to one pull request
// within its repository. What reviewers wrote does not matter here, nor what
// else it changes.
func pullScriptStages(s *run.Session, find *pullScripts) []pipeline.Stage[*run.Item] {
	all := slices.Concat(filters.OfPull(s.Registry, s.Filters), filters.OfBase(s.Filters))
	kept := slices.DeleteFunc(all, func(f filters.Filter) bool {
		return f.ID() != verdict.FilterMerged && f.ID() != verdict.FilterRepositoryPublic
	})
	return slices.Concat(
		[]pipeline.Stage[*run.Item]{run.CollectStage{}},
		run.FilterStages(kept),
		[]pipeline.Stage[*run.Item]{changedScriptsStage{find}, headsStage{find}},
	)
}

// pullScripts is what searching pull requests for scripts shares.
type pullScripts struct {
	patterns []string
	license  string // "" reads the repository's
	licenses *licenses.Reader
	maxInput int64 // bytes of a file beside a script
}

// pullScripts looks for scripts that merged pull requests add or change, as they
// leave them.
func (b *openBuild) pullScripts(ctx context.Context, from ScriptSource) (all foundScripts, err error) {
	if b.Pulls == nil {
		return all, errors.New("this run asks for no pull requests")
	}
	find := &pullScripts{maxInput: b.Config.MaxInput(), patterns: from.Paths, license: from.License}
	err = b.Pulls(ctx, b.Config.Path(from.PullRequests), func(s *run.Session) error {
		find.licenses = s.Licenses
		shards,
			err := run.Repositories(ctx, s, func(context.Context, *run.Shard[model.ScriptSource]) ([]pipeline.Stage[*run.Item],
			error) {
			return pullScriptStages(s, find), nil
		}, scriptsOf)
		if err != nil {
			return err
		}
		for t := range run.TrailsOf(shards) {
			all.trails = append(all.trails, t)
		}
		for _, sh := range shards {
			all.sources = append(all.sources, sh.Finalists...)
		}
		return nil
	})
	return all, err
}

// changedScriptsStage looks for scripts among the paths that a pull request
// changes.
type changedScriptsStage struct{ find *pullScripts }

func (changedScriptsStage) Name() string { return verdict.StageFiles }

func (st changedScriptsStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	if len(st.find.changed(it.Candidate.Pull)) == 0 {
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

// scriptsOf are the scripts that were found in a pull request.
func scriptsOf(p run.Passed) []model.ScriptSource {
	s, _ := p.Own.([]model.ScriptSource)
	return s
}

// headsStage reads the scripts as the pull request leaves them.
type headsStage struct{ find *pullScripts }

func (headsStage) Name() string { return verdict.StageHeads }

func (st headsStage) Run(ctx context.Context, it *run.Item) (verdict.Verdict, error) {
	pull := it.Candidate.Pull
	files, err := it.Repo.FilesAt(ctx, pull.HeadOid)
	if err != nil {
		return verdict.Verdict{}, err
	}
	changed := st.find.changed(pull)
	found, err := commitScripts(ctx, files, changed, st.find.licenses, model.ScriptSource{
		Repo: it.Ref.Repo.String(), Commit: pull.HeadOid, License: st.find.license, PRNumber: &it.Ref.Number,
		Title: pull.Title,
	}, st.find.maxInput)
	if err != nil {
		if errors.Is(err, gitsource.ErrAbsent) {
			return verdict.Reject(verdict.FileUnreadable, "its head is not available any more"), nil
		}
		return verdict.Verdict{}, err
	}
	if len(found) == 0 {
		return verdict.Reject(verdict.NoFittingFile, "what it changes are modules of packages, or too large"), nil
	}
	it.Own = found
	return verdict.Pass(), nil
}
