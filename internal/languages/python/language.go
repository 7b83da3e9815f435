// Package python knows Python.
package python

import (
	"regexp"
	"strings"

	"github.com/smacker/go-tree-sitter/python"

	"github.com/prforge/prforge/internal/syntax"
)

// Language is Python, stubs of types included.
var Language = &syntax.Language{
	ID: "python", Name: "Python", Extensions: []string{".py", ".pyi"}, Family: &family,
	Grammar: syntax.NewGrammar(syntax.GrammarSpec{
		Source: python.GetLanguage, Extract: extract, Tokens: []string{":"},
		Leaves: []string{"string", "import_prefix"}, Strings: []string{"string"},
	}),
}

var family = syntax.Family{
	Folder:      "python",
	LineComment: "#",
	Indent:      "    ",
	Indented:    true,
	Lists: map[string]bool{"block": false, "argument_list": false, "dictionary": false, "list": false,
		"set": false},
	ImportStatements: true,
	ModuleFiles:      []string{".py", "/__init__.py"},
	ConfigFiles:      []string{"pyproject.toml", "setup.py", "setup.cfg"},
	Origin: func(path, module string) syntax.Origin {
		if root, _, _ := strings.Cut(path, "/"); strings.HasPrefix(module+".", root+".") {
			return syntax.OwnModule
		}
		return syntax.OtherModule
	},
	TestFiles: []string{`test_[^/]*\.pyi?`, `[^/]*_tests?\.pyi?`, `conftest\.py`, `tests?\.py`}, // pytest, Django
	TestHints: []string{"est"},
	Settings: []syntax.Setting{
		{
			Kind: syntax.Environment, Hints: []string{"env"},
			Matches: regexp.MustCompile(`(?:(?:^|[^\w.]|\bos\.)environ(?:\.get|\.setdefault|\.pop)?\s*[(\[]|\bgetenv\(|\benv(?:\.\w+)?\()` +
				`\s*["'](?P<name>[A-Za-z_]\w*)["']`),
		},
		{
			Kind: syntax.Flag, Hints: []string{"add_argument(", "ption("},
			Matches: regexp.MustCompile(`\b(?:add_argument|option|Option)\(\s*(?:["']-\w["'],\s*)?["'](?P<name>--?[\w-]+)["']`),
		},
		{
			Kind: syntax.Key, Hints: []string{"conf"},
			Matches: regexp.MustCompile(`\b(?:config|conf)(?:\.get|\.set|\.pop|\.setdefault)?\s*[(\[]\s*` + syntax.QuotedName),
		},
		{Kind: syntax.Key, Hints: []string{"settings"},
			Matches: regexp.MustCompile(`\bsettings(?:\.get)?\s*[(\[]\s*` + syntax.QuotedName)},
		{Kind: syntax.Key, Hints: []string{"Option("},
			Matches: regexp.MustCompile(`^\s*(?P<name>(?P<field>\w+))\s*=\s*Option\(`)},
		{
			Kind: syntax.Option, Hints: []string{"ield("},
			Matches: regexp.MustCompile(`^\s+(?P<name>(?P<field>\w+))\s*:[^=]+=\s*(?:\w+\.)?[Ff]ield\(`),
		},
		{
			Kind: syntax.Option, Hints: []string{"attr"},
			Matches: regexp.MustCompile(`^\s+(?P<name>(?P<field>\w+))\s*(?::[^=]+)?=\s*attrs?\.\w+\(`),
		},
	},
	OptionField: regexp.MustCompile(`^\s+(?P<name>[a-zA-Z]\w+)\s*(?::\s*[\w\[\]., |"']+)?(?:=\s*\S.*|:\s*\w.*)$`),
}
