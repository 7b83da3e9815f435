// Package syntax asks a source file in Python, JavaScript, TypeScript, Go or
// Java what it defines, imports, calls and tests, and renders parts of it as
// text that parses on its own.
//
// It is the only package that knows tree-sitter. A tree never leaves Parse: the
// answer is a plain File without source text, so that it may be kept and read
// by several goroutines. What the C library cannot be trusted with (files too
// large, too deep, or not text) never reaches it; Parse then answers with a
// File that is Degraded and offers line windows alone.
package syntax
