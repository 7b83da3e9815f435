package stages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// TestRegistry_HasEveryBenchmark compares the list with the constants that a
// manifest may hold and with the folders that state a benchmark.
func TestRegistry_HasEveryBenchmark(t *testing.T) {
	listed := map[artifacts.Benchmark]bool{}
	for _, b := range benchmarks() {
		if listed[b.Name] {
			t.Errorf("%s is listed twice", b.Name)
		}
		listed[b.Name] = true
		if b.Verify == nil {
			t.Errorf("%s: nothing verifies it", b.Name)
		}
		if b.Evaluated.Items != nil && (b.Figures == nil || b.EvidenceDir == "") {
			t.Errorf("%s: an audit has no figures, or no evidence", b.Name)
		}
		if b.Evaluated.Items != nil && b.Evaluated.Name() != string(b.Name) {
			t.Errorf("%s is evaluated as %s", b.Name, b.Evaluated.Name())
		}
	}
	words, err := schema.Text(schema.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	for name := range listed {
		if !strings.Contains(string(words), `"`+string(name)+`"`) {
			t.Errorf("the schema of a manifest lacks %s", name)
		}
		if len(artifacts.Schemas(name, false)) == 0 {
			t.Errorf("%s: no schemas", name)
		}
	}
	constants := regexp.MustCompile(`Benchmark = "([a-z]+)"`)
	source, err := os.ReadFile("../artifacts/manifest.go")
	if err != nil {
		t.Fatal(err)
	}
	found := constants.FindAllStringSubmatch(string(source), -1)
	for _, m := range found {
		if name := artifacts.Benchmark(m[1]); !listed[name] {
			t.Errorf("no line for %s", name)
		}
	}
	if len(found) != len(listed) {
		t.Errorf("%d constants, %d lines", len(found), len(listed))
	}
}

// TestRecheck: what is not built again, and that this is said.
func TestRecheck(t *testing.T) {
	const later = "contexts built again, byte for byte: --rebuild does it"
	for _, c := range []struct {
		name      string
		benchmark artifacts.Benchmark
		contexts  bool
		faults    []verify.Fault
		skipped   []string
		rebuilt   bool // it is tried
	}{
		{"decided already", artifacts.Bugs, false, nil, nil, false},
		{"cannot be built", artifacts.Controls, false, nil, nil, false},
		{"has faults", artifacts.Review, true, []verify.Fault{{Kind: verify.FileMissing}}, []string{"built again from itself: first fix the faults above"}, false},
		{"decisions alone", artifacts.Review, false, nil, []string{later}, true},
		{"all of it", artifacts.Review, true, nil, nil, true},
	} {
		sample := artifactstest.Dataset(nil)
		sample.Manifest.Benchmark = c.benchmark
		dir := frozen(t, sample)
		r := &verify.Report{Faults: c.faults}
		if err := Recheck(t.Context(), run.Env{Host: pipeline.Quiet(1), Shards: 1}, dir, c.contexts, r); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if !slices.Equal(r.Skipped, c.skipped) || (len(r.Faults) > len(c.faults)) != c.rebuilt {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// TestDoc checks the package comment: it lists the folders that there are, and what
// it names between brackets exists.
func TestDoc(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != "testdata" && !strings.Contains(string(page), "//\t"+e.Name()+"/") {
			t.Errorf("the page does not list %s", e.Name())
		}
	}
	folders := map[string]string{
		"": ".", "run": "run", "evaluate": "evaluate", "pipeline": "../pipeline", "artifacts": "../artifacts", "freeze": "../artifacts/freeze",
		"load": "../artifacts/load", "schema": "../artifacts/schema", "verify": "../artifacts/verify",
	}
	names := map[string]map[string]bool{}
	links := regexp.MustCompile(`\[(?:(run|evaluate|pipeline|artifacts|freeze|load|schema|verify)\.)?([A-Za-z]{2,}(?:\.[A-Za-z]+)?)\]`).FindAllStringSubmatch(string(page), -1)
	for _, m := range links {
		if names[m[1]] == nil {
			names[m[1]] = declared(t, folders[m[1]])
		}
		if !names[m[1]][m[2]] {
			t.Errorf("the page names %s, which does not exist", m[0])
		}
	}
	files := regexp.MustCompile(`\b[a-z]+/[a-z0-9/_-]+\.(?:go|json|md)\b`).FindAllString(string(page), -1)
	for _, file := range files {
		if _, err := os.Stat(filepath.Join("..", file)); err != nil {
			t.Errorf("the page names a file that does not exist: %v", err)
		}
	}
	if len(links) < 25 || len(files) < 9 {
		t.Errorf("%d names and %d files found: the patterns no longer see them", len(links), len(files))
	}
}

// declared are the functions, types and methods of a folder, methods as T.M.
func declared(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				out[receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok {
						out[ts.Name.Name] = true
					}
				}
			}
		}
	}
	return out
}

// receiver is the type of a method with a dot, or "".
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	x := d.Recv.List[0].Type
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if generic, ok := x.(*ast.IndexExpr); ok {
		x = generic.X
	}
	name, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	return name.Name + "."
}
