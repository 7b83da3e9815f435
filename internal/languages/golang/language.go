// Package golang knows Go.
package golang

import (
	"regexp"
	"strings"

	"github.com/smacker/go-tree-sitter/golang"

	"github.com/prforge/prforge/internal/syntax"
)

// Language is Go.
var Language = &syntax.Language{
	ID: "go", Name: "Go", Extensions: []string{".go"}, Family: &family,
	Grammar: syntax.NewGrammar(syntax.GrammarSpec{
		Source: golang.GetLanguage, Extract: extract, Tokens: []string{"(", "{", "}"},
		Leaves:  []string{"interpreted_string_literal", "raw_string_literal"},
		Strings: []string{"interpreted_string_literal", "raw_string_literal"},
	}),
}

var family = syntax.Family{
	Folder:        "golang",
	LineComment:   "//",
	Indent:        "\t",
	TightLiterals: true,
	ImportKeyword: "import",
	Lists: map[string]bool{
		"block": false, "expression_case": true, "type_case": true, "default_case": true, "communication_case": true,
		"field_declaration_list": false, "interface_type": false, "argument_list": false, "literal_value": false,
	},
	OpenTypes:     true,
	NamedReceiver: true,
	ConfigFiles:   []string{"go.mod", "go.work"},
	CallsNoField:  true,
	Origin: func(_, module string) syntax.Origin {
		if first, _, _ := strings.Cut(module, "/"); !strings.Contains(first, ".") {
			return syntax.StandardModule
		}
		return syntax.OtherModule
	},
	TestFiles:    []string{`[^/]*_test\.go`},
	TestHints:    []string{"est"},
	ParsesAsTest: isTestFile,
	Settings: []syntax.Setting{
		{
			Kind: syntax.Environment, Hints: []string{"env", "Env"},
			Matches: regexp.MustCompile(`\b(?:[Gg]etenv|[Ll]ookupEnv|BindEnv|GetEnv\w*)\(\s*` + syntax.QuotedName),
		},
		{
			Kind: syntax.Flag, Hints: []string{"lag", "fs."},
			Matches: regexp.MustCompile(`\b(?:[fF]lag\w*|Flags\(\)|PersistentFlags\(\)|fs|pflag)\.` +
				`(?:String|Bool|U?[Ii]nt|Float|Duration|Count|IP|Func|Text|Var|Lookup|Changed|Get)\w*\(\s*(?:&?(?P<field>[\w.]+)\s*,\s*)?` +
				syntax.QuotedName),
		},
		{Kind: syntax.Key, Hints: []string{"viper."},
			Matches: regexp.MustCompile(`\bviper\.(?:Get|Set|Is|Bind)\w*\(\s*` + syntax.QuotedName)},
		{
			Kind: syntax.Tag, Hints: []string{":\""},
			Matches: regexp.MustCompile("^\\s*(?P<field>\\w+)\\s+\\S.*`.*" +
				"\\b(?:json|yaml|mapstructure|env|envconfig|toml|koanf|hcl|long|flag):\"(?P<name>[\\w.\\-]+)"),
		},
	},
	OptionField: regexp.MustCompile(`^\s+(?P<name>[a-zA-Z]\w+)\s+[\w*\[\]]`),
}

// isTestFile: by the go command's rule tests are in files of such names.
func isTestFile(path string) bool { return strings.HasSuffix(path, "_test.go") }
