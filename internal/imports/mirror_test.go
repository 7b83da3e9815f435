package imports_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// mirrors are the bare repositories NAME/repo in the folder of PRFORGE_MIRRORS, or
// else those of the demo.
func mirrors(t testing.TB) []string {
	t.Helper()
	dir := os.Getenv("PRFORGE_MIRRORS")
	if dir == "" {
		w, err := demo.World()
		dir = t.TempDir()
		if err := errors.Join(err, w.Export(dir)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "repo"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no repositories under %s: %v", dir, err)
	}
	return found
}

// mirror reads the tree of a bare repository's HEAD.
func mirror(t testing.TB, dir string) *snapshot {
	t.Helper()
	list, err := exec.Command("git", "-C", dir, "ls-tree", "-r", "-z", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	s := &snapshot{data: map[string][]byte{}}
	var ids bytes.Buffer
	for _, line := range strings.Split(strings.TrimRight(string(list), "\x00"), "\x00") {
		meta, path, _ := strings.Cut(line, "\t")
		fields := strings.Fields(meta)
		if fields[1] != "blob" {
			continue
		}
		mode, err := strconv.ParseUint(fields[0], 8, 32)
		if err != nil {
			t.Fatal(err)
		}
		s.entries = append(s.entries, model.TreeEntry{Path: path, Mode: uint32(mode), Oid: fields[2], Size: -1})
		fmt.Fprintln(&ids, fields[2])
	}
	cmd := exec.Command("git", "-C", dir, "cat-file", "--batch", "--buffer")
	cmd.Stdin = &ids
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(bytes.NewReader(out))
	for _, e := range s.entries {
		head, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		fields := strings.Fields(head)
		if len(fields) != 3 { // missing from a partial mirror
			continue
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		src := make([]byte, size+1)
		if _, err := io.ReadFull(r, src); err != nil {
			t.Fatal(err)
		}
		s.data[e.Path] = src[:size]
	}
	return s
}

// TestMirrors: on real repositories too, ImportedBy is the transpose of Imports,
// and every fragment of a sample of files parses.
func TestMirrors(t *testing.T) {
	for _, dir := range mirrors(t) {
		t.Run(filepath.Base(filepath.Dir(dir)), func(t *testing.T) {
			snap := mirror(t, dir)
			cache := imports.NewCache(1 << 30)
			start := time.Now()
			g := imports.Build(t.Context(), snap, cache, imports.DefaultOptions(languages.All()))
			edges := 0
			for _, p := range sources(snap) {
				edges += len(g.Imports(p))
			}
			cold := time.Since(start)
			start = time.Now()
			g = imports.Build(t.Context(), snap, cache, imports.DefaultOptions(languages.All()))
			for _, p := range sources(snap) {
				g.Imports(p)
			}
			t.Logf("%d sources, %d edges, every file: cold %v, warm %v, heap %d MB", len(sources(snap)), edges, cold, time.Since(start), heap())
			sample := every(snap, 10)
			checkSample(t, g, snap, sample)
			checkFragments(t, g, snap, sample)
			for _, p := range g.Problems() {
				t.Logf("problem %s: %s", p.Path, p.Reason)
			}
		})
	}
}

// every lists each n-th source.
func every(snap *snapshot, n int) map[string]bool {
	out := map[string]bool{}
	for i, p := range sources(snap) {
		if i%n == 0 {
			out[p] = true
		}
	}
	return out
}

func checkSample(t *testing.T, g *imports.Graph, snap *snapshot, sample map[string]bool) {
	t.Helper()
	want := map[string][]imports.Edge{}
	for _, p := range sources(snap) {
		for _, e := range g.Imports(p) {
			if sample[e.To] {
				want[e.To] = append(want[e.To], e)
			}
		}
	}
	for p := range sample {
		if diff := cmp.Diff(want[p], slices.Collect(g.ImportedBy(p, nil))); diff != "" {
			t.Errorf("importers of %s: -by Imports +by ImportedBy:\n%s", p, diff)
		}
	}
}

func checkFragments(t *testing.T, g *imports.Graph, snap *snapshot, sample map[string]bool) {
	t.Helper()
	fragments, failed := 0, 0
	for p := range sample {
		f, _ := g.File(p)
		if f == nil {
			continue
		}
		for i, d := range f.Definitions {
			for form := syntax.Stub; form <= syntax.Documented; form++ {
				fragments++
				if text := f.Compose(snap.data[p], syntax.Pick{Def: i, Form: form}); f.Errors == 0 && !syntax.Parses(f.Language, text) {
					failed++
					t.Logf("%s: %s in form %d does not parse", p, d.Qualified, form)
				}
			}
		}
	}
	if failed*1_000 > fragments {
		t.Errorf("%d of %d fragments do not parse", failed, fragments)
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc >> 20
}

// BenchmarkImporters asks for the importers of 20 files, cold and with the facts
// of an earlier snapshot in the cache.
func BenchmarkImporters(b *testing.B) {
	for _, dir := range mirrors(b) {
		snap := mirror(b, dir)
		list := sources(snap)
		ask := func(cache *imports.Cache) {
			g := imports.Build(b.Context(), snap, cache, imports.DefaultOptions(languages.All()))
			for i := range 20 {
				for range g.ImportedBy(list[i*len(list)/20], nil) {
				}
			}
		}
		name := filepath.Base(filepath.Dir(dir))
		b.Run(name+"/cold", func(b *testing.B) {
			for b.Loop() {
				ask(imports.NewCache(1 << 30))
			}
		})
		b.Run(name+"/warm", func(b *testing.B) {
			cache := imports.NewCache(1 << 30)
			ask(cache)
			for b.Loop() {
				ask(cache)
			}
		})
	}
}
