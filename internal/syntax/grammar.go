package syntax

import (
	"errors"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// errorKind is the kind of the nodes that stand for what the grammar did not
// understand.
const errorKind = "ERROR"

// grammar is one of tree-sitter's grammars with its names as Go strings, so that
// copying a node allocates nothing.
type grammar struct {
	lang    *sitter.Language
	kinds   []string
	named   []bool
	fields  map[string]string
	leaves  map[string]bool // kinds of nodes whose children are not copied
	extract func(b *builder)
}

// grammars holds the grammar of each language. They are immutable; each is made
// when first asked for.
var grammars = map[Language]func() *grammar{
	Python:     sync.OnceValue(func() *grammar { return newGrammar(python.GetLanguage(), extractPython) }),
	JavaScript: sync.OnceValue(func() *grammar { return newGrammar(javascript.GetLanguage(), extractScript) }),
	TypeScript: sync.OnceValue(func() *grammar { return newGrammar(typescript.GetLanguage(), extractScript) }),
	TSX:        sync.OnceValue(func() *grammar { return newGrammar(tsx.GetLanguage(), extractScript) }),
	Go:         sync.OnceValue(func() *grammar { return newGrammar(golang.GetLanguage(), extractGo) }),
	Java:       sync.OnceValue(func() *grammar { return newGrammar(java.GetLanguage(), extractJava) }),
}

// fieldNames are the fields that the extraction asks for.
var fieldNames = []string{
	"name", "alias", "module_name", "definition", "superclasses", "body", "left", "right", "type", "value",
	"function", "object", "attribute", "arguments", "parameters", "return_type", "decorator", "declaration",
	"source", "constructor", "property", "pattern", "key", "path", "package", "receiver", "result", "operand",
	"field", "declarator", "superclass", "interfaces", "scope", "tag", "condition", "consequence", "alternative",
	"initializer", "subscript", "index", "parameter", "argument", "element", "permits", "operator", "operators",
}

func newGrammar(lang *sitter.Language, extract func(b *builder)) *grammar {
	g := &grammar{lang: lang, fields: make(map[string]string, len(fieldNames)), leaves: leaves, extract: extract}
	for i := range lang.SymbolCount() {
		g.kinds = append(g.kinds, lang.SymbolName(sitter.Symbol(i)))
		g.named = append(g.named, lang.SymbolType(sitter.Symbol(i)) == sitter.SymbolTypeRegular)
	}
	for _, name := range fieldNames {
		g.fields[name] = name
	}
	return g
}

// symbol is the name of a kind of node, and whether it is a named one.
func (g *grammar) symbol(s sitter.Symbol) (string, bool) {
	if int(s) >= len(g.kinds) {
		return errorKind, true
	}
	return g.kinds[s], g.named[s]
}

// field is the name of a field, "" for those that are never asked for.
func (g *grammar) field(name string) string { return g.fields[name] }

// withTree parses src and hands the C tree to use, which must not keep it. One
// parser serves one source: after a time limit a parser would resume the old
// text.
func (g *grammar) withTree(src []byte, limit time.Duration, use func(*sitter.Tree)) error {
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(g.lang)
	parser.SetOperationLimit(int(limit.Microseconds()))
	//nolint:staticcheck // the variant with a context starts a goroutine that this one does not need
	tree := parser.Parse(nil, src)
	if tree == nil {
		return errTimeLimit
	}
	defer tree.Close()
	use(tree)
	return nil
}

var errTimeLimit = errors.New("time limit")
