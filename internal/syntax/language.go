package syntax

import sitter "github.com/smacker/go-tree-sitter"

// Language is a grammar with the files that it is for. TypeScript and TSX are
// two, because "<T>x" is a cast in one and an element in the other. A Language
// is never changed.
type Language struct {
	*Family
	// ID is a short name in lower case, for fenced blocks and keys of caches: "tsx".
	ID string
	// Name is the name that GitHub and go-enry use: "TypeScript".
	Name string
	// Extensions of the files, with their dot, in lower case.
	Extensions []string
	Grammar    *Grammar
}

// GrammarSpec describes the grammar of a language.
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
	// Mask blanks out what the grammar does not know yet, and what can go without a
	// change of meaning. Offsets stay the same. A nil Mask changes nothing.
	Mask func(src []byte) []byte
}

// Grammar is one of tree-sitter's grammars, made at its first use.
type Grammar struct {
	spec GrammarSpec
	get  func() *grammar
	// whole is the grammar with all tokens and the inside of leaves.
	whole func() *grammar
}

// File is what a source file holds. It has no source text and no tree, is
// never changed after Parse, and may be shared by goroutines.
type File struct {
	Path     string
	Language *Language // nil when unsupported
	Lines    int       // lines of the source, a final unterminated one included
	// Degraded is why there is nothing but line windows; "" when parsed.
	Degraded Reason
	// Errors counts the positions that the grammar did not understand.
	Errors int
	// Package is the package clause, where the language has one; "" elsewhere.
	Package string
	// Definitions are in source order, a parent before its children.
	Definitions []Definition
	// Imports are in source order.
	Imports []Import
	// Exports are the names that a JavaScript or TypeScript file exports other
	// than by a keyword at the definition, sorted by name.
	Exports []Export
	// Calls are in source order.
	Calls []Call
	// Uses are the names used other than by a call (types, base classes,
	// selectors), once for each receiver and name, in the order of first use.
	Uses []Use
	// Locals are the variables and parameters of a known type, in source order.
	Locals []Local
	// Statements are the top-level statements that are neither a definition nor
	// an import.
	Statements []Span

	windowLines int
}

// Builder fills a File from a tree. Extraction recurses, to no more than the
// depth that copyTree kept.
type Builder struct {
	*File
	t *tree
	// comments are the comment nodes in source order.
	comments []int32
	// bindings are the names bound inside definitions.
	bindings []binding
	// known are the types among them so far.
	known map[boundIn]string
	// useSeen holds the uses already recorded.
	useSeen map[usedIn]bool
	uses    []usedIn
	names   map[string]string
	// What finish needs of the whole file, and what it copies into the file.
	bound   map[boundIn]string
	allUses map[Use]bool
	calls   []Call
	used    []Use
}

// usedIn is a use with the definition around it.
type usedIn struct {
	Use
	def int
}

// binding says that a name is bound, as a variable of the given type ("" if not
// known), inside a definition.
type binding struct {
	def        int
	name, kind string
}

// boundIn is a name inside a definition.
type boundIn struct {
	def  int
	name string
}
