package freeze_test

import (
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func frozen(t *testing.T, dir string, tasks []*artifacts.Task) {
	t.Helper()
	if err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(tasks)); err != nil {
		t.Fatal(err)
	}
}

// tree reads every file below dir.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGolden_Freeze(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	frozen(t, dir, artifactstest.Tasks())
	got := tree(t, dir)
	golden := filepath.Join("..", "testdata", "sample")
	if *update {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
		frozen(t, golden, artifactstest.Tasks())
	}
	if diff := cmp.Diff(tree(t, golden), got); diff != "" {
		t.Errorf("frozen bytes changed (-golden +got), run with -update if that is meant:\n%.4000s", diff)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFreezeAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(dir, 0o755); err != nil { // an empty folder may be there
		t.Fatal(err)
	}
	frozen(t, dir, artifactstest.Tasks())
	before := tree(t, dir)
	frozen(t, dir, artifactstest.Tasks())

	other := artifactstest.Tasks()
	other[0].Record.Title += "!"
	err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(other))
	var frozen *freeze.FrozenError
	if !errors.As(err, &frozen) || !strings.Contains(err.Error(), "a different dataset") {
		t.Errorf("a different dataset: %v", err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the frozen dataset changed: %s", diff)
	}
}

func TestFreezeRefuses(t *testing.T) {
	for name, prepare := range map[string]func(dir string) error{
		"other files": func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "thesis.tex"), nil, 0o644))
		},
		"a file": func(dir string) error { return os.WriteFile(dir, nil, 0o644) },
		"a damaged copy": func(dir string) error {
			return errors.Join(freeze.Freeze(t.Context(), dir, artifactstest.Dataset(artifactstest.Tasks())), os.Remove(filepath.Join(dir, "README.md")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			var frozen *freeze.FrozenError
			if err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(artifactstest.Tasks())); !errors.As(err, &frozen) {
				t.Errorf("got %v, want a FrozenError", err)
			}
		})
	}
}

// TestFreezeFails proves that an error at any point leaves nothing.
func TestFreezeFails(t *testing.T) {
	broken := errors.New("broken")
	for name, change := range map[string]func(*freeze.Dataset){
		"tasks":     func(d *freeze.Dataset) { d.Tasks = failing(d.Tasks, broken) },
		"decisions": func(d *freeze.Dataset) { d.Decisions = failing(d.Decisions, broken) },
		"raw":       func(d *freeze.Dataset) { d.Raw = failing(d.Raw, broken) },
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			d := artifactstest.Dataset(artifactstest.Tasks())
			change(&d)
			if err := freeze.Freeze(t.Context(), filepath.Join(parent, "out"), d); !errors.Is(err, broken) {
				t.Errorf("got %v", err)
			}
			if left := tree(t, parent); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	d := artifactstest.Dataset(append(artifactstest.Tasks(), artifactstest.Tasks()[0]))
	if err := freeze.Freeze(t.Context(), filepath.Join(t.TempDir(), "out"), d); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a task that comes twice: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := freeze.Freeze(ctx, filepath.Join(t.TempDir(), "out"), artifactstest.Dataset(artifactstest.Tasks())); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// Raw files that are written at once are the same bytes, and of several that
// cannot be written the first one is told, whichever fails first.
func TestRawFilesAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	d := artifactstest.Dataset(artifactstest.Tasks())
	d.Workers = 3
	if err := freeze.Freeze(t.Context(), dir, d); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree(t, filepath.Join("..", "testdata", "sample")), tree(t, dir)); diff != "" {
		t.Errorf("other bytes than one after another (-one +several):\n%.4000s", diff)
	}
	failed := make(chan struct{})
	first, second := errors.New("first"), errors.New("second")
	d.Raw = freeze.Seq(
		freeze.File{Path: "raw/a", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("a")), nil }},
		freeze.File{Path: "raw/b", Open: func() (io.ReadCloser, error) { <-failed; return nil, first }},
		freeze.File{Path: "raw/c", Open: func() (io.ReadCloser, error) { close(failed); return nil, second }},
	)
	parent := t.TempDir()
	if err := freeze.Freeze(t.Context(), filepath.Join(parent, "out"), d); !errors.Is(err, first) {
		t.Errorf("got %v", err)
	}
	if left := tree(t, parent); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func failing[T any](in iter.Seq2[T, error], err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v, e := range in {
			if !yield(v, e) {
				return
			}
		}
		var none T
		yield(none, err)
	}
}

func TestFreezeRefusesPaths(t *testing.T) {
	for _, id := range []string{"../x__1", "a/b__1", "x__0", "x", ""} {
		tasks := artifactstest.Tasks()[:1]
		tasks[0].Record.TaskID = id
		if err := freeze.Freeze(t.Context(), filepath.Join(t.TempDir(), "out"), artifactstest.Dataset(tasks)); err == nil {
			t.Errorf("task id %q was accepted", id)
		}
	}
	for _, path := range []string{"raw/../x", "prs.jsonl", "raw/", "raw//x", "/raw/x", "raw/.hidden"} {
		d := artifactstest.Dataset(artifactstest.Tasks())
		d.Raw = freeze.Seq(freeze.File{Path: path})
		if err := freeze.Freeze(t.Context(), filepath.Join(t.TempDir(), "out"), d); err == nil {
			t.Errorf("raw path %q was accepted", path)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	want := artifactstest.Tasks()
	frozen(t, dir, want)
	r, err := load.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []*artifacts.Task
	for task, err := range r.Tasks() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, task)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-written +read):\n%s", diff)
	}
}

// TestFilesOfAnotherBenchmark freezes a dataset without tasks: its files are
// its own, the audit is everybody's.
func TestFilesOfAnotherBenchmark(t *testing.T) {
	file := func(path string) freeze.File {
		return freeze.File{Path: path, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(path)), nil }}
	}
	d := artifactstest.Dataset(nil)
	d.Tasks, d.Manifest.Benchmark, d.Manifest.Records = nil, artifacts.Bugs, 2
	d.Files = freeze.Seq(file("bugs/questions.jsonl"), file(artifacts.FileCard))
	dir := filepath.Join(t.TempDir(), "dataset")
	if err := freeze.Freeze(t.Context(), dir, d); err != nil {
		t.Fatal(err)
	}
	m, err := load.ReadManifest(dir)
	if err != nil || m.Benchmark != artifacts.Bugs || m.Records != 2 || m.SchemaVersion != schema.Version {
		t.Errorf("manifest %+v, %v", m, err)
	}
	for path, want := range map[string]bool{"bugs/questions.jsonl": true, artifacts.FileCard: true, artifacts.FileFunnel: true, artifacts.FileRecords: false, artifacts.FileSplit: false} {
		if _, ok := m.Files[path]; ok != want {
			t.Errorf("%s: %t, want %t", path, ok, want)
		}
	}
	for _, path := range []string{"../outside", "/etc/passwd", "a//b", ""} {
		d.Files = freeze.Seq(file(path))
		if err := freeze.Freeze(t.Context(), filepath.Join(t.TempDir(), "dataset"), d); err == nil {
			t.Errorf("%q was written", path)
		}
	}
}

// TestFreeze_InsideDataset proves that a folder inside a frozen dataset
// is refused, also through a symbolic link, and one beside it is not.
func TestFreeze_InsideDataset(t *testing.T) {
	top := t.TempDir()
	dir, link := filepath.Join(top, "ds"), filepath.Join(top, "link")
	frozen(t, dir, artifactstest.Tasks())
	if err := os.Symlink(filepath.Join(dir, "raw"), link); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{filepath.Join(dir, "sub"), filepath.Join(dir, "a", "b"), filepath.Join(link, "sub")} {
		var frozen *freeze.FrozenError
		if err := freeze.CheckTarget(target); !errors.As(err, &frozen) || !strings.Contains(err.Error(), "is inside it") {
			t.Errorf("%s: %v", target, err)
		}
	}
	if err := freeze.CheckTarget(filepath.Join(top, "ds2")); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(top, "manifest.json"), []byte(`{"name": "a web page"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := freeze.CheckTarget(filepath.Join(top, "ds3")); err != nil {
		t.Errorf("another program's manifest.json: %v", err)
	}
}

// TestFreezeHasTheFolderForItself refuses a folder that another process freezes
// into, clears what a killed one left, and refuses a link to nothing at once.
func TestFreezeHasTheFolderForItself(t *testing.T) {
	top := t.TempDir()
	dir, tmp := filepath.Join(top, "ds"), filepath.Join(top, ".ds.freezing")
	if err := os.MkdirAll(filepath.Join(tmp, "raw"), 0o755); err != nil {
		t.Fatal(err)
	}
	other, err := os.Open(tmp)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(other.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(artifactstest.Tasks())); err == nil || !strings.Contains(err.Error(), "another build is writing it") {
		t.Errorf("beside another process: %v", err)
	}
	if err := other.Close(); err != nil { // as when it is killed
		t.Fatal(err)
	}
	frozen(t, dir, artifactstest.Tasks())
	if _, err := os.Stat(tmp); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left behind: %v", err)
	}
	link := filepath.Join(top, "link")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Fatal(err)
	}
	var frozen *freeze.FrozenError
	if err := freeze.CheckTarget(link); !errors.As(err, &frozen) || !strings.Contains(err.Error(), "a symbolic link to nothing") {
		t.Error(err)
	}
}
