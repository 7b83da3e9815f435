package syntax

// Form is how much of a definition is shown.
type Form int

// The forms. A definition without a body has only one: it is shown whole.
const (
	// Stub is the signature, with a placeholder for the body that is legal in
	// the language: "..." in Python, "{ /* ... */ }" elsewhere.
	Stub Form = iota
	// Asserted is a stub with the assertions of a test in place of its body.
	Asserted
	// Whole is the definition with its body, without its doc comment.
	Whole
	// Documented is the definition with its body and doc comment.
	Documented
)

// Pick asks for definition Def, an index of File.Definitions, in a form.
type Pick struct {
	Def  int
	Form Form
}

// Compose renders the picked definitions of a file as one text that parses on
// its own: members stand inside the headers of the definitions around them,
// what was left out between them is a comment "...", and everything is moved to
// the left margin. Picks are rendered in source order; one inside another
// picked Whole is already shown. The text ends with a newline.
//
// src is the source that the file was parsed from. The answer is false when the
// text does not parse, which is so for parts that the grammar did not
// understand, and when nothing was picked.
func (f *File) Compose(src []byte, picks ...Pick) (string, bool) {
	return "", false
}

// Skeleton renders a definition's header with stubs of its members; for a Go
// type, with stubs of its methods in the same file.
func (f *File) Skeleton(src []byte, def int) (string, bool) {
	return "", false
}

// Text returns the lines of the span as they are in the normalised source, with
// a final newline. It need not parse: it is for line windows.
func (f *File) Text(src []byte, s Span) string {
	return ""
}

// Statement renders the top-level statements that the span covers, for a span
// that StatementAt gave; false when they do not parse.
func (f *File) Statement(src []byte, s Span) (string, bool) {
	return "", false
}

type wrapping uint8
