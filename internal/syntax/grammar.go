package syntax

import (
	"errors"
	"slices"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

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

func newGrammar(spec GrammarSpec) *grammar {
	lang := spec.Source()
	g := &grammar{lang: lang, mask: spec.Mask, fields: []string{""}, strings: map[string]bool{}}
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

// masked is the source as the parser reads it.
func (g *grammar) masked(src []byte) []byte {
	if g.mask == nil {
		return src
	}
	return g.mask(src)
}

// parsers are the idle parsers. A parser that the pool drops closes itself.
var parsers = sync.Pool{New: func() any { return sitter.NewParser() }}

// withTree parses src and passes the C tree to use, which must not keep it. After a
// time limit a parser would resume the old text; setting the language resets it.
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
