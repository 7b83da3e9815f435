package runtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
)

// Copy is a copy of one shared dataset, to be damaged. Files are hard links
// until they are written.
type Copy struct {
	T   *testing.T
	Dir string
}

// CopyOf links the files of a dataset into a new folder.
func CopyOf(t *testing.T, dataset string) *Copy {
	t.Helper()
	c := &Copy{t, filepath.Join(t.TempDir(), "dataset")}
	c.Must(filepath.WalkDir(dataset, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dataset, path)
		if err != nil || e.IsDir() {
			return os.MkdirAll(filepath.Join(c.Dir, rel), 0o755)
		}
		return os.Link(path, filepath.Join(c.Dir, rel))
	}))
	return c
}

// Must fails the test on an error.
func (c *Copy) Must(err error) {
	c.T.Helper()
	if err != nil {
		c.T.Fatal(err)
	}
}

// At is where a file of the copy lies.
func (c *Copy) At(path string) string { return filepath.Join(c.Dir, filepath.FromSlash(path)) }

func (c *Copy) Read(path string) string {
	c.T.Helper()
	b, err := os.ReadFile(c.At(path))
	c.Must(err)
	return string(b)
}

// Write replaces the link by a file, so that the shared file stays whole.
func (c *Copy) Write(path, text string) {
	c.T.Helper()
	if err := os.Remove(c.At(path)); err != nil && !os.IsNotExist(err) {
		c.T.Fatal(err)
	}
	c.Must(os.MkdirAll(filepath.Dir(c.At(path)), 0o755))
	c.Must(os.WriteFile(c.At(path), []byte(text), 0o644))
}

// Edit replaces the first occurrence of a text, which must be there.
func (c *Copy) Edit(path, old, new string) {
	c.T.Helper()
	text := c.Read(path)
	if !strings.Contains(text, old) {
		c.T.Fatalf("%s has no %q", path, old)
	}
	c.Write(path, strings.Replace(text, old, new, 1))
}

// Remove removes a file.
func (c *Copy) Remove(path string) {
	c.T.Helper()
	c.Must(os.Remove(c.At(path)))
}

// Swap exchanges the contents of two files.
func (c *Copy) Swap(one, two string) {
	c.T.Helper()
	a, b := c.Read(one), c.Read(two)
	c.Write(one, b)
	c.Write(two, a)
}

// Change rewrites a JSON file in its canonical form.
func Change[T any](c *Copy, path string, damage func(*T)) {
	c.T.Helper()
	v, err := load.ReadJSON[T](c.Dir, path)
	c.Must(err)
	damage(v)
	b, err := artifacts.Canonical(v)
	c.Must(err)
	c.Write(path, string(b))
}

// ChangeLines rewrites a .jsonl file in its canonical form.
func ChangeLines[T any](c *Copy, path string, damage func([]*T) []*T) {
	c.T.Helper()
	var lines []*T
	for v, err := range load.ReadLines[T](c.Dir, path) {
		c.Must(err)
		lines = append(lines, v)
	}
	var text strings.Builder
	for _, v := range damage(lines) {
		b, err := artifacts.CanonicalLine(v)
		c.Must(err)
		text.Write(b)
	}
	c.Write(path, text.String())
}

// Relist updates the manifest and the metadata to the current files, as a forger of a dataset would.
func (c *Copy) Relist() {
	c.T.Helper()
	files := map[string]artifacts.FileInfo{}
	c.Must(filepath.WalkDir(c.Dir, func(full string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || full == filepath.Join(c.Dir, artifacts.FileManifest) {
			return err
		}
		rel, _ := filepath.Rel(c.Dir, full)
		b, err := os.ReadFile(full)
		sum := sha256.Sum256(b)
		files[filepath.ToSlash(rel)] = artifacts.FileInfo{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(b))}
		return err
	}))
	was, err := load.ReadManifest(c.Dir)
	c.Must(err)
	if text, err := os.ReadFile(c.At(artifacts.FileCroissant)); err == nil {
		mended := string(text)
		for path, info := range files {
			if old := was.Files[path]; old.SHA256 != "" && old != info {
				mended = strings.ReplaceAll(mended, old.SHA256, info.SHA256)
			}
		}
		if mended != string(text) {
			c.Write(artifacts.FileCroissant, mended)
			sum := sha256.Sum256([]byte(mended))
			files[artifacts.FileCroissant] = artifacts.FileInfo{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(mended))}
		}
	}
	Change(c, artifacts.FileManifest, func(m *artifacts.Manifest) {
		m.Files = files
		if info, ok := files[artifacts.FileConfig]; ok && was.Files[artifacts.FileConfig] != info {
			m.ConfigSHA256 = info.SHA256
		}
	})
}

// RawLine is one raw record.
type RawLine struct {
	Schema int             `json:"schema"`
	Kind   string          `json:"kind"`
	Key    string          `json:"key"`
	SHA256 string          `json:"sha256"`
	Data   json.RawMessage `json:"data,omitempty"`
	Text   *string         `json:"text,omitempty"`
	Base64 *string         `json:"base64,omitempty"`
}

// Raw changes the raw records of a repository; each keeps a true SHA-256.
func (c *Copy) Raw(repo string, damage func([]RawLine) []RawLine) {
	c.T.Helper()
	path := "raw/" + repo + ".jsonl.zst"
	z, err := zstd.NewReader(strings.NewReader(c.Read(path)))
	c.Must(err)
	defer z.Close()
	text, err := io.ReadAll(z)
	c.Must(err)
	var lines []RawLine
	for line := range strings.Lines(string(text)) {
		var v RawLine
		c.Must(json.Unmarshal([]byte(line), &v))
		lines = append(lines, v)
	}
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	c.Must(err)
	for _, v := range damage(lines) {
		b, err := artifacts.CanonicalLine(v)
		c.Must(err)
		_, err = w.Write(b)
		c.Must(err)
	}
	c.Must(w.Close())
	c.Write(path, out.String())
}

// RawRecord changes the content of the first raw record of a kind whose key has
// a prefix.
func (c *Copy) RawRecord(repo, kind, key string, damage func(data map[string]any)) {
	c.T.Helper()
	c.Raw(repo, func(lines []RawLine) []RawLine {
		for i := range lines {
			l := &lines[i]
			if l.Kind != kind || !strings.HasPrefix(l.Key, key) {
				continue
			}
			var data map[string]any
			c.Must(json.Unmarshal(l.Data, &data))
			damage(data)
			content, err := artifacts.CanonicalLine(data)
			c.Must(err)
			content = bytes.TrimSpace(content)
			sum := sha256.Sum256(content)
			l.Data, l.SHA256 = content, hex.EncodeToString(sum[:])
			return lines
		}
		c.T.Fatalf("no %s %s", kind, key)
		return nil
	})
}

// IntactCopies says that verify finds no fault in honest copies of a dataset.
func IntactCopies(t *testing.T, dataset string, check func(dir string) (*verify.Report, error)) {
	t.Helper()
	copies, err := artifactstest.HonestCopies(dataset, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, dir := range copies {
		report, err := check(dir)
		if err != nil || !report.OK() {
			t.Errorf("%s: %+v, error %v", name, report, err)
		}
	}
}
