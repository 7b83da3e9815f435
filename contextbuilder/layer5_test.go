package contextbuilder

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// TestChangedTestsComeFirst: layer 5 begins with the tests that the pull request
// changes, as they were.
func TestChangedTestsComeFirst(t *testing.T) {
	lines := strings.Split("def parse(text):\n    return text\n", "\n")
	tests := strings.Split("from shop.read import parse\n\n\ndef test_parse():\n"+strings.TrimSuffix(repeated(20, "    assert parse('%d') == '%d'\n"), "\n"), "\n")
	edits := make([]edit, len(tests)+1)
	edits[len(tests)-1] = edit{insert: []string{"    assert parse(' a') == 'a'"}, delete: true}
	change := mustParse(t, diffOf("shop/read.py", lines[:2], []edit{{}, {insert: []string{"    return text.strip()"}, delete: true}, {}})+diffOf("tests/test_other_name.py", tests, edits))
	r, err := newTestBuilder(DefaultOptions()).Build(Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Strip", Diff: change, Language: "Python", PRType: "bug_fix", FilesChanged: 2,
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
