package debugging

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// Records of the scripts beside their runs: the list of a build's ids, a
// model.ScriptSource for each, and what was decided about the pull requests and
// repositories that were searched for scripts.
const (
	scriptListKey   = "scripts"
	scriptKeyPrefix = "script:"
	scriptPullsKey  = "script-pulls"
)

// importRuns reads the runs and scripts of a frozen dataset into the state.
func importRuns(ctx context.Context, answers *store.Shard, dataset string) error {
	f, err := load.OpenFile(dataset, debugging.FileRuns)
	if err != nil {
		return fmt.Errorf("read the runs that %s rests on: %w", dataset, err)
	}
	defer f.Close()
	if err := answers.Import(ctx, f); err != nil {
		return fmt.Errorf("read the raw records of %s: %w", dataset, err)
	}
	return nil
}

// sources are the scripts to build from, in the order of the configuration, or
// those of the records, without what was taken down. They become records
// themselves.
func (b *openBuild) sources(ctx context.Context) (foundScripts, error) {
	all, err := b.found(ctx)
	if err != nil {
		return all, err
	}
	all = b.withoutTakenDown(all)
	return all, keepSources(b.answers, all)
}

// found are the scripts of the configuration, or those of the records.
func (b *openBuild) found(ctx context.Context) (all foundScripts, err error) {
	if b.From != "" {
		return keptSources(b.answers)
	}
	taken := map[string]bool{}
	for _, from := range b.Config.Scripts {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		found, err := b.find(ctx, from)
		if err != nil {
			return all, fmt.Errorf("find scripts: %w", err)
		}
		for _, s := range found.sources {
			s.ID = scriptID(s.Path, taken)
			all.sources = append(all.sources, s)
		}
		all.trails = append(all.trails, found.trails...)
	}
	return all, nil
}

// find finds scripts in one source.
func (b *openBuild) find(ctx context.Context, from ScriptSource) (foundScripts, error) {
	switch {
	case from.PullRequests != "":
		return b.pullScripts(ctx, from)
	case from.Folder != "":
		found, err := folderScripts(ctx, b.Config.Path(from.Folder), from, b.Config.MaxInput())
		return foundScripts{sources: found}, err
	}
	found, err := b.repositoryScripts(ctx, from)
	return foundScripts{sources: found}, err
}

// withoutTakenDown leaves out the scripts and pull requests of the takedown list.
func (b *openBuild) withoutTakenDown(all foundScripts) foundScripts {
	all.sources = slices.DeleteFunc(all.sources, b.takedowns.Script)
	all.trails = slices.DeleteFunc(all.trails, func(t *pipeline.Trail) bool {
		ref, err := model.ParseRepoRef(t.Repo)
		return err == nil &&
			(b.takedowns.Repository(ref) || t.Number > 0 && b.takedowns.Pull(model.PullRef{Repo: ref, Number: t.Number}))
	})
	return all
}

// takedownList is the configured one.
func takedownList(c *Config) (*takedown.List, error) {
	t := c.Takedown
	if t == nil {
		return takedown.New(takedown.Requests{})
	}
	r := takedown.Requests{PullRequests: run.TakedownRequests(t.PullRequests),
		Repositories: run.TakedownRequests(t.Repositories), Scripts: run.TakedownRequests(t.Scripts), Done: t.Tombstones}
	list, err := takedown.New(r)
	if err != nil {
		return nil, &config.Error{File: c.File, Key: "takedown", Message: err.Error()}
	}
	return list, nil
}

// keepSources writes the scripts' records.
func keepSources(answers *store.Shard, all foundScripts) error {
	return answers.Batch(func(batch *store.Batch) error {
		ids := []string{}
		for _, s := range all.sources {
			ids = append(ids, s.ID)
			if err := store.Put(batch, store.Run, scriptKeyPrefix+s.ID, s); err != nil {
				return err
			}
		}
		if err := store.Put(batch, store.Run, scriptListKey, ids); err != nil {
			return err
		}
		if len(all.trails) == 0 {
			return store.Delete(batch, store.Run, scriptPullsKey)
		}
		trails := make([]pipeline.Trail, len(all.trails))
		for i, t := range all.trails {
			trails[i] = *t
			trails[i].Error = "" // never part of a dataset
		}
		return store.Put(batch, store.Run, scriptPullsKey, trails)
	})
}

// keptSources reads them.
func keptSources(answers *store.Shard) (all foundScripts, err error) {
	ids, found, err := store.Get[[]string](answers, store.Run, scriptListKey)
	if err == nil && !found {
		err = errors.New("the dataset's records hold no list of scripts")
	}
	if err != nil {
		return all, err
	}
	all.sources = make([]model.ScriptSource, len(ids))
	for i, id := range ids {
		if all.sources[i], found, err = store.Get[model.ScriptSource](answers, store.Run, scriptKeyPrefix+id); err != nil ||
			!found {
			return all, errors.Join(err, fmt.Errorf("the records have no script %s", id))
		}
	}
	all.trails, _, err = store.Get[[]*pipeline.Trail](answers, store.Run, scriptPullsKey)
	return all, err
}
