// Package archtest holds the imports of the project to its layers
// (docs/architecture.md).
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const module = "github.com/prforge/prforge/"

// domain are the packages that never import each other.
var domain = []string{"collectors", "filters", "scoring", "contextbuilder", "injection", "evaluation", "artifacts"}

// rooms are the packages below stages, each with those of them that it may import.
var rooms = map[string][]string{
	"stages/config":    {},
	"stages/evaluate":  {"stages/config"},
	"stages/run":       {"stages/config", "stages/evaluate"},
	"stages/review":    {"stages/config", "stages/run", "stages/evaluate", "stages/snapshots"},
	"stages/snapshots": {"stages/run"},
	"stages/bugs":      {"stages/config", "stages/run", "stages/evaluate"},
	"stages/debugging": {"stages/config", "stages/run", "stages/evaluate"},
	"stages/cluster":   {"stages/config", "stages/run", "stages/review"},
}

// only says which packages alone may import something.
var only = map[string][]string{
	"github.com/smacker/go-tree-sitter":  {"internal/syntax", "internal/languages"},
	module + "internal/languages/python": {"internal/languages", "injection", "stages"},
	"github.com/google/go-github/v62":    {"collectors", "internal/ghapi"},
	"github.com/shurcooL/githubv4":       {"collectors", "internal/ghapi"},
	"github.com/go-git/go-git/v5":        {"collectors/gitsource", "artifacts/snapshot", "internal/fakegithub"},
	module + "internal/ghapi":            {"collectors", "stages", "cmd/prforge/internal/cli"},
	module + "internal/fakegithub":       {"cmd/prforge/internal/cli", "internal/demo", "stages/run/runtest"},
	module + "internal/demo":             {"cmd/prforge/internal/cli", "stages/run/runtest"},
	module + "cmd/prforge/internal/cli":  {"cmd"},
	module + "stages":                    {"cmd/prforge/internal/cli"},
	module + "stages/run/runtest":        {},
	"net/http":                           {"collectors", "internal/ghapi", "internal/fakegithub"},
	"os/exec":                            {"collectors", "internal/child", "internal/ghapi", "internal/fakegithub", "internal/testenv"},
	"github.com/spf13/cobra":             {"cmd/prforge/internal/cli"},
	"github.com/parquet-go/parquet-go":   {"artifacts/columns", "internal/absence"},
	"github.com/bluekeyes/go-gitdiff":    {"internal/unidiff"},
	"github.com/tiktoken-go/tokenizer":   {"contextbuilder"},
}

type pkg struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func TestImportsFollowTheLayers(t *testing.T) {
	for _, p := range packages(t) {
		from := strings.TrimPrefix(p.ImportPath, module)
		for _, imp := range p.Imports {
			if fault := forbidden(from, imp); fault != "" {
				t.Errorf("%s imports %s: %s", from, imp, fault)
			}
		}
	}
}

// forbidden says why a package must not import another, or "".
func forbidden(from, imp string) string {
	for what, users := range only {
		if within(imp, what) && !within(from, strings.TrimPrefix(what, module)) && !withinAny(from, users) {
			return "only " + strings.Join(users, ", ") + " may"
		}
	}
	if !strings.HasPrefix(imp, module) {
		return ""
	}
	to := strings.TrimPrefix(imp, module)
	for _, d := range domain {
		for _, other := range domain {
			if d != other && within(from, d) && within(to, other) {
				return "domain packages do not import each other"
			}
		}
	}
	for room, below := range rooms {
		if within(from, room) && within(to, "stages") && !within(to, room) && !withinAny(to, below) {
			return "a benchmark is a folder of its own"
		}
	}
	if within(from, "pipeline") && !withinAny(to, []string{"pipeline", "internal/verdict"}) {
		return "the engine knows no stage and no fact"
	}
	if within(from, "internal") && !within(to, "internal") {
		return "the ground floor imports nothing above it"
	}
	return ""
}

// TestChildrenStartInOnePlace: nothing but internal/child starts a program, so
// that none gets what prforge has open.
func TestChildrenStartInOnePlace(t *testing.T) {
	starts := regexp.MustCompile(`\b(exec\.Command(Context)?|os\.StartProcess|syscall\.(ForkExec|StartProcess|Exec))\(`)
	for _, p := range packages(t) {
		if strings.TrimPrefix(p.ImportPath, module) == "internal/child" {
			continue
		}
		for _, name := range p.GoFiles {
			code, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if found := starts.Find(code); found != nil {
				t.Errorf("%s/%s has %s: children are started by internal/child", p.ImportPath, name, found)
			}
		}
	}
}

// TestArchitectureNamesEveryPackage: the table of docs/architecture.md has every
// folder, or names it in its parent's row.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		named := func(s string) bool { return strings.Contains(string(page), "`"+s+"`") }
		nested := path.Dir(name) != "." && path.Dir(name) != "internal"
		if !named(name) && !(nested && named(path.Base(name))) {
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
}

// large are the packages that have more files than others may, with how many. A
// number only goes down.
var large = map[string]int{"internal/fakegithub": 32}

// TestPackagesStaySmall counts the files of each package.
func TestPackagesStaySmall(t *testing.T) {
	const most = 25
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if n := len(p.GoFiles); n > max(most, large[name]) {
			t.Errorf("%s has %d files: at most %d", name, n, max(most, large[name]))
		}
	}
}

func within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

func withinAny(path string, roots []string) bool {
	for _, r := range roots {
		if within(path, r) {
			return true
		}
	}
	return false
}

// A layer test that cannot fail is none.
func TestForbiddenImportsAreSeen(t *testing.T) {
	for _, tc := range []struct{ from, imp string }{
		{"filters/substance", module + "scoring"},
		{"artifacts", module + "contextbuilder"},
		{"scoring", "net/http"},
		{"scoring", module + "internal/ghapi"},
		{"pipeline", module + "internal/model"},
		{"internal/model", module + "filters"},
		{"internal/languages/python", module + "injection"},
		{"contextbuilder", "github.com/smacker/go-tree-sitter/python"},
		{"stages", module + "cmd/prforge/internal/cli"},
		{"stages/bugs", module + "stages/review"},
		{"stages/run", module + "stages"},
		{"stages/cluster", module + "stages/bugs"},
	} {
		if forbidden(tc.from, tc.imp) == "" {
			t.Errorf("%s may import %s", tc.from, tc.imp)
		}
	}
}

// packages asks the go command what imports what, without tests.
func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
