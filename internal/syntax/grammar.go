package syntax

import (
	"errors"
	"slices"
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

// errorKind is the kind of the nodes for what the grammar did not
// understand.
const errorKind = "ERROR"

// grammar is one of tree-sitter's grammars with its names as Go strings, so that
// copying a node allocates nothing.
type grammar struct {
	lang    *sitter.Language
	kinds   []string // by symbol, like roles
	roles   []uint8
	fields  []string // by field id; "" for those that are never asked for
	extract func(b *builder)
}

// grammars holds the grammar of each language. They are immutable; each is made
// when first asked for.
var grammars = map[Language]func() *grammar{
	Python:     sync.OnceValue(func() *grammar { return newGrammar(python.GetLanguage(), extractPython, false, ":") }),
	JavaScript: sync.OnceValue(func() *grammar { return newGrammar(javascript.GetLanguage(), extractScript, true, ";", ",", "=", "*") }),
	TypeScript: sync.OnceValue(func() *grammar { return newGrammar(typescript.GetLanguage(), extractScript, true, ";", ",", "=", "*") }),
	TSX:        sync.OnceValue(func() *grammar { return newGrammar(tsx.GetLanguage(), extractScript, true, ";", ",", "=", "*") }),
	Go:         sync.OnceValue(func() *grammar { return newGrammar(golang.GetLanguage(), extractGo, false, "(", "{", "}") }),
	Java:       sync.OnceValue(func() *grammar { return newGrammar(java.GetLanguage(), extractJava, true) }),
}

// fieldNames are the fields that the extraction asks for.
var fieldNames = []string{
	"name", "alias", "module_name", "definition", "superclasses", "body", "left", "right", "type", "value",
	"function", "object", "attribute", "arguments", "parameters", "return_type", "decorator", "declaration",
	"source", "constructor", "property", "pattern", "key", "path", "package", "receiver", "result", "operand",
	"field", "declarator", "superclass", "interfaces", "scope", "tag", "condition", "consequence", "alternative",
	"initializer", "subscript", "index", "parameter", "argument", "element", "permits", "operator", "operators", "communication",
}

// leafKinds are nodes of which extraction wants only the text.
var leafKinds = map[string]bool{
	"string": true, "string_literal": true, "interpreted_string_literal": true, "raw_string_literal": true,
	"regex": true, "import_prefix": true,
}

// newGrammar makes a grammar from the tokens that its extraction asks for: these,
// and keywords if it asks for any.
func newGrammar(lang *sitter.Language, extract func(b *builder), keywords bool, tokens ...string) *grammar {
	g := &grammar{lang: lang, fields: []string{""}, extract: extract}
	for i := range lang.SymbolCount() {
		kind := lang.SymbolName(sitter.Symbol(i))
		g.kinds = append(g.kinds, kind)
		role := uint8(0)
		if lang.SymbolType(sitter.Symbol(i)) == sitter.SymbolTypeRegular {
			role = named | wanted
		}
		if keywords && kind[0] >= 'a' && kind[0] <= 'z' || slices.Contains(tokens, kind) {
			role |= wanted
		}
		if leafKinds[kind] {
			role |= leaf
		}
		g.roles = append(g.roles, role)
	}
	for id := 1; lang.FieldName(id) != ""; id++ {
		name := lang.FieldName(id)
		if !slices.Contains(fieldNames, name) {
			name = ""
		}
		g.fields = append(g.fields, name)
	}
	return g
}

// withTokens is the grammar for trees with all tokens.
func (g *grammar) withTokens() *grammar {
	all := *g
	all.roles = slices.Clone(g.roles)
	for i := range all.roles {
		all.roles[i] |= wanted
	}
	return &all
}

// kind is the name of a kind of node.
func (g *grammar) kind(symbol uint16) string {
	if int(symbol) >= len(g.kinds) {
		return errorKind
	}
	return g.kinds[symbol]
}

// parsers are those that no source is parsed with. One that the pool lets go closes
// itself.
var parsers = sync.Pool{New: func() any { return sitter.NewParser() }}

// withTree parses src and hands the C tree to use, which must not keep it. After a
// time limit a parser would resume the old text, but that a language is set resets it.
func (g *grammar) withTree(src []byte, limit time.Duration, use func(*sitter.Tree)) error {
	parser := parsers.Get().(*sitter.Parser)
	defer parsers.Put(parser)
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

// parse is the tree of a normalized source.
func (g *grammar) parse(lang Language, src []byte, opts Options) (t *tree, err error) {
	err = g.withTree(mask(lang, src), opts.TimeLimit, func(c *sitter.Tree) { t = copyTree(c, g, src, opts.MaxDepth) })
	return t, err
}

var errTimeLimit = errors.New("time limit")
