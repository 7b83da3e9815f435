// Package csharp knows C#.
package csharp

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/smacker/go-tree-sitter/csharp"

	"github.com/prforge/prforge/internal/syntax"
)

// Language is C#.
var Language = &syntax.Language{
	ID: "csharp", Name: "C#", Extensions: []string{".cs"}, Family: &family,
	Grammar: syntax.NewGrammar(syntax.GrammarSpec{
		Source: csharp.GetLanguage, Extract: extract, Keywords: true, Tokens: []string{";", ","},
		Leaves:  []string{"string_literal", "verbatim_string_literal", "raw_string_literal", "character_literal"},
		Strings: []string{"string_literal"},
	}),
}

var family = syntax.Family{
	Folder:      "csharp",
	LineComment: "//",
	Indent:      "    ",
	Lists: map[string]bool{
		"block": false, "declaration_list": false, "switch_body": false, "switch_section": true,
		"initializer_expression": false,
		"accessor_list":          false, "enum_member_declaration_list": false,
	},
	Labels: []string{"constant_pattern", "case_switch_label", "default_switch_label", "case_pattern_switch_label",
		"declaration_pattern", "when_clause"},
	ImplicitThis:  true,
	OpenTypes:     true,
	Overloads:     true,
	TypeWords:     []string{"class", "interface", "enum", "record", "struct"},
	PackageClause: packageClause,
	ModuleFiles:   []string{".cs"},
	ConfigFiles:   []string{projectFile},
	Origin: func(_, module string) syntax.Origin {
		if first, _, _ := strings.Cut(module, "."); first == "System" || first == "Microsoft" {
			return syntax.StandardModule
		}
		return syntax.OtherModule
	},
	TestFiles:       []string{`[^/]*(?:Tests?|Specs?|Facts?|Fixtures?)\.cs`},
	TestDirectories: []string{`[^/]*\.(?:[A-Z]\w*)?Tests?(?:\.\w+)*`, `[A-Z]\w*Tests`},
	TestHints:       []string{"est", "pec", "Fact", "Fixture"},
	Settings: []syntax.Setting{
		{
			Kind: syntax.Environment, Hints: []string{"EnvironmentVariable("},
			Matches: regexp.MustCompile(`\b(?:Get|Set)EnvironmentVariable\(\s*` + syntax.QuotedName),
		},
		{
			Kind: syntax.Key, Hints: []string{"onfig", "ettings"},
			Matches: regexp.MustCompile(`\b\w*(?:[cC]onfig(?:uration)?|[sS]ettings|AppSettings)(?:\.(?:GetValue(?:<[^>]*>)?|GetSection|GetConnectionString|Get|Bind))?\s*[(\[]\s*` + syntax.QuotedName),
		},
		{Kind: syntax.Key, Hints: []string{"GetSection(", "GetValue<"},
			Matches: regexp.MustCompile(`\.(?:GetSection|GetValue<[^>]*>)\(\s*` + syntax.QuotedName)},
		{Kind: syntax.Flag, Hints: []string{"Option"},
			Matches: regexp.MustCompile(`\b(?:new Option(?:<[^>]*>)?\(|\[Option\(|\.AddOption\()\s*(?:'\w',\s*)?"(?P<name>-{0,2}[\w-]+)"`)},
		{Kind: syntax.Tag, Hints: []string{"PropertyName", "ConfigurationKeyName"},
			Matches: regexp.MustCompile(`\[(?:Json|Config)\w*(?:PropertyName|KeyName)\("(?P<name>[\w.\-]+)"`)},
		{Kind: syntax.Property, Hints: []string{"TryGetSwitch(", "SetSwitch("},
			Matches: regexp.MustCompile(`\bAppContext\.(?:TryGet|Set)Switch\(\s*` + syntax.QuotedName)},
	},
	OptionField: regexp.MustCompile(`^\s+(?:(?:public|private|protected|internal|static|readonly|required|virtual)\s+)+[\w<>\[\], .?]+` +
		`\s(?P<name>[a-zA-Z]\w+)\s*(?:\{|=|;).*`),
}

// packageClause is the first namespace that a source declares.
func packageClause(src []byte) string {
	for line := range bytes.Lines(src) {
		if name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("namespace ")); ok {
			return string(bytes.TrimRight(bytes.TrimSpace(name), "; {"))
		}
	}
	return ""
}

// projectFile is the extension of a project, whose files share global usings.
const projectFile = ".csproj"
