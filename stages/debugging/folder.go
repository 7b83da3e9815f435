package debugging

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// folderScripts reads the scripts below a folder, in the order of their paths.
func folderScripts(ctx context.Context, dir string, from ScriptSource, maxInput int64) ([]model.ScriptSource, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	tree := folderTree(root.FS())
	if tree.paths, err = filesBelow(root.FS()); err != nil {
		return nil, err
	}
	source := model.ScriptSource{Repo: from.Repository, Commit: from.Commit, License: from.License}
	if from.PRNumber > 0 {
		source.PRNumber = &from.PRNumber
	}
	return tree.scripts(ctx, matching(tree.paths, from.Paths), source, maxInput)
}

// folderTree reads files of a folder; its paths are for the caller to list.
func folderTree(files fs.FS) scriptTree {
	return scriptTree{read: func(_ context.Context, paths []string, limit int64) (map[string][]byte, error) {
		out := map[string][]byte{}
		for _, p := range paths {
			data, ok, err := readSmall(files, p, limit)
			if err != nil {
				return nil, err
			}
			if ok {
				out[p] = data
			}
		}
		return out, nil
	}}
}

// filesBelow lists the files below a folder, sorted. Links and hidden folders are
// left out.
func filesBelow(files fs.FS) (paths []string, err error) {
	err = fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.Type().IsRegular():
			paths = append(paths, p)
		}
		return nil
	})
	slices.Sort(paths)
	return paths, err
}

// readSmall reads a file; ok is false for one over the limit, and for what is no
// file.
func readSmall(files fs.FS, p string, limit int64) (data []byte, ok bool, err error) {
	info, err := fs.Stat(files, p)
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil, false, err
	}
	data, err = fs.ReadFile(files, p)
	return data, err == nil && int64(len(data)) <= limit, err
}
