package languages

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2"
	"golang.org/x/tools/txtar"

	"github.com/prforge/prforge/internal/syntax"
)

// TestRegistry_WholeLanguages fails for everything that a language lacks: a line
// of the registry, a switch of its family, a golden archive, a page.
func TestRegistry_WholeLanguages(t *testing.T) {
	folders := map[string]bool{}
	for _, e := range registry {
		folder := e.languages[0].Folder
		folders[folder] = true
		t.Run(folder, func(t *testing.T) {
			wholeFamily(t, e)
			for _, l := range e.languages {
				if l.Folder != folder {
					t.Errorf("%s is of the folder %s, not of %s", l.ID, l.Folder, folder)
				}
				wholeLanguage(t, l)
			}
			wholeArchives(t, folder)
		})
	}
	found, err := filepath.Glob("*/language.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		if !folders[filepath.Dir(name)] {
			t.Errorf("%s is in no line of the registry", name)
		}
	}
}

// wholeFamily checks what all languages of a family answer.
func wholeFamily(t *testing.T, e entry) {
	f := e.languages[0].Family
	for what, given := range map[string]bool{
		"resolver": e.resolver != nil, "LineComment": f.LineComment != "", "Indent": f.Indent != "", "Lists": len(f.Lists) > 0,
		"Origin": f.Origin != nil, "TestFiles": len(f.TestFiles) > 0, "OptionField": f.OptionField != nil,
	} {
		if !given {
			t.Errorf("the family has no %s", what)
		}
	}
	settings := map[syntax.SettingKind]bool{}
	for _, s := range f.Settings {
		settings[s.Kind] = true
		if s.Matches.SubexpIndex("name") < 0 || len(s.Hints) == 0 {
			t.Errorf("setting %s has no group \"name\" or no hints", s.Matches)
		}
	}
	if !settings[syntax.Environment] || len(settings) < 2 {
		t.Errorf("settings of the kinds %v: environment variables and another kind are wanted", settings)
	}
}

// wholeLanguage checks what one language answers, its contexts and the pages.
func wholeLanguage(t *testing.T, l *syntax.Language) {
	for _, ext := range l.Extensions {
		if names := enry.GetLanguagesByExtension("x"+ext, nil, nil); l.ID != "tsx" && !slices.Contains(names, l.Name) {
			t.Errorf("go-enry calls files %s %q, not %q", ext, names, l.Name)
		}
		if Detect("x"+ext) == nil {
			t.Errorf("%s is no file of %s", ext, l.ID)
		}
	}
	if ByID(l.ID) != l {
		t.Errorf("no language has the ID %s", l.ID)
	}
	archive := l.ID
	if l.ID == "tsx" {
		archive = "typescript" // which has a file of each
	}
	for _, part := range []string{".txtar", ".A.md", ".B.md", ".C.md"} {
		name := filepath.Join(l.Folder, "testdata", archive+part)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		for _, layer := range []string{"## Layer 3", "## Layer 5"} {
			if part == ".C.md" && !strings.Contains(string(text), layer) {
				t.Errorf("%s has no %q", name, layer)
			}
		}
	}
	for _, page := range []string{"README.md", "docs/specification.md", "docs/options.md"} {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), l.Name) {
			t.Errorf("%s does not name %s", page, l.Name)
		}
	}
}

// wholeArchives checks that the archives of a folder show every kind of fact.
func wholeArchives(t *testing.T, folder string) {
	for name, facts := range map[string][]string{
		"syntax.txtar":  {"\nmethod ", "\nimport ", "\ncall ", "  test case ", " form 0\n"},
		"imports.txtar": {" -> "},
	} {
		archive, err := txtar.ParseFile(filepath.Join(folder, "testdata", name))
		if err != nil {
			t.Error(err)
			continue
		}
		text := string(txtar.Format(archive))
		for _, fact := range facts {
			if !strings.Contains(text, fact) {
				t.Errorf("%s shows no %q", name, strings.TrimSpace(fact))
			}
		}
	}
}
