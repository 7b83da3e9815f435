// Package java knows Java.
package java

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/smacker/go-tree-sitter/java"

	"github.com/prforge/prforge/internal/syntax"
)

// Language is Java.
var Language = &syntax.Language{
	ID: "java", Name: "Java", Extensions: []string{".java"}, Family: &family,
	Grammar: syntax.NewGrammar(syntax.GrammarSpec{
		Source: java.GetLanguage, Extract: extract, Keywords: true,
		Leaves: []string{"string_literal"}, Strings: []string{"string_literal"},
	}),
}

// In family.Lists the arguments of a call are missing, since no comma may be left
// before the parenthesis, and so is the body of an enum, which a semicolon may
// follow.
var family = syntax.Family{
	Folder:      "java",
	LineComment: "//",
	Indent:      "    ",
	Lists: map[string]bool{
		"block": false, "constructor_body": false, "class_body": false, "interface_body": false,
		"enum_body_declarations": false,
		"switch_block":           false, "switch_block_statement_group": true, "array_initializer": false,
	},
	Labels:        []string{"switch_label"},
	ImplicitThis:  true,
	Overloads:     true,
	TypeWords:     []string{"class", "interface", "enum", "record"},
	PackageClause: packageClause,
	ModuleFiles:   []string{".java"},
	Origin: func(_, module string) syntax.Origin {
		if strings.HasPrefix(module, "java.") || strings.HasPrefix(module, "javax.") {
			return syntax.StandardModule
		}
		return syntax.OtherModule
	},
	// Surefire, Failsafe, Spock
	TestFiles: []string{`[^/]*(?:Test|Tests|TestCase|IT|ITCase|Spec)\.(?:java|kt|scala|groovy)`,
		`Test[A-Z][^/]*\.java`},
	TestDirectories: []string{`src/(?:[a-z0-9]*Tests?|testFixtures)`}, // Gradle source sets: androidTest
	TestHints:       []string{"est", "IT", "pec"},
	Settings: []syntax.Setting{
		{Kind: syntax.Environment, Hints: []string{"getenv("},
			Matches: regexp.MustCompile(`\bgetenv\(\s*` + syntax.QuotedName)},
		{
			Kind: syntax.Property, Hints: []string{"ropert", ".getBoolean(", ".getInteger(", ".getLong("},
			Matches: regexp.MustCompile(`\b(?:System\.getProperty|Boolean\.getBoolean|Integer\.getInteger|Long\.getLong` +
				`|\w*[Pp]ropert(?:y|ies)\w*\.get\w*)\(\s*` + syntax.QuotedName),
		},
		{Kind: syntax.Property, Hints: []string{"@Value("},
			Matches: regexp.MustCompile(`@Value\(\s*"\$\{(?P<name>[\w.\-]+)`)},
		{
			Kind: syntax.Flag, Hints: []string{"Option(", "Parameter("},
			Matches: regexp.MustCompile(`@(?:\w+\.)?(?:Option|Parameter)\([^"]*"(?P<name>--?[\w-]+)"`),
		},
		{
			Kind: syntax.Key, Hints: []string{"valueOf("},
			Matches: regexp.MustCompile(`\bvalueOf\((?:\w+\.class,\s*)?"(?P<name>[A-Z][A-Z0-9_]{3,})"`),
		},
	},
	OptionField: regexp.MustCompile(`^\s+(?:(?:public|private|protected|static|final|volatile)\s+)+[\w<>\[\], .?]+` +
		`\s(?P<name>[a-zA-Z]\w+)\s*(?:=.*)?;`),
}

// packageClause is the package of the first line that begins with the word, a
// comment before it left out; "" if there is none.
func packageClause(src []byte) string {
	rest := src
	for len(rest) > 0 {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if i := bytes.LastIndex(line, []byte("*/")); i >= 0 {
			line = bytes.TrimSpace(line[i+2:])
		}
		if name, ok := bytes.CutPrefix(line, []byte("package ")); ok {
			name, _, _ = bytes.Cut(name, []byte(";"))
			return string(bytes.TrimSpace(name))
		}
	}
	return ""
}
