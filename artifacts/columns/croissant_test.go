package columns_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/artifacts/columns"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
)

// terms of the Croissant 1.0 vocabulary that a file of ours may use, by the
// class they belong to: the format's own page lists them.
var terms = map[string]struct{ required, allowed string }{
	"sc:Dataset": {
		"@context @type name conformsTo description license url creator datePublished distribution recordSet",
		"version citeAs keywords isLiveDataset",
	},
	"cr:FileObject":   {"@type @id name contentUrl encodingFormat sha256", "description contentSize containedIn sameAs"},
	"cr:FileSet":      {"@type @id name includes encodingFormat", "description containedIn excludes"},
	"cr:RecordSet":    {"@type @id name field", "description key data dataType examples"},
	"cr:Field":        {"@type @id name dataType source", "description repeated references subField parentField"},
	"sc:Organization": {"@type name", "url contactPoint"},
	"sc:ContactPoint": {"@type", "email url"},
}

// TestCroissant checks croissant.json against the vocabulary: required and known
// properties of each class, unique ids, references that resolve, digests.
func TestCroissant(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	frozen(t, dir, artifactstest.Tasks())
	text, err := load.ReadBytes(dir, artifacts.FileCroissant)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	if root["conformsTo"] != "http://mlcommons.org/croissant/1.0" || root["@type"] != "sc:Dataset" {
		t.Errorf("%v conforms to %v", root["@type"], root["conformsTo"])
	}
	context := root["@context"].(map[string]any)
	for term, iri := range map[string]string{"@vocab": "https://schema.org/", "cr": "http://mlcommons.org/croissant/", "sc": "https://schema.org/", "dct": "http://purl.org/dc/terms/"} {
		if context[term] != iri {
			t.Errorf("@context: %s is %v", term, context[term])
		}
	}
	w := &walk{t: t, context: context, ids: map[string]bool{}}
	w.node(root, "")
	for ref := range w.refs {
		if !w.ids[ref] {
			t.Errorf("nothing has the id %s", ref)
		}
	}
	m, err := load.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range root["distribution"].([]any) {
		f := d.(map[string]any)
		if f["@type"] == "cr:FileObject" && m.Files[f["contentUrl"].(string)].SHA256 != f["sha256"] {
			t.Errorf("%s: digest", f["@id"])
		}
		if f["@type"] == "cr:FileSet" {
			if found, err := filepath.Glob(filepath.Join(dir, f["includes"].(string))); err != nil || len(found) == 0 {
				t.Errorf("%s: no file matches %s", f["@id"], f["includes"])
			}
		}
	}
}

// walk checks the nodes of a Croissant description.
type walk struct {
	t       *testing.T
	context map[string]any
	ids     map[string]bool
	refs    map[string]bool
}

func (w *walk) node(v any, at string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			w.node(x, at)
		}
	case map[string]any:
		id, _ := v["@id"].(string)
		if len(v) == 1 && id != "" {
			if w.refs == nil {
				w.refs = map[string]bool{}
			}
			w.refs[id] = true
			return
		}
		if id != "" && w.ids[id] {
			w.t.Errorf("two nodes have the id %s", id)
		}
		w.ids[id] = true
		if class, ok := v["@type"].(string); ok {
			w.class(v, class, at+"/"+id)
		}
		for key, x := range v {
			if key != "@context" {
				w.node(x, at+"/"+key)
			}
		}
	}
}

func (w *walk) class(v map[string]any, class, at string) {
	known, ok := terms[class]
	if !ok {
		w.t.Errorf("%s: %s is no class of the vocabulary", at, class)
	}
	for _, p := range strings.Fields(known.required) {
		if v[p] == nil || v[p] == "" {
			w.t.Errorf("%s: %s lacks %s", at, class, p)
		}
	}
	for p := range v {
		if !regexp.MustCompile(`\b`+regexp.QuoteMeta(p)+`\b`).MatchString(strings.ReplaceAll(known.required+" "+known.allowed, "@", "")) && !strings.HasPrefix(p, "@") {
			w.t.Errorf("%s: %s has no %s", at, class, p)
		}
	}
	if d, ok := v["dataType"].(string); ok && !regexp.MustCompile(`^sc:(Text|Integer|Float|Boolean|URL|DateTime)$`).MatchString(d) {
		w.t.Errorf("%s: data type %s", at, d)
	}
}

// TestCardFrontMatter parses what the Hugging Face hub reads of the card, also
// where a title tries to break out of it.
func TestCardFrontMatter(t *testing.T) {
	d := artifactstest.Dataset(artifactstest.Tasks())
	d.Card.Title = "evil\"\n---\n# <script>|x|"
	dir := filepath.Join(t.TempDir(), "out")
	if err := freeze.Freeze(t.Context(), dir, d); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, artifacts.FileCard))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(text), "\n---\n", 2)
	var front struct {
		PrettyName string `yaml:"pretty_name"`
		License    string
		Configs    []struct {
			DataFiles []struct{ Split, Path string } `yaml:"data_files"`
		}
	}
	if err := yaml.Unmarshal([]byte(strings.TrimPrefix(parts[0], "---\n")), &front); err != nil {
		t.Fatal(err)
	}
	if front.PrettyName != d.Card.Title || front.License != "other" || len(front.Configs) != 5 {
		t.Errorf("front matter: %+v", front)
	}
	for _, c := range front.Configs {
		if _, err := os.Stat(filepath.Join(dir, c.DataFiles[0].Path)); err != nil {
			t.Error(err)
		}
	}
	if strings.Contains(parts[1], "<script>") {
		t.Error("markup of a title is in the card")
	}
}

// TestCardSaysWhoMadeIt reads the makers' words back from the card and from
// croissant.json; without them neither names anybody but the project.
func TestCardSaysWhoMadeIt(t *testing.T) {
	d := artifactstest.Dataset(artifactstest.Tasks())
	d.Card = card.DefaultCard()
	read := func() (string, columns.Croissant) {
		dir := filepath.Join(t.TempDir(), "out")
		if err := freeze.Freeze(t.Context(), dir, d); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, artifacts.FileCard))
		if err != nil {
			t.Fatal(err)
		}
		license, err := os.ReadFile(filepath.Join(dir, artifacts.FileLicense))
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, license...)
		var x columns.Croissant
		data, err := os.ReadFile(filepath.Join(dir, artifacts.FileCroissant))
		if err == nil {
			err = json.Unmarshal(data, &x)
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(text), x
	}
	text, x := read()
	if strings.Contains(text, "Made by") || strings.Contains(text, "## Citation") || x.Creator.Name != "not named" {
		t.Errorf("somebody is named: %+v", x.Creator)
	}
	d.Card.Creator, d.Card.Homepage, d.Card.Contact = "A. Lab", "https://lab.example/set", "takedown@lab.example"
	d.Card.License, d.Card.Citation, d.Card.Description = "https://lab.example/license", "Lab et al., 2026.", "What it is."
	text, x = read()
	for _, want := range []string{"Made by A. Lab; https://lab.example/set", "https://lab.example/license", "## Citation\n\nLab et al., 2026.", "What it is.", "write to takedown@lab.example."} {
		if !strings.Contains(text, want) {
			t.Errorf("the card does not say %q", want)
		}
	}
	if x.Creator.Contact.Email != d.Card.Contact || x.Creator.Name != "A. Lab" || x.URL != d.Card.Homepage || x.License != d.Card.License || x.CiteAs != d.Card.Citation || x.Description != d.Card.Description {
		t.Errorf("croissant.json: %+v", x)
	}
}
