package stages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// Records of the scripts beside their runs: the list of a build's ids, and a
// model.ScriptSource for each.
const (
	scriptListKey   = "scripts"
	scriptKeyPrefix = "script:"
)

// Limits of what is read from a folder of scripts, in bytes.
const (
	maxScript = 256 << 10
	maxInput  = 1 << 20
)

// importRuns reads the runs and scripts of a frozen dataset into the state.
func importRuns(answers *store.Shard, dataset string) error {
	f, err := os.Open(filepath.Join(dataset, filepath.FromSlash(debugging.FileRuns)))
	if err != nil {
		return fmt.Errorf("read raw records: %w", err)
	}
	defer f.Close()
	if err := answers.Import(f); err != nil {
		return fmt.Errorf("read the raw records of %s: %w", dataset, err)
	}
	return nil
}

// sources are the scripts to build from, in the order of the configuration, or
// those of the records. They become records themselves.
func (b *debuggingBuild) sources(ctx context.Context) ([]model.ScriptSource, error) {
	if b.From != "" {
		return keptSources(b.answers)
	}
	var all []model.ScriptSource
	taken := map[string]bool{}
	for _, folder := range b.Config.Scripts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir := folder.Folder
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(b.Config.Dir, dir)
		}
		found, err := folderScripts(dir, folder, taken)
		if err != nil {
			return nil, fmt.Errorf("read scripts: %w", err)
		}
		all = append(all, found...)
	}
	return all, keepSources(b.answers, all)
}

// keepSources writes the scripts' records.
func keepSources(answers *store.Shard, all []model.ScriptSource) error {
	return answers.Batch(func(batch *store.Batch) error {
		ids := []string{}
		for _, s := range all {
			ids = append(ids, s.ID)
			if err := store.Put(batch, store.Run, scriptKeyPrefix+s.ID, s); err != nil {
				return err
			}
		}
		return store.Put(batch, store.Run, scriptListKey, ids)
	})
}

// keptSources reads them.
func keptSources(answers *store.Shard) ([]model.ScriptSource, error) {
	ids, found, err := store.Get[[]string](answers, store.Run, scriptListKey)
	if err == nil && !found {
		err = errors.New("the dataset's records hold no list of scripts")
	}
	if err != nil {
		return nil, err
	}
	all := make([]model.ScriptSource, len(ids))
	for i, id := range ids {
		if all[i], found, err = store.Get[model.ScriptSource](answers, store.Run, scriptKeyPrefix+id); err != nil || !found {
			return nil, errors.Join(err, fmt.Errorf("the records have no script %s", id))
		}
	}
	return all, nil
}

// folderScripts reads every Python file below a folder, in the order of their
// paths. Links and what is too large to be a script are left out.
func folderScripts(dir string, from config.ScriptFolder, taken map[string]bool) ([]model.ScriptSource, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var paths []string
	err = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(p, ".py"):
			paths = append(paths, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	var out []model.ScriptSource
	for _, p := range paths {
		code, ok, err := readSmall(root.FS(), p, maxScript)
		if err != nil || !ok {
			if err != nil {
				return nil, err
			}
			continue
		}
		s := model.ScriptSource{ID: scriptID(p, taken), Repo: from.Repository, Commit: from.Commit, Path: p, License: from.License, Code: code}
		if from.PRNumber > 0 {
			s.PRNumber = &from.PRNumber
		}
		if s.Inputs, err = scriptInputs(root.FS(), p, code); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// readSmall reads a file; ok is false for one over the limit.
func readSmall(files fs.FS, p string, limit int64) (data []byte, ok bool, err error) {
	info, err := fs.Stat(files, p)
	if err != nil || info.Size() > limit {
		return nil, false, err
	}
	data, err = fs.ReadFile(files, p)
	return data, err == nil && int64(len(data)) <= limit, err
}

// scriptInputs are the files beside a script, or in a folder beside it, whose
// path the script's text has.
func scriptInputs(files fs.FS, script string, code []byte) ([]model.ScriptFile, error) {
	out := []model.ScriptFile{}
	dir := path.Dir(script)
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		switch {
		case e.Type().IsRegular():
			names = append(names, e.Name())
		case e.IsDir() && bytes.Contains(code, []byte(e.Name()+"/")):
			inner, err := fs.ReadDir(files, path.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			for _, f := range inner {
				if f.Type().IsRegular() {
					names = append(names, e.Name()+"/"+f.Name())
				}
			}
		}
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".py") || !plainPath.MatchString(name) || !bytes.Contains(code, []byte(name)) {
			continue
		}
		data, ok, err := readSmall(files, path.Join(dir, name), maxInput)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, model.ScriptFile{Path: name, Content: data})
		}
	}
	return out, nil
}

var (
	plainPath = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?$`)
	odd       = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)
)

// scriptID is a name made of a path that no other script has.
func scriptID(p string, taken map[string]bool) string {
	name := odd.ReplaceAllString(strings.ReplaceAll(strings.TrimSuffix(p, ".py"), "/", "."), "-")
	name = strings.TrimLeft(name, ".-")
	if len(name) > 100 {
		name = name[len(name)-100:]
	}
	id := "s-" + name
	if name != "" && name[0] != '-' && name[0] != '.' {
		id = name
	}
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	taken[id] = true
	return id
}
