// Package script knows JavaScript and TypeScript.
package script

import (
	"regexp"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/prforge/prforge/internal/syntax"
)

// The languages. JavaScript includes JSX.
var (
	JavaScript = &syntax.Language{
		ID: "javascript", Name: "JavaScript", Extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, Family: &family,
		Grammar: grammar(javascript.GetLanguage, nil),
	}
	TypeScript = &syntax.Language{
		ID: "typescript", Name: "TypeScript", Extensions: []string{".ts", ".mts", ".cts"}, Family: &family,
		Grammar: grammar(typescript.GetLanguage, mask),
	}
	TSX = &syntax.Language{
		ID: "tsx", Name: "TypeScript", Extensions: []string{".tsx"}, Family: &family,
		Grammar: grammar(tsx.GetLanguage, mask),
	}
)

func grammar(source func() *sitter.Language, mask func([]byte) []byte) *syntax.Grammar {
	return syntax.NewGrammar(syntax.GrammarSpec{
		Source: source, Extract: extract, Keywords: true, Tokens: []string{";", ",", "=", "*"},
		Leaves: []string{"string", "regex"}, Strings: []string{"string", "template_string"}, Mask: mask,
	})
}

var family = syntax.Family{
	Folder:      "script",
	LineComment: "//",
	Indent:      "  ",
	Lists: map[string]bool{
		"class_body": false, "interface_body": false, "enum_body": false, "statement_block": false, "switch_body": false,
		"switch_case": true, "switch_default": true, "arguments": false, "object": false, "array": false,
	},
	DotDefines:  true,
	ConfigFiles: []string{"package.json", "tsconfig.json", "jsconfig.json"},
	Origin: func(_, module string) syntax.Origin {
		if strings.HasPrefix(module, "node:") {
			return syntax.StandardModule
		}
		return syntax.OtherModule
	},
	// Jest, Vitest, Cypress, tsd
	TestFiles: []string{`[^/]*\.(?:test|tests|spec|specs|e2e|cy|test-d|spec-d)\.[cm]?[jt]sx?`, `tests?\.[cm]?[jt]sx?`},
	TestDirectories: []string{
		`__tests__`, `__mocks__`, `__snapshots__`, `__fixtures__`, `cypress`, `e2e(?:[-_]tests?)?`,
	},
	TestHints:        []string{"est", "pec", "e2e", "cypress", "__", ".cy."},
	DeclarationFiles: ".d.",
	Settings: []syntax.Setting{
		{
			Kind: syntax.Environment, Hints: []string{".env"},
			Matches: regexp.MustCompile(`\b(?:process|import\.meta|Deno|Bun)\.env(?:\.get\(\s*["'])?[.\["'` + "`" +
				`]*(?P<name>[A-Za-z_]\w*)`),
		},
		{
			Kind: syntax.Flag, Hints: []string{"ption("},
			Matches: regexp.MustCompile(`\.(?:option|requiredOption|addOption)\(\s*["'](?P<name>[\w\-, <>\[\].]+)["']`),
		},
		{
			Kind: syntax.Key, Hints: []string{".get(", ".set(", ".enable", ".disable", ".has("},
			Matches: regexp.MustCompile(`\b(?:app|this|config|conf|settings|nconf)\.(?:get|set|enable|disable|enabled|disabled|has)` +
				`\(\s*["'](?P<name>[\w .\-]+)["']`),
		},
	},
	OptionField: regexp.MustCompile(`^\s+(?:(?:public|private|protected|readonly|static)\s+)*(?P<name>[a-zA-Z]\w+)[?!]?\s*:\s*\S`),
}
