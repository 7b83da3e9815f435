// Package syntax asks a source file what it defines, imports, calls and tests, and
// renders parts of it as text that parses on its own. What differs from language
// to language is in a Language, which a folder of internal/languages makes.
//
// It is the only package that walks trees of tree-sitter. A tree never leaves Parse,
// which returns a plain File without source text: goroutines may share and keep it.
// Files that could harm the C library (too large, too deep, or not text) never reach
// it. Parse then returns a File that is Degraded and has only line windows.
package syntax
