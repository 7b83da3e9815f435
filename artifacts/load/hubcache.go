package load

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// errIrregular says that a path is not a regular file.
var errIrregular = errors.New("not a regular file")

// blobName is the name of a file's contents in a hub's cache: its git SHA-1 or its SHA-256.
var blobName = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// openBlob opens the target of a link in a dataset's folder that is a snapshot in the cache of the Hugging Face hub:
//
//	snapshots/REVISION/PATH -> ../../blobs/DIGEST
//
// Any other link, and one to anything but a regular file, is errIrregular.
//
// Source: https://huggingface.co/docs/huggingface_hub/guides/manage-cache
func openBlob(dir, path string) (*os.File, error) {
	irregular := fmt.Errorf("%s: %w", path, errIrregular)
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	link := filepath.Join(dir, filepath.FromSlash(path))
	target, err := os.Readlink(link)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(link), target)
	}
	snapshots := filepath.Dir(dir)
	blobs := filepath.Join(filepath.Dir(snapshots), "blobs")
	name := filepath.Base(target)
	if filepath.Base(snapshots) != "snapshots" || filepath.Dir(target) != blobs || !blobName.MatchString(name) {
		return nil, irregular
	}
	if info, err := os.Lstat(blobs); err != nil || !info.IsDir() {
		return nil, irregular
	}
	root, err := os.OpenRoot(blobs)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil, irregular
	}
	return root.Open(name)
}
