package contextbuilder

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// TestChangedTestsComeFirst: layer 5 begins with the tests that the pull request
// changes, as they were.
func TestChangedTestsComeFirst(t *testing.T) {
	lines := strings.Split("def parse(text):\n    return text\n", "\n")
	tests := strings.Split("from shop.read import parse\n\n\ndef test_parse():\n"+strings.TrimSuffix(repeated(20, "    assert parse('%d') == '%d'\n"), "\n"), "\n")
	edits := make([]edit, len(tests)+1)
	edits[len(tests)-1] = edit{insert: []string{"    assert parse(' a') == 'a'"}, delete: true}
	change := mustParse(t, diffOf("shop/read.py", lines[:2], []edit{{}, {insert: []string{"    return text.strip()"}, delete: true}, {}})+diffOf("tests/test_other_name.py", tests, edits))
	r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Strip", Diff: change, Language: "Python", PRType: "bug_fix", FilesChanged: 2,
		Base: memory{"shop/read.py": strings.Join(lines, "\n"), "tests/test_other_name.py": strings.Join(tests, "\n") + "\n",
			"tests/test_read.py": "from shop.read import parse\n\n\ndef test_parse_many():\n    assert parse('b') == 'b'\n"}})
	if err != nil {
		t.Fatal(err)
	}
	_, layer, _ := strings.Cut(r.C.Rendered, "## Layer 5")
	first, second := strings.Index(layer, "tests/test_other_name.py"), strings.Index(layer, "tests/test_read.py")
	if first < 0 || second < first {
		t.Errorf("the changed test does not come first:\n%s", layer)
	}
}

// TestHandlersLeadToTests: a getter that a string names leads to the test file of
// that name.
func TestHandlersLeadToTests(t *testing.T) {
	base := memory{
		"lib/request.js":    "var req = {};\n\ndefineGetter(req, 'fresh', function () {\n  var status = this.res.status;\n  return status > 1;\n});\n\nmodule.exports = req;\n",
		"test/req.fresh.js": "describe('req', function () {\n  describe('.fresh', function () {\n    it('should be false', function (done) {\n      assert.equal(get('/').fresh, false);\n    });\n  });\n});\n",
	}
	layer := layerOf(t, 5, base, "lib/request.js", map[string]string{"return status > 1;": "  return status > 2;"})
	wants(t, layer, []string{"test/req.fresh.js", "should be false"}, nil)
}

// TestChangedTestFileOfAClass: a pull request that only adds a test shows the
// others of its file, also in a class whose name begins with a small letter, and
// for a changed function with a short name.
func TestChangedTestFileOfAClass(t *testing.T) {
	lines := strings.Split("class Dispatcher:\n    def send(self, event):\n        return event", "\n")
	tests := strings.Split("class test_Dispatcher:\n    def test_send(self):\n        assert self.dispatcher.send(1) == 1\n"+strings.TrimSuffix(repeated(9, "    # %d %d\n"), "\n"), "\n")
	edits := make([]edit, len(tests)+1)
	edits[len(tests)] = edit{insert: []string{"", "    def test_more(self):", "        pass"}}
	change := mustParse(t, diffOf("shop/send.py", lines, []edit{{}, {}, {insert: []string{"        return event or None"}, delete: true}, {}})+diffOf("t/unit/test_events.py", tests, edits))
	r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Send", Diff: change, Language: "Python", PRType: "bug_fix", FilesChanged: 2,
		Base: memory{"shop/send.py": strings.Join(lines, "\n") + "\n", "t/unit/test_events.py": strings.Join(tests, "\n") + "\n"}})
	if err != nil {
		t.Fatal(err)
	}
	_, layer, _ := strings.Cut(r.C.Rendered, "## Layer 5")
	wants(t, layer, []string{"def test_send(self):", "assert self.dispatcher.send(1) == 1"}, nil)
}

// TestSnapshotsAreLeftOut: the text that a test recorded takes no room.
func TestSnapshotsAreLeftOut(t *testing.T) {
	base := memory{
		"lib/render.js":      "export function renderPage(page) {\n  var body = page.body;\n  return body + 1;\n}\n",
		"lib/render.spec.js": "import { renderPage } from './render.js';\n\ntest('renders', () => {\n  expect(renderPage(1)).toMatchInlineSnapshot(`\n    <p>\n    </p>\n  `);\n});\n",
	}
	layer := layerOf(t, 5, base, "lib/render.js", map[string]string{"return body + 1;": "  return body + 2;"})
	wants(t, layer, []string{"toMatchInlineSnapshot(`...`);"}, []string{"<p>"})
}

// TestNamedTests_Crates: a test of a like name in another crate of Rust tests something else, unless its folder is one of the subject's.
func TestNamedTests_Crates(t *testing.T) {
	tests := []string{"tests/builder/env.rs", "examples/testing/src/tests/env.rs", "clap_complete/tests/testsuite/env.rs"}
	for subject, want := range map[string]string{
		"clap_complete/src/env/mod.rs":     "clap_complete/tests/testsuite/env.rs",
		"clap_builder/src/builder/env.rs":  "tests/builder/env.rs",
		"clap_builder/src/mkeymap/env.rs":  "",
		"clap_complete/src/engine/env.rs":  "clap_complete/tests/testsuite/env.rs",
		"clap_complete_nushell/src/env.rs": "",
		"examples/env/src/env.rs":          "",
	} {
		s := &changedFile{change: &change{diff: &unidiff.File{OldPath: subject}}}
		if got := strings.Join(namedTests(tests, s), " "); got != want {
			t.Errorf("%s: %q, want %q", subject, got, want)
		}
	}
}
