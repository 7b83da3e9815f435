package syntax

// Parse reads a source file. It never fails: a file that cannot be parsed is
// Degraded. src is not kept.
func Parse(path string, src []byte, opts Options) *File {
	lang, _ := Detect(path)
	return &File{Path: path, Language: lang, Degraded: ReasonUnsupported, windowLines: opts.WindowLines}
}

// Parses reports whether the fragment is legal text of the language on its own,
// without any syntax error.
func Parses(lang Language, fragment string) bool {
	return false
}

// Normalize returns the source as Parse sees it: UTF-8 without a byte order
// mark (UTF-16 is decoded by its mark), "\r\n" as "\n", invalid bytes as U+FFFD.
// Line numbers stay the same. The answer may be src itself.
func Normalize(src []byte) []byte {
	return src
}
