package artifacts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// FileFault says what is wrong with one file, checked against the manifest.
type FileFault struct {
	Path string
	Kind string // one of the four below
}

// What can be wrong with a file.
const (
	FileMissing   = "missing"
	FileExtra     = "extra"
	FileChanged   = "changed"
	FileIrregular = "not a regular file"
)

// String is "PATH: KIND".
func (f FileFault) String() string { return f.Path + ": " + f.Kind }

// CheckFiles checks every file of a dataset against its manifest, by path.
func CheckFiles(dir string, m *Manifest) ([]FileFault, error) {
	var faults []FileFault
	found := map[string]bool{}
	err := filepath.WalkDir(dir, func(full string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, full)
		if err != nil {
			return err
		}
		path := filepath.ToSlash(rel)
		if path == FileManifest {
			return nil
		}
		found[path] = true
		want, listed := m.Files[path]
		switch {
		case !listed:
			faults = append(faults, FileFault{path, FileExtra})
		case !e.Type().IsRegular():
			faults = append(faults, FileFault{path, FileIrregular})
		default:
			got, err := digest(dir, path)
			if err != nil {
				return err
			}
			if got != want {
				faults = append(faults, FileFault{path, FileChanged})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("check files of %s: %w", dir, err)
	}
	for path := range m.Files {
		if !found[path] {
			faults = append(faults, FileFault{path, FileMissing})
		}
	}
	slices.SortFunc(faults, func(a, b FileFault) int { return strings.Compare(a.Path, b.Path) })
	return faults, nil
}

func digest(dir, path string) (FileInfo, error) {
	f, err := OpenFile(dir, path)
	if err != nil {
		return FileInfo{}, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return FileInfo{SHA256: hex.EncodeToString(sum.Sum(nil)), Bytes: n}, err
}
