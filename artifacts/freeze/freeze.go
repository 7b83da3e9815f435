// Package freeze writes a dataset: whole or not at all, the same bytes for the same
// values.
package freeze

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
)

// FrozenError says that a folder already holds something else. A frozen dataset is immutable (spec section 10):
// freeze into another folder, or remove this one yourself.
type FrozenError struct {
	Dir     string
	Because string // what is there
}

// Error names the folder and the remedy.
func (e *FrozenError) Error() string {
	return fmt.Sprintf("%s holds %s; a frozen dataset is never overwritten: choose another folder", e.Dir, e.Because)
}

// CheckTarget returns a *FrozenError early if Freeze could never succeed: dir is a file, a folder with something in
// it that is not a dataset, or inside a frozen dataset. It accepts a dataset, which may turn out to be the same one.
func CheckTarget(dir string) error {
	if err := outsideDatasets(dir); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(dir); err == nil {
			return &FrozenError{Dir: dir, Because: "a symbolic link to nothing"}
		}
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &FrozenError{Dir: dir, Because: "a file"}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, artifacts.FileManifest)); err != nil {
		return &FrozenError{Dir: dir, Because: "files that are no dataset (no " + artifacts.FileManifest + ")"}
	}
	return nil
}

// outsideDatasets returns a *FrozenError if a folder above dir is a dataset, which another folder in it would break.
func outsideDatasets(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for _, start := range []string{abs, nearestReal(abs)} {
		for up := filepath.Dir(start); ; up = filepath.Dir(up) {
			if m, err := load.ReadManifest(up); err == nil && m.PipelineVersion != "" && len(m.Files) > 0 {
				return &FrozenError{Dir: up, Because: "a frozen dataset, and " + dir + " is inside it"}
			}
			if up == filepath.Dir(up) {
				break
			}
		}
	}
	return nil
}

// nearestReal follows the symbolic links of an absolute path as far as it
// exists.
func nearestReal(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(nearestReal(up), filepath.Base(path))
	}
	return path
}

// Freeze writes the dataset to dir, whole or not at all: everything goes to the sibling folder ".NAME.freezing", is
// synced, and is then renamed. Records are streamed, so memory does not grow with their number. If dir already holds
// the same dataset, byte for byte, nothing changes; if it holds anything else the error is a *FrozenError. A second
// freeze of the same folder at the same time fails. Freeze removes the leftovers of a killed one.
func Freeze(ctx context.Context, dir string, d Dataset) error {
	if err := CheckTarget(dir); err != nil {
		return err
	}
	target, err := resolve(dir)
	if err != nil {
		return fmt.Errorf("freeze %s: %w", dir, err)
	}
	tmp := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".freezing")
	w, err := newFolder(tmp)
	if err != nil {
		return fmt.Errorf("freeze %s: %w", dir, err)
	}
	unlock, err := lockFolder(tmp)
	if err != nil {
		return fmt.Errorf("freeze %s: another build is writing it: %w", dir, err)
	}
	defer func() { _ = unlock() }() // the process releases the lock in any case
	if err := empty(tmp); err != nil {
		return fmt.Errorf("freeze %s: %w", dir, err)
	}
	defer os.RemoveAll(tmp) // nothing is left to remove after the rename
	if err := d.write(ctx, w); err != nil {
		return fmt.Errorf("freeze %s: %w", dir, err)
	}
	if err := settle(tmp, target, dir); err != nil {
		if frozen := (*FrozenError)(nil); errors.As(err, &frozen) {
			return err
		}
		return fmt.Errorf("freeze %s: %w", dir, err)
	}
	return nil
}

// empty removes everything in a folder.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// resolve makes dir absolute and follows a symbolic link to the folder itself,
// which a rename would otherwise replace.
func resolve(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	return abs, os.MkdirAll(filepath.Dir(abs), 0o755)
}

// settle renames a finished folder to its target, or accepts the same dataset if it is already there.
func settle(tmp, target, name string) error {
	entries, err := os.ReadDir(target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return same(tmp, target, name)
	}
	if err == nil {
		if err := os.Remove(target); err != nil { // empty; not every system renames over a folder
			return err
		}
	}
	if err := os.Rename(tmp, target); err != nil {
		return err
	}
	return syncPath(filepath.Dir(target))
}

// same returns nil if target holds the files of tmp and no others.
func same(tmp, target, name string) error {
	fresh, err := os.ReadFile(filepath.Join(tmp, artifacts.FileManifest))
	if err != nil {
		return err
	}
	there, err := os.ReadFile(filepath.Join(target, artifacts.FileManifest))
	if err != nil {
		return err
	}
	if !bytes.Equal(fresh, there) {
		return &FrozenError{Dir: name, Because: "a different dataset"}
	}
	m, err := load.ReadManifest(target)
	if err != nil {
		return err
	}
	faults, _, err := load.CheckFiles(target, m)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return &FrozenError{Dir: name, Because: "a damaged copy of this dataset (" + faults[0].String() + ")"}
	}
	return nil
}
