package load

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/digest"
)

// FileFault describes the fault of one file, checked against the manifest.
type FileFault struct {
	Path string
	Kind string // one of those below
}

// The faults of a file.
const (
	FileMissing   = "missing"
	FileExtra     = "extra"
	FileChanged   = "changed"
	FileIrregular = "not a regular file"
	FolderEmpty   = "empty folder"
	SchemaDiffers = "not the schema of this version"
)

// foreign are the names that version control, hubs and desktops use in a folder. No path of a dataset begins with a
// dot.
var foreign = map[string]bool{".git": true, ".gitattributes": true, ".gitignore": true, ".cache": true,
	".DS_Store": true}

// What a release with a run's results has beside the files of the dataset.
const (
	HubBoard   = "eval.yaml"
	HubResults = "eval_results"
)

// String is "PATH: KIND".
func (f FileFault) String() string { return f.Path + ": " + f.Kind }

// CheckFiles checks every file of a dataset against its manifest, by path. The folder itself may be a symbolic link;
// nothing in it may, except the files of a snapshot in a hub's cache (see OpenFile). aside are the paths of other
// tools' files, such as .git: they are not part of the dataset and do not damage it.
func CheckFiles(dir string, m *artifacts.Manifest) (faults []FileFault, aside []string, err error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("check files of %s: %w", dir, err)
	}
	found := map[string]bool{}
	err = filepath.WalkDir(root, func(full string, e fs.DirEntry, err error) error {
		if err != nil || full == root {
			return err
		}
		rel, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		path := filepath.ToSlash(rel)
		if _, listed := m.Files[path]; !listed && (foreign[e.Name()] || path == HubBoard || path == HubResults) {
			aside = append(aside, path)
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		kind, err := checkEntry(root, path, e, m)
		if err != nil {
			return err
		}
		found[path] = !e.IsDir()
		if kind != "" {
			faults = append(faults, FileFault{path, kind})
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("check files of %s: %w", dir, err)
	}
	for path := range m.Files {
		if !found[path] {
			faults = append(faults, FileFault{path, FileMissing})
		}
	}
	Schemas, err := checkSchemas(m)
	if err != nil {
		return nil, nil, err
	}
	faults = append(faults, Schemas...)
	slices.SortFunc(faults, func(a, b FileFault) int { return strings.Compare(a.Path, b.Path) })
	return faults, aside, nil
}

// OpenIntact opens a dataset for reading. Its manifest must follow the schema of this version, and every file must
// match the manifest. A card or a license, which hubs edit, may differ. A missing file is an error only when it is
// read.
func OpenIntact(dir string) (*Reader, error) {
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	text, err := ReadBytes(dir, artifacts.FileManifest)
	if err != nil {
		return nil, err
	}
	if v := r.Manifest.SchemaVersion; v != schema.Version {
		return nil, fmt.Errorf("%s/%s: schema_version is %d; this prforge reads version %d", dir, artifacts.FileManifest, v,
			schema.Version)
	}
	if err := schema.Check(schema.Manifest, text); err != nil {
		return nil, fmt.Errorf("%s/%s is damaged: %w", dir, artifacts.FileManifest, err)
	}
	for _, path := range slices.Sorted(maps.Keys(r.Manifest.Files)) {
		if path == artifacts.FileCard || path == artifacts.FileLicense {
			continue
		}
		got, err := infoOf(dir, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("%s: %w", dir, err)
		case got != r.Manifest.Files[path]:
			return nil, fmt.Errorf("%s/%s is damaged: it is not the file that the manifest lists; 'prforge verify %s' says more",
				dir, path, dir)
		}
	}
	return r, nil
}

// checkSchemas compares the digests of the Schemas with those that this prforge knows, if it knows the dataset's
// version.
func checkSchemas(m *artifacts.Manifest) (faults []FileFault, err error) {
	if m.SchemaVersion != schema.Version {
		return nil, nil
	}
	for _, n := range artifacts.Schemas(m.Benchmark, m.HasSnapshots()) {
		text, err := schema.Text(n)
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", n, err)
		}
		if got := m.Files[artifacts.FileSchema(n)]; got.SHA256 != digest.Bytes(text) {
			faults = append(faults, FileFault{artifacts.FileSchema(n), SchemaDiffers})
		}
	}
	return faults, nil
}

// checkEntry names the fault of one file or folder; "" is none.
func checkEntry(root, path string, e fs.DirEntry, m *artifacts.Manifest) (string, error) {
	want, listed := m.Files[path]
	switch {
	case path == artifacts.FileManifest:
		return "", nil
	case e.IsDir():
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(path)))
		if err == nil && len(entries) == 0 {
			return FolderEmpty, nil
		}
		return "", err
	case !listed:
		return FileExtra, nil
	}
	got, err := infoOf(root, path)
	switch {
	case errors.Is(err, errIrregular):
		return FileIrregular, nil
	case err == nil && got != want:
		return FileChanged, nil
	}
	return "", err
}

func infoOf(dir, path string) (artifacts.FileInfo, error) {
	f, err := OpenFile(dir, path)
	if err != nil {
		return artifacts.FileInfo{}, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return artifacts.FileInfo{SHA256: hex.EncodeToString(sum.Sum(nil)), Bytes: n}, err
}
