// Package rust knows Rust.
package rust

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/smacker/go-tree-sitter/rust"

	"github.com/prforge/prforge/internal/syntax"
)

// Language is Rust.
var Language = &syntax.Language{
	ID: "rust", Name: "Rust", Extensions: []string{".rs"}, Family: &family,
	Grammar: syntax.NewGrammar(syntax.GrammarSpec{
		Source: rust.GetLanguage, Extract: extract, Tokens: []string{".", "::", ","},
		Leaves:  []string{"string_literal", "raw_string_literal", "visibility_modifier", "lifetime"},
		Strings: []string{"string_literal"},
	}),
}

var family = syntax.Family{
	Folder:      "rust",
	LineComment: "//",
	Indent:      "    ",
	Lists: map[string]bool{
		"block": false, "declaration_list": false, "match_block": false, "arguments": false, "field_declaration_list": false,
		"enum_variant_list": false, "field_initializer_list": false, "array_expression": false,
	},
	OpenTypes:    true,
	CallsNoField: true,
	InlineTests:  true,
	ModuleFiles:  []string{".rs", "/mod.rs"},
	ConfigFiles:  []string{manifest},
	Origin: func(_, module string) syntax.Origin {
		switch first, _, _ := strings.Cut(module, "."); first {
		case "crate", "self", parent:
			return syntax.OwnModule
		case "std", "core", "alloc":
			return syntax.StandardModule
		}
		return syntax.OtherModule
	},
	TestFiles:       []string{`tests?\.rs`, `[^/]*_tests\.rs`},
	TestDirectories: []string{`benches`},
	TestHints:       []string{"est", "benches"},
	TestsReach:      testsReach,
	Settings: []syntax.Setting{
		{
			Kind: syntax.Environment, Hints: []string{"env", "VAR"},
			Matches: regexp.MustCompile(`\b(?:env::var(?:_os)?|option_env!|env!|var_os|get_env\w*|env_var\w*)\s*\(\s*"(?P<name>[A-Za-z_]\w*)"`),
		},
		{Kind: syntax.Environment, Hints: []string{"env ="},
			Matches: regexp.MustCompile(`#\[(?:arg|clap)\(.*\benv\s*=\s*"(?P<name>\w+)"`)},
		{Kind: syntax.Flag, Hints: []string{"long"},
			Matches: regexp.MustCompile(`(?:#\[(?:arg|clap|structopt|argh)\(.*\blong\s*=|\.long\()\s*"(?P<name>[\w-]+)"`)},
		{Kind: syntax.Flag, Hints: []string{"Arg::new("}, Matches: regexp.MustCompile(`\bArg::new\(\s*"(?P<name>[\w-]+)"`)},
		{Kind: syntax.Tag, Hints: []string{"rename"},
			Matches: regexp.MustCompile(`#\[serde\(.*\brename\s*=\s*"(?P<name>[\w.\-]+)"`)},
		{
			Kind: syntax.Key, Hints: []string{".get", ".set"},
			Matches: regexp.MustCompile(`\b(?:config|conf|cfg|settings)\.(?:get|set)(?:_\w+)?(?:::<[^>]*>)?\(\s*` +
				syntax.QuotedName),
		},
		{Kind: syntax.Key, Hints: []string{"feature"},
			Matches: regexp.MustCompile(`\bcfg!\(\s*feature\s*=\s*"(?P<name>[\w-]+)"`)},
	},
	OptionField: regexp.MustCompile(`^\s+(?:pub(?:\([^)]*\))?\s+)?(?P<name>[a-z]\w+)\s*:\s*[\w&<(\[]`),
}

// targets matches the folder of a crate that holds its code or its tests.
var targets = regexp.MustCompile(`(?:^|/)(?:src|tests|benches)/`)

// testsReach holds a test to its own crate: a like name in another crate says nothing. But a facade holds the tests of
// the crates that it shows, in folders of the same names.
func testsReach(test, subject string) bool {
	a, b := targets.FindStringIndex(test), targets.FindStringIndex(subject)
	if a == nil || b == nil || test[:a[0]] == subject[:b[0]] {
		return true
	}
	folders := strings.Split(subject[b[1]:], "/")
	for folder := range strings.SplitSeq(path.Dir(test[a[1]:]), "/") {
		if slices.Contains(folders[:len(folders)-1], folder) {
			return true
		}
	}
	return false
}

// manifest is the name of a package's manifest.
const manifest = "Cargo.toml"
