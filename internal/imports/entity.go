package imports

import (
	"github.com/prforge/prforge/internal/syntax"
)

// Entity is what a name may mean: a definition, a file as a module, or a
// Go package or Python namespace as a directory.
type Entity struct {
	Path string
	Def  int            // index of a definition of path; whole for the module
	Dir  string         // directory, when Path is ""
	Of   *syntax.Family // whose directory it is
}

// Whole is the file itself, not one of its definitions.
const Whole = -1

// Location is a definition in a file.
type Location struct {
	Path string
	// Def is an index into the Definitions of File(Path).
	Def        int
	Definition syntax.Definition
}

// scopeKey asks what a name means in a file.
type scopeKey struct {
	file *syntax.File
	name string
}

// scopeAnswer is the answer, kept for the next time.
type scopeAnswer struct {
	is Entity
	ok bool
}

// IsType reports whether a definition of the kind is a type.
func IsType(k syntax.Kind) bool {
	switch k {
	case syntax.Class, syntax.Interface, syntax.Enum, syntax.Record, syntax.Annotation, syntax.Struct, syntax.Type,
		syntax.Implementation:
		return true
	}
	return false
}

// named reports whether a definition's name is an identifier of the language.
func named(k syntax.Kind) bool {
	return k != syntax.Suite && k != syntax.Case && k != syntax.Hook && k != syntax.Handler && k != syntax.Implementation
}
