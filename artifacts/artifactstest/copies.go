package artifactstest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// HonestCopies copies a dataset below dir in the usual ways: moved, behind a symbolic link, cloned by git, and in the
// cache of the Hugging Face hub. It returns the folders by kind of copy.
func HonestCopies(dataset, dir string) (map[string]string, error) {
	moved, clone, link := filepath.Join(dir, "moved"), filepath.Join(dir, "clone"), filepath.Join(dir, "link")
	for _, to := range []string{moved, clone} {
		if err := os.CopyFS(to, os.DirFS(dataset)); err != nil {
			return nil, err
		}
	}
	if err := os.Mkdir(filepath.Join(clone, ".git"), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(clone, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		return nil, err
	}
	if err := os.Symlink(moved, link); err != nil {
		return nil, err
	}
	snapshot, err := HubCache(dataset, dir)
	return map[string]string{"moved": moved, "clone": clone, "link": link, "hub cache": snapshot}, err
}

// HubCache copies a dataset below dir in the layout of the Hugging Face hub's client, with files as links to blobs,
// and returns the folder of the snapshot.
func HubCache(dataset, dir string) (string, error) {
	cache := filepath.Join(dir, "datasets--me--mine")
	snapshot, blobs := filepath.Join(cache, "snapshots", strings.Repeat("1", 40)), filepath.Join(cache, "blobs")
	if err := os.MkdirAll(blobs, 0o755); err != nil {
		return "", err
	}
	return snapshot, filepath.WalkDir(dataset, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dataset, path)
		if err != nil {
			return err
		}
		at := filepath.Join(snapshot, rel)
		if e.IsDir() {
			return os.MkdirAll(at, 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		blob := filepath.Join(blobs, fmt.Sprintf("%x", sha256.Sum256(data)))
		if err := os.WriteFile(blob, data, 0o644); err != nil {
			return err
		}
		target, err := filepath.Rel(filepath.Dir(at), blob)
		if err != nil {
			return err
		}
		return os.Symlink(target, at)
	})
}
