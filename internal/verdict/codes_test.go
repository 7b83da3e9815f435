package verdict

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// root is the module's folder.
const root = "../.."

// constants reads the names and values of the codes from codes.go and its
// sisters.
func constants(t *testing.T) map[string]Code {
	t.Helper()
	files, err := filepath.Glob("codes*.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]Code{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.GenDecl); ok && decl.Tok == token.CONST {
				addConstants(t, codes, decl)
			}
		}
	}
	return codes
}

func addConstants(t *testing.T, codes map[string]Code, decl *ast.GenDecl) {
	t.Helper()
	for _, s := range decl.Specs {
		spec := s.(*ast.ValueSpec)
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		codes[spec.Names[0].Name] = Code(value)
	}
}

// TestTable fails when a code has no text, no stage, an odd name, or is there
// twice.
func TestTable(t *testing.T) {
	byValue := map[Code]bool{}
	for name, code := range constants(t) {
		if byValue[code] {
			t.Errorf("%s: the code %q is taken", name, code)
		}
		byValue[code] = true
	}
	seen := map[Code]bool{}
	for _, r := range Reasons() {
		if !byValue[r.Code] || seen[r.Code] {
			t.Errorf("%q is no constant or is in the table twice", r.Code)
		}
		seen[r.Code] = true
		if !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(string(r.Code)) {
			t.Errorf("%q is not snake case", r.Code)
		}
		if r.Stage == "" || !strings.HasSuffix(r.Text, ".") || len(r.Text) < 15 {
			t.Errorf("%q needs a stage and a sentence that ends in a period, not %q and %q", r.Code, r.Stage, r.Text)
		}
	}
	for code := range byValue {
		if !seen[code] {
			t.Errorf("%q is not in the table", code)
		}
	}
}

// TestEveryCodeIsTested fails when no test outside this package names a code:
// by its constant in a Go test, or by its value in a test's data.
func TestEveryCodeIsTested(t *testing.T) {
	words := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || path == filepath.Join(root, "internal", "verdict")):
			return fs.SkipDir
		case strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".txtar") || strings.Contains(path, "testdata") && strings.HasSuffix(path, ".txt"):
			data, err := os.ReadFile(path)
			for word := range strings.FieldsFuncSeq(string(data), func(r rune) bool { return !strings.ContainsRune(`_."`, r) && !unicode.IsLetter(r) }) {
				words[strings.Trim(word, ".")] = true
				words[strings.Trim(word, `."`)] = true
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, code := range constants(t) {
		value := string(code)
		if !words["verdict."+name] && !words[`"`+value+`"`] && !(strings.Contains(value, "_") && words[value]) {
			t.Errorf("no test names verdict.%s (%s)", name, code)
		}
	}
}

// TestGolden_Reasons checks docs/reasons.md against the table; -update writes it.
func TestGolden_Reasons(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Reasons\n\nMade from the table in `internal/verdict/codes.go` by `make golden`; do not edit.\n\n" +
		"Every verdict that is not a pass carries one of these codes. Codes are never renamed: people count them. A comment carries\n" +
		"the code of the first rule it failed; a pull request, that of the first stage that stopped it.\n")
	stage := ""
	for _, r := range Reasons() {
		if r.Stage != stage {
			stage = r.Stage
			fmt.Fprintf(&b, "\n## %s\n\n| code | meaning |\n|---|---|\n", stage)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.Code, strings.ReplaceAll(r.Text, "|", `\|`))
	}
	page := filepath.Join(root, "docs", "reasons.md")
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.String(), string(got)); diff != "" {
		t.Errorf("docs/reasons.md differs from the table, run make golden (-want +got):\n%s", diff)
	}
}
