package config

import (
	"fmt"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// The limits of a configuration's text. A real one has a few hundred tokens
// and four levels; what a stranger sends must not exhaust whoever reads it.
const (
	maxTokens = 200_000
	maxDepth  = 50
)

// checkBounds refuses, from its tokens alone, a text that could take more to
// decode than its size promises: aliases, which multiply what they name, and
// deep or endless nesting.
func checkBounds(path string, data []byte) error {
	tokens := lexer.Tokenize(string(data))
	if len(tokens) > maxTokens {
		return &Error{File: path, Message: fmt.Sprintf("has more than %d words: it is no configuration", maxTokens)}
	}
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			return &Error{File: path, Line: t.Position.Line,
				Message: "anchors and aliases (&, *, <<) are not read: write the value out"}
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		}
		if depth > maxDepth || t.Position.IndentNum/2 > 4*maxDepth {
			return &Error{File: path, Line: t.Position.Line, Message: fmt.Sprintf("is nested deeper than %d levels", maxDepth)}
		}
	}
	return nil
}
