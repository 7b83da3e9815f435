package contextbuilder

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// TestTests_MentionWhatChanged: a test must mention what changed, or what calls it. To make an object of the type, to
// import the file or to be named after it is not enough.
func TestTests_MentionWhatChanged(t *testing.T) {
	for _, c := range []struct {
		name, path string
		base       memory
		edits      map[string]string
		has, lacks []string
	}{
		{"a type that is only built", "shop/service.go", memory{
			"shop/service.go":      "package shop\n\ntype orderService struct {\n\tname string\n}\n\nfunc (s *orderService) Close() string {\n\treturn s.name\n}\n",
			"shop/ps_test.go":      "package shop\n\nimport \"testing\"\n\nfunc TestPs(t *testing.T) {\n\ts := orderService{}\n\tassert.Equal(t, s.Close(), \"\")\n}\n",
			"shop/service_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestBuild(t *testing.T) {\n\ts := orderService{}\n\tassert.Equal(t, s, 1)\n}\n",
		}, map[string]string{"name string": "\tname fmt.Stringer"}, nil, []string{"func TestPs", "func TestBuild"}},
		{"one of two blocks of a type", "src/block.rs", memory{
			"src/block.rs": "pub struct Block;\n\nimpl Clone for Block {\n    fn clone(&self) -> Self { Block }\n}\n\nimpl Block {\n    // members\n    pub fn width(&self) -> u32 {\n        1\n    }\n}\n\n" +
				"#[cfg(test)]\nmod tests {\n    #[test]\n    fn duration() {\n        let b = Block::new();\n        assert_eq!(b.duration(), 2);\n    }\n}\n",
		}, map[string]string{"// members": "    // more members"}, nil, []string{"fn duration"}},
		{"what a test file is named after", "shop/read.py", memory{
			"shop/read.py": "def _strip(text):\n    return text\n\n\ndef parse(text):\n    return _strip(text)\n\n\ndef dump(text):\n    return text\n",
			"tests/test_read.py": "from shop.read import parse, dump, _strip\n\n\ndef test_dump():\n    assert dump('a') == 'a'\n\n\n" +
				"def test_parse():\n    assert parse('b') == 'b'\n\n\ndef test_space():\n    assert _strip('c') == 'c'\n",
		}, map[string]string{"return text": "    return text.strip()"}, []string{"def test_space", "def test_parse"}, nil},
		{"another file of that name", "shop/v2/reader.py", memory{
			"shop/v1/reader.py":    "def read(text):\n    return text\n",
			"shop/v2/reader.py":    "def read(text):\n    return text + '2'\n",
			"tests/test_reader.py": "from shop.v1.reader import read\n\n\ndef test_read():\n    assert read('a') == 'a'\n",
		}, map[string]string{"return text + '2'": "    return text"}, nil, []string{"def test_read"}},
		{"a member of a common name", "src/repl.py", memory{
			"src/repl.py":          "class Session:\n    def initialize(self):\n        return 1\n",
			"src/tests/test_ls.py": "def test_lsp():\n    client.initialize()\n    assert client.done\n",
		}, map[string]string{"return 1": "        return 2"}, nil, []string{"def test_lsp"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			wants(t, layerOf(t, 5, c.base, c.path, c.edits), c.has, c.lacks)
		})
	}
}

// TestTests_OthersAreLeftOut: of a file of tests those that mention neither what changed nor what calls it are left out.
func TestTests_OthersAreLeftOut(t *testing.T) {
	base := memory{
		"shop/read.py":       "def _strip(text):\n    return text + ''\n\n\ndef parse(text):\n    return _strip(text)\n\n\ndef dump(text):\n    return text\n",
		"tests/test_read.py": "from shop.read import parse, dump\n\n\ndef test_dump():\n    assert dump('a') == 'a'\n\n\ndef test_parse():\n    assert parse('b') == 'b'\n",
	}
	layer := layerOf(t, 5, base, "shop/read.py", map[string]string{"return text + ''": "    return text.strip()"})
	wants(t, layer, []string{"def test_parse"}, []string{"def test_dump"})
}

// TestTests_LikeThoseAdded: where a pull request adds tests to a file, those of the file that are like them are shown.
func TestTests_LikeThoseAdded(t *testing.T) {
	code := strings.Split("class Buffer:\n    # members\n    def size(self):\n        return 1", "\n")
	tests := strings.Split("def test_contiguous():\n    empty = Buffer(DEFAULT)\n    assert empty.is_contiguous()\n\n\n"+
		"def test_writable():\n    empty = Buffer(DEFAULT)\n    assert not empty.is_writable()\n\n\n"+
		"def test_read_sequence():\n    empty = Buffer(DEFAULT)\n    assert empty.read_sequence(0, US_ASCII) == ''", "\n")
	edits := make([]edit, len(tests)+1)
	edits[len(tests)].insert = strings.Split("\n\ndef test_read_string():\n    empty = Buffer(DEFAULT)\n    assert empty.read_string(0, US_ASCII) == ''", "\n")
	diff := diffOf("shop/buffer.py", code, []edit{{}, {}, {insert: []string{"    def read_string(self, n, charset):", "        return ''"}}, {}, {}}) + diffOf("tests/test_other.py", tests, edits)
	r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Read", Diff: mustParse(t, diff), Language: "Python", PRType: "feature", FilesChanged: 2,
		Base: memory{"shop/buffer.py": strings.Join(code, "\n") + "\n", "tests/test_other.py": strings.Join(tests, "\n") + "\n"}})
	if err != nil {
		t.Fatal(err)
	}
	_, layer, _ := strings.Cut(r.C.Rendered, "## Layer 5")
	wants(t, layer, []string{"def test_read_sequence"}, []string{"def test_contiguous", "def test_writable"})
}

// TestFolderTests: tests named after the folder of a file are offered beside those that import it.
func TestFolderTests(t *testing.T) {
	base := memory{
		"cli/repl/session.py": "def evaluate(text):\n    return text\n",
		"tests/test_repl.py":  "def test_console():\n    assert console.evaluate('1') == '1'\n",
		"tests/test_one.py":   "from cli.repl.session import evaluate\n\n\ndef test_one():\n    assert evaluate('1') == '1'\n",
	}
	layer := layerOf(t, 5, base, "cli/repl/session.py", map[string]string{"return text": "    return text + ''"})
	wants(t, layer, []string{"def test_one", "def test_console"}, nil)
}
