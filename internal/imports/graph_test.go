package imports_test

import (
	"crypto/sha1"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// snapshot is a tree in memory.
type snapshot struct {
	entries []model.TreeEntry
	data    map[string][]byte
}

func (s *snapshot) Commit() string             { return strings.Repeat("0", 40) }
func (s *snapshot) Entries() []model.TreeEntry { return s.entries }
func (s *snapshot) Read(path string) ([]byte, error) {
	src, ok := s.data[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return src, nil
}

func (s *snapshot) add(path string, mode uint32, src []byte) {
	sum := sha1.Sum(src)
	s.entries = append(s.entries, model.TreeEntry{Path: path, Mode: mode, Oid: hex.EncodeToString(sum[:]), Size: int64(len(src))})
	s.data[path] = src
}

// golden is the name of the file of an archive that holds what is expected.
const golden = "want"

func load(t testing.TB, archive *txtar.Archive) *snapshot {
	t.Helper()
	s := &snapshot{data: map[string][]byte{}}
	for _, f := range archive.Files {
		if f.Name != golden {
			s.add(f.Name, 0o100644, f.Data)
		}
	}
	return s
}

// TestGolden writes down all that is known of each archive's repository and
// compares it with the archive's last file.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("../languages/*/testdata/imports.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(name))), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			snap := load(t, archive)
			g := imports.Build(t.Context(), snap, imports.NewCache(1<<20), imports.DefaultOptions(languages.All()))
			got := describe(g, snap)
			checkTransposed(t, g, snap)
			var files []txtar.File
			want := ""
			for _, f := range archive.Files {
				if f.Name == golden {
					want = string(f.Data)
					continue
				}
				files = append(files, f)
			}
			if *update {
				archive.Files = append(files, txtar.File{Name: golden, Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got, -update to accept:\n%s", diff)
			}
		})
	}
}

// describe writes down edges, callers and callees, one a line.
func describe(g *imports.Graph, snap *snapshot) string {
	var b strings.Builder
	for _, p := range sources(snap) {
		for _, e := range g.Imports(p) {
			fmt.Fprintf(&b, "%s:%d -> %s %s %v\n", e.From, e.Line, e.To, e.Why, e.Names)
		}
		f, _ := g.File(p)
		for _, d := range f.Definitions {
			for _, c := range g.CallersOf(p, d.Qualified) {
				caller := "-"
				if c.Caller != nil {
					caller = c.Caller.Definition.Qualified
				}
				fmt.Fprintf(&b, "%s %s called at %s:%d in %s\n", p, d.Qualified, c.Path, c.Call.Line, caller)
			}
		}
		for _, c := range g.Callees(p, syntax.Span{Start: 1, End: f.Lines}) {
			fmt.Fprintf(&b, "%s:%d calls %s %s at %d\n", p, c.Call.Line, c.Target.Path, c.Target.Definition.Qualified, c.Target.Definition.Lines.Start)
		}
	}
	for _, p := range g.Problems() {
		fmt.Fprintf(&b, "problem %s: %s\n", p.Path, p.Reason)
	}
	return b.String()
}

func sources(snap *snapshot) []string {
	var out []string
	for _, e := range snap.entries {
		if languages.Detect(e.Path) != nil && e.Mode&0o170000 == 0o100000 {
			out = append(out, e.Path)
		}
	}
	sort.Strings(out)
	return out
}

// checkTransposed: whoever imports a file is listed as its importer and nobody
// else, so that what is left unparsed would not have answered.
func checkTransposed(t *testing.T, g *imports.Graph, snap *snapshot) {
	t.Helper()
	want := map[string][]imports.Edge{}
	for _, p := range sources(snap) {
		for _, e := range g.Imports(p) {
			want[e.To] = append(want[e.To], e)
		}
	}
	for _, p := range sources(snap) {
		if diff := cmp.Diff(want[p], slices.Collect(g.ImportedBy(p, nil))); diff != "" {
			t.Errorf("importers of %s: -by Imports +by ImportedBy:\n%s", p, diff)
		}
	}
}

func repository(t testing.TB, text string) *snapshot {
	t.Helper()
	return load(t, txtar.Parse([]byte(text)))
}

func TestDefines(t *testing.T) {
	snap := repository(t, `
-- a.py --
class Server:
    def close(self):
        def close(): pass
def helper(): pass
-- b.go --
package b
type Server struct{ close int }
func (s *Server) Close() {}
-- c.txt --
helper
`)
	g := imports.Build(t.Context(), snap, imports.NewCache(1<<20), imports.DefaultOptions(languages.All()))
	for name, want := range map[string]string{
		"Server":       "[a.py:1 b.go:2]",
		"Server.close": "[a.py:2 b.go:2]",
		"close":        "[a.py:2 b.go:2]",
		"Close":        "[b.go:3]",
		"helper":       "[a.py:4]",
		"nothing":      "[]",
		"":             "[]",
	} {
		got := []string{}
		for _, l := range g.Defines(name) {
			got = append(got, fmt.Sprintf("%s:%d", l.Path, l.Definition.Lines.Start))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("Defines(%q) = %v, want %s", name, got, want)
		}
	}
}

// TestReferences: what a name leads to, and what is next to it.
func TestReferences(t *testing.T) {
	snap := repository(t, `
-- app/core/base.py --
class Server:
    def close(self): pass
def helper(): pass
-- app/core/__init__.py --
from .base import Server
-- app/main.py --
from app.core import Server
-- other/base.py --
def helper(): pass
-- notes/base.txt --
`)
	g := imports.Build(t.Context(), snap, imports.NewCache(1<<20), imports.DefaultOptions(languages.All()))
	for name, want := range map[string]string{
		"main.py":          "[app/main.py]",
		"in.py":            "[]",
		"base.py":          "[app/core/base.py other/base.py]",
		"notes/base.txt":   "[notes/base.txt]",
		"app.core":         "[app/core/__init__.py]",
		"core.base":        "[app/core/base.py]",
		"Server":           "[app/core/base.py]",
		"Server.close":     "[app/core/base.py]",
		"close":            "[]",
		"helper":           "[app/core/base.py other/base.py]",
		"":                 "[]",
		"app.core.nothing": "[]",
	} {
		if got := fmt.Sprint(g.FilesNamed(name)); got != want {
			t.Errorf("FilesNamed(%q) = %s, want %s", name, got, want)
		}
	}
	for _, tt := range []struct {
		path string
		of   []string
		want string
	}{
		{"app/core/base.py", []string{"other/base.py", "app/main.py"}, "app/main.py imports true"},
		{"app/main.py", []string{"app/core/base.py"}, "app/core/base.py imported by true"},
		{"app/main.py", []string{"other/base.py"}, "  false"},
		{"app/main.py", nil, "  false"},
	} {
		via, why, ok := g.Neighbor(tt.path, tt.of)
		if got := fmt.Sprint(via, " ", why, " ", ok); got != tt.want {
			t.Errorf("Neighbor(%s, %v) = %s, want %s", tt.path, tt.of, got, tt.want)
		}
	}
	if got := fmt.Sprint(g.Defined("app/core/base.py", "close"), g.Defined("app/core/base.py", "Server.close"), g.Defined("notes/base.txt", "x")); got != "[[2 2]] [[2 2]] []" {
		t.Errorf("Defined = %s", got)
	}
}

// TestTooManyCandidates: a question that too many files may answer is answered by
// nothing, never by a part, and it is noted.
func TestTooManyCandidates(t *testing.T) {
	snap := repository(t, "-- a.py --\nx = 1\n-- b.py --\nx = 1\n-- c.py --\ny = x\n")
	opts := imports.DefaultOptions(languages.All())
	opts.MaxCandidates = 3
	if got := imports.Build(t.Context(), snap, imports.NewCache(1<<20), opts).Defines("x"); len(got) != 2 {
		t.Errorf("at the limit: %d definitions, want 2", len(got))
	}
	opts.MaxCandidates = 2
	g := imports.Build(t.Context(), snap, imports.NewCache(1<<20), opts)
	if got := g.Defines("x"); got != nil {
		t.Errorf("over the limit: %v", got)
	}
	if got := g.Problems(); len(got) != 1 || got[0].Path != "definitions of x" {
		t.Errorf("problems = %v", got)
	}
}

// TestOddEntries: links and submodules are no files, unreadable and degraded
// files are noted, hostile configuration does no harm.
func TestOddEntries(t *testing.T) {
	snap := repository(t, `
-- a.ts --
import x from "./link";
import y from "../../outside";
import z from "@/deep";
import w from "pkg";
import v from "#inner";
-- package.json --
{"name": "pkg", "main": "../../etc/passwd", "exports": {"./*": "../*", ".": [[[[[[[[[["./a.ts"]]]]]]]]]]}, "imports": {"#inner": "./../a"}}
-- tsconfig.json --
{"extends": "./tsconfig.json", "compilerOptions": {"baseUrl": "../..", "paths": {"@/*": ["../../*"]}}}
-- go.mod --
module
-- b.go --
package b
import "/etc/passwd"
-- c.py --
from ...... import x
from . import *
-- D.java --
import a..b;
import *;
-- binary.py --
`)
	snap.add("link.ts", 0o120000, []byte("a.ts"))
	snap.add("module", 0o160000, nil)
	snap.data["binary.py"] = []byte("a\x00b")
	snap.entries = append(snap.entries, model.TreeEntry{Path: "gone.py", Mode: 0o100644, Oid: "1"})
	g := imports.Build(t.Context(), snap, imports.NewCache(1<<20), imports.DefaultOptions(languages.All()))
	for _, p := range sources(snap) {
		if got := g.Imports(p); len(got) > 0 {
			t.Errorf("%s imports %v", p, got)
		}
		for range g.ImportedBy(p, nil) {
		}
	}
	if _, ok := g.File("link.ts"); ok {
		t.Error("a link is a file")
	}
	var noted []string
	for _, p := range g.Problems() {
		noted = append(noted, p.Path)
	}
	if diff := cmp.Diff([]string{"D.java", "binary.py", "go.mod", "gone.py"}, noted); diff != "" {
		t.Errorf("problems: -want +got:\n%s", diff)
	}
}

// TestCache: many graphs share a cache that is far too small, and answer as one
// with room for everything.
func TestCache(t *testing.T) {
	archive, err := txtar.ParseFile("../languages/python/testdata/imports.txtar")
	if err != nil {
		t.Fatal(err)
	}
	snap := load(t, archive)
	want := describe(imports.Build(t.Context(), snap, imports.NewCache(1<<20), imports.DefaultOptions(languages.All())), snap)
	small := imports.NewCache(4 << 10)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := describe(imports.Build(t.Context(), snap, small, imports.DefaultOptions(languages.All())), snap); got != want {
				t.Error("a small shared cache changes the answer")
			}
		})
	}
	wg.Wait()
}

// TestParsesWhatMayAnswer: of the files that import one, those are parsed that hold
// what is asked for; a file that only mentions its name is not.
func TestParsesWhatMayAnswer(t *testing.T) {
	for _, tt := range []struct {
		name, files string
		ask         func(g *imports.Graph) int
		want        string // answers, files parsed
	}{
		{"callers in Python", `
-- pool.py --
def drain(): pass
-- calls.py --
import pool
pool.drain()
-- imports.py --
import pool
-- mentions.py --
import other # drain the
pool = drain = 1
-- hands_on.py --
import pool
use(pool.drain)
`, func(g *imports.Graph) int { return len(g.CallersOf("pool.py", "drain")) }, "1 2"},
		{"callers in Python under another name", `
-- pool.py --
def drain(): pass
-- api/__init__.py --
from pool import (drain # the pool
    as empty)
-- calls.py --
from api import empty
empty()
-- imports.py --
import pool
`, func(g *imports.Graph) int { return len(g.CallersOf("pool.py", "drain")) }, "1 4"},
		{"callers in Python under another name, by way of a module", `
-- pool.py --
def drain(): pass
-- api.py --
from pool import drain as empty
-- calls.py --
from api import empty
empty()
`, func(g *imports.Graph) int { return len(g.CallersOf("pool.py", "drain")) }, "1 3"},
		{"definitions in Java", `
-- A.java --
class A { void drainPool() {} }
-- B.java --
class B { void close(A a) { a.drainPool(); } }
`, func(g *imports.Graph) int { return len(g.Defines("drainPool")) }, "1 1"},
		{"a package of Go", `
-- go.mod --
module m
-- pool/pool.go --
package pool
func New() {}
-- pool/use.go --
package pool
func init() { New() }
-- other/other.go --
package other
func New() { pool := 1; _ = pool }
`, func(g *imports.Graph) int { return len(slices.Collect(g.ImportedBy("pool/pool.go", nil))) }, "1 2"},
		{"a package of Go, of a file that uses more of it", `
-- go.mod --
module m
-- pool/pool.go --
package pool
func New() {}
-- pool/quit.go --
package pool
func Drain() {}
-- pool/use.go --
package pool
func init() { New(); Drain() }
-- main.go --
package main
import "m/pool"
func main() { pool.New(); pool.Drain() }
`, func(g *imports.Graph) int { return len(slices.Collect(g.ImportedBy("pool/pool.go", nil))) }, "2 3"},
		{"a module of Python, of a file that imports others", `
-- pool.py --
def drain(): pass
-- other.py --
def fill(): pass
pool.fill
-- uses.py --
from pool import drain
from other import fill
`, func(g *imports.Graph) int { return len(slices.Collect(g.ImportedBy("pool.py", nil))) }, "1 2"},
		{"modules of Python that pass nothing new on", `
-- pool.py --
def drain(): pass
-- passes.py --
from pool import drain
-- uses.py --
import passes
passes.other
-- known.py --
import pool
from passes import drain
`, func(g *imports.Graph) int {
			n := 0
			for range g.ImportedBy("pool.py", func(string) bool { return false }) {
				n++
			}
			return n
		}, "0 1"},
		{"a method of several words that all calls are resolved of", `
-- A.java --
class A { void drainPool() {} void use() { drainPool(); this.drainPool(); } }
-- B.java --
class B { void drainPool() {} }
`, func(g *imports.Graph) int { return len(g.CallersOf("A.java", "A.drainPool")) }, "2 1"},
		{"a method of several words of an unknown object", `
-- pool.py --
class Pool:
    def drain_pool(self): pass
-- use.py --
import pool
def use(x): x.drain_pool()
`, func(g *imports.Graph) int { return len(g.CallersOf("pool.py", "Pool.drain_pool")) }, "1 2"},
		{"no function is called by an unknown object", `
-- pool.py --
def drain_pool(): pass
-- use.py --
import pool
def use(x): x.drain_pool()
`, func(g *imports.Graph) int { return len(g.CallersOf("pool.py", "drain_pool")) }, "0 2"},
		{"a function is no member of a type beside it", `
-- pool.py --
class Pool: pass
def drain(): pass
-- use.py --
from pool import Pool
def use(x: Pool): x.drain()
`, func(g *imports.Graph) int { return len(g.CallersOf("pool.py", "drain")) }, "0 2"},
		{"names of a package within it", `
-- pkg/__init__.py --
def drain(): pass
-- pkg/use.py --
from . import drain
`, func(g *imports.Graph) int {
			return len(slices.Collect(g.ImportedBy("pkg/__init__.py", func(string) bool { return true })))
		}, "1 2"},
		{"importers that are wanted", `
-- pool.py --
-- a.py --
import pool
-- b.py --
import pool
`, func(g *imports.Graph) int {
			return len(slices.Collect(g.ImportedBy("pool.py", func(from string) bool { return from == "b.py" })))
		}, "1 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cache := imports.NewCache(1 << 20)
			n := tt.ask(imports.Build(t.Context(), repository(t, tt.files), cache, imports.DefaultOptions(languages.All())))
			if got := fmt.Sprint(n, " ", cache.Parsed().Files); got != tt.want {
				t.Errorf("answers and files parsed are %s, want %s", got, tt.want)
			}
		})
	}
}
