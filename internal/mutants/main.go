// Command mutants asks whether tests fail when a line breaks. It changes one line at a
// time, drawn at random among those that a package's own tests reach, and runs these tests:
// a change that they do not notice survived. Each package has a floor in floors.txt, the
// share of changes in percent that its tests must notice.
//
// The sample follows from the seed and the code alone. Run it by 'make mutants'.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/child"
)

var (
	seed   = flag.Uint64("seed", 20261122, "of the sample")
	sample = flag.Int("n", 30, "changes a package")
)

// change replaces bytes of a file.
type change struct {
	file       string
	line       int
	from, to   int
	text, what string
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	ctx := context.Background()
	floors, err := readFloors("internal/mutants/floors.txt")
	if err != nil {
		log.Fatal(err)
	}
	if flag.NArg() > 0 {
		floors = slices.DeleteFunc(floors, func(f floor) bool { return !slices.Contains(flag.Args(), f.pkg) })
		for _, pkg := range flag.Args() {
			if !slices.ContainsFunc(floors, func(f floor) bool { return f.pkg == pkg }) {
				floors = append(floors, floor{pkg: pkg, tests: []string{pkg}})
			}
		}
	}
	low := false
	for _, f := range floors {
		killed, tried, err := try(ctx, f.pkg, f.tests)
		if err != nil {
			log.Fatalf("%s: %v", f.pkg, err)
		}
		share := 100 * killed / max(1, tried)
		note := ""
		if share < f.percent {
			low, note = true, fmt.Sprintf(", below its floor of %d", f.percent)
		}
		log.Printf("%-28s %3d of %3d changes noticed, %3d %%%s\n", f.pkg, killed, tried, share, note)
	}
	if low {
		log.Fatal("a package notices too little")
	}
}

// floor is a line of floors.txt: a package, the percent of changes that must be noticed,
// and the folders of the tests, which is the package alone where the line names none.
type floor struct {
	pkg     string
	percent int
	tests   []string
}

func readFloors(path string) (floors []floor, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) < 2 {
			continue
		}
		percent, err := strconv.Atoi(words[1])
		if err != nil {
			return nil, err
		}
		if len(words) == 2 {
			words = append(words, words[0])
		}
		floors = append(floors, floor{words[0], percent, words[2:]})
	}
	return floors, nil
}

// try draws changes of a package and runs its tests with each; those that do not compile
// are drawn again.
func try(ctx context.Context, pkg string, tests []string) (killed, tried int, err error) {
	work, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(work)
	reached, took, err := coverage(ctx, pkg, tests, work)
	if err != nil {
		return 0, 0, err
	}
	limit := time.Minute + 3*took // a change that never ends is noticed, a busy machine is not one
	changes, err := changesOf(pkg, reached)
	if err != nil {
		return 0, 0, err
	}
	name := fnv.New64a()
	name.Write([]byte(pkg))
	random := rand.New(rand.NewPCG(*seed, name.Sum64()))
	random.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
	seen := map[string]bool{}
	for _, c := range changes {
		at := fmt.Sprintf("%s:%d", c.file, c.line)
		if tried == *sample || seen[at] {
			continue // one a line
		}
		seen[at] = true
		out, failed, err := run(ctx, tests, reached[filepath.Base(c.file)][c.line], c, work, limit)
		if err != nil {
			return 0, 0, err
		}
		if failed && (strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]")) {
			continue
		}
		tried++
		if failed {
			killed++
		} else {
			log.Printf("  survived: %s: %s\n", at, c.what)
		}
	}
	return killed, tried, nil
}

// run runs the tests of these names with one change, by an overlay: no file is touched.
func run(ctx context.Context, tests, names []string, c change, work string, limit time.Duration) (out string,
	failed bool, err error) {
	code, err := os.ReadFile(c.file)
	if err != nil {
		return "", false, err
	}
	mutant, overlay := filepath.Join(work, "mutant.go"), filepath.Join(work, "overlay.json")
	code = slices.Concat(code[:c.from], []byte(c.text), code[c.to:])
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{c.file: mutant}})
	if err == nil {
		err = os.WriteFile(mutant, code, 0o600)
	}
	if err == nil {
		err = os.WriteFile(overlay, replace, 0o600)
	}
	if err != nil {
		return "", false, err
	}
	args := []string{"test", "-short", "-vet=off", "-overlay", overlay, "-timeout", limit.String(), "-failfast",
		"-run", "^(" + strings.Join(names, "|") + ")$"}
	for _, dir := range tests {
		args = append(args, "./"+dir)
	}
	text, err := output(ctx, "", "go", args...)
	return text, err != nil, nil
}

// output is what a command run in a folder prints.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := child.Command(ctx, name, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// coverage is the tests that reach each line, by file name, and the time that all of them took.
func coverage(ctx context.Context, pkg string, tests []string, work string) (map[string]map[int][]string, time.Duration,
	error) {
	began := time.Now()
	reached := map[string]map[int][]string{}
	for _, dir := range tests {
		if err := reach(ctx, pkg, dir, work, reached); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", dir, err)
		}
	}
	return reached, time.Since(began), nil
}

// reach adds the tests of one folder.
func reach(ctx context.Context, pkg, dir, work string, reached map[string]map[int][]string) error {
	binary, profile := filepath.Join(work, "tests"), filepath.Join(work, "cover")
	out, err := output(ctx, "", "go", "test", "-c", "-vet=off", "-coverpkg=./"+pkg, "-o", binary, "./"+dir)
	if err == nil {
		out, err = output(ctx, dir, binary, "-test.list=^(Test|Fuzz|Example)")
	}
	if err != nil {
		return fmt.Errorf("its tests do not build:\n%s", out)
	}
	for _, test := range strings.Fields(out) {
		if out, err := output(ctx, dir, binary, "-test.short", "-test.run=^"+test+"$",
			"-test.coverprofile="+profile); err != nil {
			return fmt.Errorf("%s fails as it is:\n%s", test, out)
		}
		text, err := os.ReadFile(profile)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(text), "\n") {
			var from, fromColumn, to, toColumn, statements, hits int
			name, rest, _ := strings.Cut(line, ":")
			if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &from, &fromColumn, &to, &toColumn, &statements,
				&hits); err != nil || hits == 0 {
				continue
			}
			base := filepath.Base(name)
			if reached[base] == nil {
				reached[base] = map[int][]string{}
			}
			for n := from; n <= to; n++ {
				if by := reached[base][n]; len(by) == 0 || by[len(by)-1] != test {
					reached[base][n] = append(by, test)
				}
			}
		}
	}
	return nil
}

// changesOf lists every change of the reached lines, in the order of the files.
func changesOf(pkg string, reached map[string]map[int][]string) ([]change, error) {
	dir, err := filepath.Abs(pkg)
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var out []change
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		code, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, name, code, 0)
		if err != nil {
			return nil, err
		}
		m := mutator{name: name, code: code, files: files}
		ast.Inspect(tree, m.visit)
		for _, c := range m.found {
			if len(reached[filepath.Base(name)][c.line]) > 0 {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

type mutator struct {
	name  string
	code  []byte
	files *token.FileSet
	found []change
}

func (m *mutator) add(from, to token.Pos, text, what string) {
	a, b := m.files.Position(from), m.files.Position(to)
	m.found = append(m.found, change{m.name, a.Line, a.Offset, b.Offset, text, what})
}

func (m *mutator) source(n ast.Node) string {
	return string(m.code[m.files.Position(n.Pos()).Offset:m.files.Position(n.End()).Offset])
}

// swapped maps operators to their replacements.
var swapped = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+",
}

func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		m.add(n.Cond.Pos(), n.Cond.End(), "!("+m.source(n.Cond)+")", "negate "+m.source(n.Cond))
	case *ast.BinaryExpr:
		if text := swapped[n.Op]; text != "" {
			m.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), text, n.Op.String()+" becomes "+text+" in "+m.source(n))
		}
	case *ast.ExprStmt:
		m.add(n.Pos(), n.End(), "", "drop "+m.source(n))
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			m.add(n.Pos(), n.End(), "", "drop "+m.source(n))
		}
	case *ast.ReturnStmt:
		if last := len(n.Results) - 1; last >= 0 && m.source(n.Results[last]) == "err" {
			m.add(n.Results[last].Pos(), n.Results[last].End(), "nil", "drop the error of "+m.source(n))
		}
	}
	return true
}
