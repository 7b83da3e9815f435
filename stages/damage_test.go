package stages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/stages/run"
)

// copied is a copy of one shared dataset, to be damaged. Files are hard links
// until they are written.
type copied struct {
	t   *testing.T
	dir string
}

// copyOf links the files of a dataset into a new folder.
func copyOf(t *testing.T, dataset string) *copied {
	t.Helper()
	c := &copied{t, filepath.Join(t.TempDir(), "dataset")}
	c.must(filepath.WalkDir(dataset, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dataset, path)
		if err != nil || e.IsDir() {
			return os.MkdirAll(filepath.Join(c.dir, rel), 0o755)
		}
		return os.Link(path, filepath.Join(c.dir, rel))
	}))
	return c
}

func (c *copied) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *copied) at(path string) string { return filepath.Join(c.dir, filepath.FromSlash(path)) }

func (c *copied) read(path string) string {
	c.t.Helper()
	b, err := os.ReadFile(c.at(path))
	c.must(err)
	return string(b)
}

// write puts a file in place of the link, so that the shared one stays whole.
func (c *copied) write(path, text string) {
	c.t.Helper()
	if err := os.Remove(c.at(path)); err != nil && !os.IsNotExist(err) {
		c.t.Fatal(err)
	}
	c.must(os.MkdirAll(filepath.Dir(c.at(path)), 0o755))
	c.must(os.WriteFile(c.at(path), []byte(text), 0o644))
}

func (c *copied) edit(path, old, new string) {
	c.t.Helper()
	text := c.read(path)
	if !strings.Contains(text, old) {
		c.t.Fatalf("%s has no %q", path, old)
	}
	c.write(path, strings.Replace(text, old, new, 1))
}

func (c *copied) remove(path string) {
	c.t.Helper()
	c.must(os.Remove(c.at(path)))
}

func (c *copied) swap(one, two string) {
	c.t.Helper()
	a, b := c.read(one), c.read(two)
	c.write(one, b)
	c.write(two, a)
}

// change rewrites a JSON file in its canonical form.
func change[T any](c *copied, path string, damage func(*T)) {
	c.t.Helper()
	v, err := artifacts.ReadJSON[T](c.dir, path)
	c.must(err)
	damage(v)
	b, err := artifacts.Canonical(v)
	c.must(err)
	c.write(path, string(b))
}

// changeLines rewrites a .jsonl file in its canonical form.
func changeLines[T any](c *copied, path string, damage func([]*T) []*T) {
	c.t.Helper()
	var lines []*T
	for v, err := range artifacts.ReadLines[T](c.dir, path) {
		c.must(err)
		lines = append(lines, v)
	}
	var text strings.Builder
	for _, v := range damage(lines) {
		b, err := artifacts.CanonicalLine(v)
		c.must(err)
		text.Write(b)
	}
	c.write(path, text.String())
}

// relist has the manifest and the metadata say of every file what it is now, as
// whoever tampers with a dataset would.
func (c *copied) relist() {
	c.t.Helper()
	files := map[string]artifacts.FileInfo{}
	c.must(filepath.WalkDir(c.dir, func(full string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || full == filepath.Join(c.dir, artifacts.FileManifest) {
			return err
		}
		rel, _ := filepath.Rel(c.dir, full)
		b, err := os.ReadFile(full)
		sum := sha256.Sum256(b)
		files[filepath.ToSlash(rel)] = artifacts.FileInfo{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(b))}
		return err
	}))
	was, err := artifacts.ReadManifest(c.dir)
	c.must(err)
	if text, err := os.ReadFile(c.at(artifacts.FileCroissant)); err == nil {
		mended := string(text)
		for path, info := range files {
			if old := was.Files[path]; old.SHA256 != "" && old != info {
				mended = strings.ReplaceAll(mended, old.SHA256, info.SHA256)
			}
		}
		if mended != string(text) {
			c.write(artifacts.FileCroissant, mended)
			sum := sha256.Sum256([]byte(mended))
			files[artifacts.FileCroissant] = artifacts.FileInfo{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(mended))}
		}
	}
	change(c, artifacts.FileManifest, func(m *artifacts.Manifest) {
		m.Files = files
		if info, ok := files[artifacts.FileConfig]; ok && was.Files[artifacts.FileConfig] != info {
			m.ConfigSHA256 = info.SHA256
		}
	})
}

// rawLine is one raw record.
type rawLine struct {
	Schema int             `json:"schema"`
	Kind   string          `json:"kind"`
	Key    string          `json:"key"`
	SHA256 string          `json:"sha256"`
	Data   json.RawMessage `json:"data,omitempty"`
	Text   *string         `json:"text,omitempty"`
	Base64 *string         `json:"base64,omitempty"`
}

// raw changes the raw records of a repository; each keeps a true SHA-256.
func (c *copied) raw(repo string, damage func([]rawLine) []rawLine) {
	c.t.Helper()
	path := "raw/" + repo + ".jsonl.zst"
	z, err := zstd.NewReader(strings.NewReader(c.read(path)))
	c.must(err)
	defer z.Close()
	text, err := io.ReadAll(z)
	c.must(err)
	var lines []rawLine
	for line := range strings.Lines(string(text)) {
		var v rawLine
		c.must(json.Unmarshal([]byte(line), &v))
		lines = append(lines, v)
	}
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	c.must(err)
	for _, v := range damage(lines) {
		b, err := artifacts.CanonicalLine(v)
		c.must(err)
		_, err = w.Write(b)
		c.must(err)
	}
	c.must(w.Close())
	c.write(path, out.String())
}

// rawRecord changes the content of the first raw record of a kind whose key has
// a prefix.
func (c *copied) rawRecord(repo, kind, key string, damage func(data map[string]any)) {
	c.t.Helper()
	c.raw(repo, func(lines []rawLine) []rawLine {
		for i := range lines {
			l := &lines[i]
			if l.Kind != kind || !strings.HasPrefix(l.Key, key) {
				continue
			}
			var data map[string]any
			c.must(json.Unmarshal(l.Data, &data))
			damage(data)
			content, err := artifacts.CanonicalLine(data)
			c.must(err)
			content = bytes.TrimSpace(content)
			sum := sha256.Sum256(content)
			l.Data, l.SHA256 = content, hex.EncodeToString(sum[:])
			return lines
		}
		c.t.Fatalf("no %s %s", kind, key)
		return nil
	})
}

// whole is a dataset in memory, to be frozen again with a lie in it: manifest,
// tables, card and metadata then all agree with the lie.
type whole struct {
	artifacts.Dataset
	tasks  []*artifacts.Task
	lines  []artifacts.Rejection
	tokens func(string) int
}

// task is the task of that id.
func (w *whole) task(id string) *artifacts.Task {
	for _, t := range w.tasks {
		if t.Record.TaskID == id {
			return t
		}
	}
	panic("no task " + id)
}

// line is the decision about a pull request.
func (w *whole) line(number int) *artifacts.Rejection {
	for i := range w.lines {
		if n := w.lines[i].PRNumber; n != nil && *n == number {
			return &w.lines[i]
		}
	}
	panic(fmt.Sprint("no decision about ", number))
}

// refreeze freezes the dataset again after a damage.
func (c *copied) refreeze(cfg *config.Config, o verify.Options, damage func(*whole)) {
	c.t.Helper()
	r, err := artifacts.Open(c.dir)
	c.must(err)
	w := &whole{tokens: o.Tokens, Dataset: artifacts.Dataset{Manifest: r.Manifest, Card: run.CardOf(cfg.Dataset), Config: []byte(c.read(artifacts.FileConfig))}}
	for t, err := range r.Tasks() {
		c.must(err)
		w.tasks = append(w.tasks, t)
	}
	rejected := map[string]*artifacts.Rejection{}
	for x, err := range r.Rejections() {
		c.must(err)
		rejected[lineName(x.Decision)] = x
	}
	for x, err := range r.Decisions() {
		c.must(err)
		line := artifacts.Rejection{Decision: *x}
		if full := rejected[lineName(*x)]; full != nil {
			line = *full
		}
		w.lines = append(w.lines, line)
	}
	for x, err := range r.Repositories() {
		c.must(err)
		w.Repositories = append(w.Repositories, *x)
	}
	split, err := artifacts.ReadJSON[modelSplit](c.dir, artifacts.FileSplit)
	c.must(err)
	funnel, err := r.Funnel()
	c.must(err)
	w.Split, w.Funnel = *split, *funnel
	damage(w)
	w.Tasks, w.Decisions = artifacts.Seq(w.tasks...), artifacts.Seq(w.lines...)
	for _, path := range slices.Sorted(maps.Keys(r.Manifest.Files)) {
		if strings.HasPrefix(path, artifacts.DirRaw) {
			w.rawPaths(c.dir, path)
		}
	}
	again := c.dir + "-again"
	c.must(artifacts.Freeze(c.t.Context(), again, w.Dataset))
	c.dir = again
}

func lineName(d artifacts.Decision) string {
	if d.PRNumber == nil {
		return d.Repo
	}
	return fmt.Sprintf("%s#%d", d.Repo, *d.PRNumber)
}

// rawPaths adds a raw file of a folder.
func (w *whole) rawPaths(dir, path string) {
	before, file := w.Raw, artifacts.File{Path: path, Open: func() (io.ReadCloser, error) { return artifacts.OpenFile(dir, path) }}
	w.Raw = func(yield func(artifacts.File, error) bool) {
		if before != nil {
			for f, err := range before {
				if !yield(f, err) {
					return
				}
			}
		}
		yield(file, nil)
	}
}

// refused is what a folder is that verify does not read at all.
const refused verify.Kind = "refused"

// found verifies a copy and gives the kinds of faults that were found. With
// contexts these are built again, too.
func (c *copied) found(o verify.Options, contexts bool) (kinds []verify.Kind, text string) {
	c.t.Helper()
	r, err := verify.Dataset(c.t.Context(), c.dir, o)
	if err != nil {
		return []verify.Kind{refused}, err.Error()
	}
	env := run.Env{Workers: 2, Shards: 2, Log: quietLog, Progress: run.Silent{}, Getenv: func(string) string { return "" }}
	c.must(Recheck(c.t.Context(), env, c.dir, contexts, r))
	b, err := artifacts.Canonical(r.Faults)
	c.must(err)
	for _, f := range r.Faults {
		kinds = append(kinds, f.Kind)
	}
	return kinds, string(b)
}

// smallDemo builds the demo sample without its slow half: five records of one
// repository, one that misses the gate and one that is private.
func smallDemo(t *testing.T) *testRun {
	t.Helper()
	b := fromCollected(t)
	b.Config.Repositories = config.Repositories{"quayside/tidelog", "solodev/scratchpad", "northgate/driftwood"}
	runBuild(t, b)
	return b
}

// TestDamages damages copies of one dataset and has verify find each damage,
// although manifest and metadata were fixed to fit. What is damaged in memory
// was frozen again, so that tables, card and counts fit the lie, too.
func TestDamages(t *testing.T) {
	b := smallDemo(t)
	o, err := verifyOptions()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("honest copies", func(t *testing.T) {
		if err := artifactstest.FollowsSchemas(b.Out); err != nil {
			t.Error(err)
		}
		honest := copyOf(t, b.Out)
		honest.relist()
		again := copyOf(t, b.Out)
		again.refreeze(b.Config, o, func(*whole) {})
		for _, c := range []*copied{honest, again} {
			if kinds, text := c.found(o, true); len(kinds) > 0 {
				t.Errorf("%s", text)
			}
		}
	})
	seen := map[string]bool{}
	try := func(name string, want verify.Kind, contexts bool, damage func(*copied)) {
		if seen[name] {
			t.Errorf("%q comes twice", name)
		}
		seen[name] = true
		if testing.Short() && len(seen)%4 != 0 { // each verifies a whole dataset
			return
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := copyOf(t, b.Out)
			damage(c)
			if kinds, text := c.found(o, contexts); !slices.Contains(kinds, want) {
				t.Errorf("found %v, want %s\n%s", kinds, want, text)
			}
		})
	}
	for _, d := range fileDamages {
		try(d.name, d.want, false, func(c *copied) {
			d.damage(c)
			if !d.unlisted {
				c.relist()
			}
		})
	}
	for _, d := range refrozenDamages {
		try(d.name, d.want, d.contexts, func(c *copied) { c.refreeze(b.Config, o, d.damage) })
	}
	for _, d := range manifestDamages {
		try("manifest: another "+d.name, d.want, false, func(c *copied) { change(c, artifacts.FileManifest, d.damage) })
	}
	if len(seen) < 120 {
		t.Errorf("%d damages", len(seen))
	}
}
