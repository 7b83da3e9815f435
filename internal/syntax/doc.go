// Package syntax asks a source file what it defines, imports, calls and tests, and
// renders parts of it as text that parses on its own. What differs from language
// to language is in a Language, which a folder of internal/languages makes.
//
// It is the only package that walks trees of tree-sitter. A tree never leaves Parse: the
// answer is a plain File without source text, so that it may be kept and read
// by several goroutines. What the C library cannot be trusted with (files too
// large, too deep, or not text) never reaches it; Parse then answers with a
// File that is Degraded and offers line windows alone.
package syntax
