package syntax

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	sitter "github.com/smacker/go-tree-sitter"
)

// Parse reads a source file. It never fails: a file that cannot be parsed is
// Degraded. src is not kept.
// A language of nil is one that is not supported.
func Parse(lang *Language, path string, src []byte, opts Options) *File {
	f, t := parse(lang, path, src, opts)
	if t != nil {
		t.giveBack()
	}
	return f
}

// parse is Parse with the tree, nil for a file that has none.
func parse(lang *Language, path string, src []byte, opts Options) (*File, *tree) {
	f := &File{Path: path, Language: lang, windowLines: max(opts.WindowLines, 1)}
	if len(src) > 2*opts.MaxBytes { // not even normalized: UTF-16 halves at best
		f.Lines = countLines(src)
		f.Degraded = ReasonTooLarge
		return f, nil
	}
	src = Normalize(src)
	f.Lines = countLines(src)
	if f.Degraded = refuse(src, lang != nil, opts); f.Degraded != "" {
		return f, nil
	}
	t, err := lang.Grammar.get().parse(src, opts)
	if err != nil {
		f.Degraded = ReasonTimeLimit
		return f, nil
	}
	f.Errors = t.errors
	if t.kind(0) == ErrorKind || float64(t.lost) > opts.MaxErrorShare*float64(len(src)) {
		f.Degraded = ReasonErrors
		return f, t
	}
	b := newBuilder(t, f)
	defer b.giveBack()
	lang.Grammar.spec.Extract(b)
	b.finish()
	if len(f.Definitions) > opts.MaxDefinitions {
		return &File{Path: path, Language: lang, Lines: f.Lines, Errors: f.Errors, Degraded: ReasonTooMany,
			windowLines: f.windowLines}, t
	}
	return f, t
}

// parsesLimit is the time limit of Parses.
const parsesLimit = 5 * time.Second

// Parses reports whether the fragment is legal text of the language on its own,
// without any syntax error. Fragments beyond the default limits do not parse.
func Parses(lang *Language, fragment string) bool {
	src := []byte(fragment)
	if refuse(src, lang != nil, DefaultOptions()) != "" || !utf8.Valid(src) {
		return false
	}
	legal := false
	g := lang.Grammar.get()
	err := g.withTree(g.masked(src), parsesLimit, func(c *sitter.Tree) { legal = !c.RootNode().HasError() })
	return err == nil && legal
}

// ErrNoTree says that a source has no tree that edits could rely on: it is too
// large, too deep, not UTF-8, of an unsupported language or has syntax errors.
var ErrNoTree = errors.New("no complete syntax tree")

// ParseTree parses exactly the bytes given, without normalizing them, so that
// offsets are those of the file. Errors are ErrNoTree with the reason. src must
// not change afterwards.
//
// A grammar accepts more than the language does: no error does not mean that a
// compiler takes the file.
func ParseTree(lang *Language, src []byte, opts Options) (*Tree, error) {
	t, err := ParseTokens(lang, src, opts)
	if err == nil && (t.t.errors > 0 || t.t.kind(0) == ErrorKind) {
		return nil, fmt.Errorf("%w: %s", ErrNoTree, ReasonErrors)
	}
	return t, err
}

// ParseTokens parses a file that may have errors. Its tree is reliable only for the
// positions of strings and comments. Errors are those of ParseTree.
func ParseTokens(lang *Language, src []byte, opts Options) (*Tree, error) {
	if reason := refuse(src, true, opts); reason != "" {
		return nil, fmt.Errorf("%w: %s", ErrNoTree, reason)
	}
	if !utf8.Valid(src) {
		return nil, fmt.Errorf("%w: not UTF-8", ErrNoTree)
	}
	g := lang.Grammar.whole()
	var t *tree
	if err := g.withTree(src, opts.TimeLimit,
		func(c *sitter.Tree) { t = copyTree(c, g, src, opts.MaxDepth) }); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoTree, err)
	}
	if t.depth() >= opts.MaxDepth {
		return nil, fmt.Errorf("%w: %s", ErrNoTree, ReasonTooDeep)
	}
	return &Tree{t}, nil
}

// depth is the depth of the deepest node.
func (t *tree) depth() int {
	depths, deepest := make([]int, len(t.nodes)), 0
	for i := 1; i < len(t.nodes); i++ { // a parent comes before its children
		depths[i] = depths[t.nodes[i].parent] + 1
		deepest = max(deepest, depths[i])
	}
	return deepest
}
