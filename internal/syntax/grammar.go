package syntax

import (
	"errors"
	"slices"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

// ErrorKind is the kind of the nodes for what the grammar did not understand.
const ErrorKind = "ERROR"

// GrammarSpec is what a language says of its grammar.
type GrammarSpec struct {
	// Source is the grammar of tree-sitter.
	Source func() *sitter.Language
	// Extract fills a File.
	Extract func(b *Builder)
	// Tokens are the ones that Extract asks for; Keywords adds all words among them.
	Tokens   []string
	Keywords bool
	// Leaves are the kinds of nodes for which Extract needs only the text.
	Leaves []string
	// Strings are the kinds of string literals.
	Strings []string
	// Mask blanks out what the grammar does not know yet and what can be left out
	// without changing what the rest means. Offsets stay. nil leaves all as it is.
	Mask func(src []byte) []byte
}

// Grammar is one of tree-sitter's grammars, made when it is first asked for.
type Grammar struct {
	spec GrammarSpec
	get  func() *grammar
	// whole is the grammar with all tokens and the inside of leaves.
	whole func() *grammar
}

// NewGrammar prepares a grammar.
func NewGrammar(spec GrammarSpec) *Grammar {
	g := &Grammar{spec: spec, get: sync.OnceValue(func() *grammar { return newGrammar(spec) })}
	g.whole = sync.OnceValue(func() *grammar {
		all := *g.get()
		all.roles = slices.Clone(all.roles)
		for i := range all.roles {
			all.roles[i] = all.roles[i]&^leaf | wanted
		}
		return &all
	})
	return g
}

// grammar has the names of a grammar as Go strings, so that copying a node
// allocates nothing. It is immutable.
type grammar struct {
	GrammarSpec
	lang    *sitter.Language
	kinds   []string // by symbol, like roles
	roles   []uint8
	fields  []string // by field id
	strings map[string]bool
}

func newGrammar(spec GrammarSpec) *grammar {
	lang := spec.Source()
	g := &grammar{GrammarSpec: spec, lang: lang, fields: []string{""}, strings: map[string]bool{}}
	for i := range lang.SymbolCount() {
		kind := lang.SymbolName(sitter.Symbol(i))
		g.kinds = append(g.kinds, kind)
		role := uint8(0)
		if lang.SymbolType(sitter.Symbol(i)) == sitter.SymbolTypeRegular {
			role = named | wanted
		}
		if spec.Keywords && kind[0] >= 'a' && kind[0] <= 'z' || slices.Contains(spec.Tokens, kind) {
			role |= wanted
		}
		if slices.Contains(spec.Leaves, kind) {
			role |= leaf
		}
		g.roles = append(g.roles, role)
	}
	for id := 1; lang.FieldName(id) != ""; id++ {
		g.fields = append(g.fields, lang.FieldName(id))
	}
	for _, kind := range spec.Strings {
		g.strings[kind] = true
	}
	return g
}

// masked is the source for the parser alone.
func (g *grammar) masked(src []byte) []byte {
	if g.Mask == nil {
		return src
	}
	return g.Mask(src)
}

// kind is the name of a kind of node.
func (g *grammar) kind(symbol uint16) string {
	if int(symbol) >= len(g.kinds) {
		return ErrorKind
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
func (g *grammar) parse(src []byte, opts Options) (t *tree, err error) {
	err = g.withTree(g.masked(src), opts.TimeLimit, func(c *sitter.Tree) { t = copyTree(c, g, src, opts.MaxDepth) })
	return t, err
}

var errTimeLimit = errors.New("time limit")
