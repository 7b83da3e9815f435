package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the module's folder.
const root = "../.."

var (
	heading   = regexp.MustCompile(`(?m)^## ([0-9]+)\. `)
	reference = regexp.MustCompile(`(?i)\b(?:spec|specification(?:\.md)?)\)?,? sections? ([0-9]+)(?:(?:,| and| to) ([0-9]+))?`)
	issue     = regexp.MustCompile(`\bissue [0-9]+\b`)
)

// Every section of the specification that a comment or a page cites exists, and
// none cites an issue of a tracker that a reader does not have.
func TestReferencesToTheSpecificationExist(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "specification.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(string(page), -1) {
		sections[m[1]] = true
	}
	cited := 0
	for path, text := range prose(t) {
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			for _, section := range m[1:] {
				if section == "" {
					continue
				}
				cited++
				if !sections[section] {
					t.Errorf("%s cites section %s of the specification, which does not exist", path, section)
				}
			}
		}
		if strings.HasSuffix(path, ".go") {
			if m := issue.FindString(text); m != "" {
				t.Errorf("%s cites %q: say what was decided, or name the page of docs", path, m)
			}
		}
	}
	if cited < 50 {
		t.Errorf("%d references found: the pattern no longer sees them", cited)
	}
}

// Every relative link of a page leads to a file of the repository.
func TestLinksOfPagesLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)
	found := 0
	for path, text := range prose(t) {
		if !strings.HasSuffix(path, ".md") {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", path, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("%d links found: the pattern no longer sees them", found)
	}
}

// prose is the text of every Go file and page of the repository by path.
func prose(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "out", "bin"}, d.Name()) {
			return filepath.SkipDir
		}
		if d.IsDir() || d.Name() == "references_test.go" || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".md") {
			return nil
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
