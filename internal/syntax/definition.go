package syntax

// Span is a range of whole lines, 1-based and inclusive at both ends; the zero
// Span is "none".
type Span struct{ Start, End int }

// Contains reports whether the line lies within the span.
func (s Span) Contains(line int) bool { return s.Start <= line && line <= s.End }

func (s Span) size() int { return s.End - s.Start }

// Kind is the kind of a definition.
type Kind string

// The kinds. Suite, Case and Hook are calls such as describe, it and
// beforeEach, or Go's t.Run with a literal name: they are not named by an
// identifier but enclose code.
const (
	Function       Kind = "function"
	Method         Kind = "method"
	Constructor    Kind = "constructor"
	Class          Kind = "class"
	Struct         Kind = "struct"
	Interface      Kind = "interface"
	Enum           Kind = "enum"
	Record         Kind = "record"
	Annotation     Kind = "annotation" // the declaration of one
	Type           Kind = "type"       // alias or defined type
	Namespace      Kind = "namespace"
	Constant       Kind = "constant"
	Variable       Kind = "variable"
	Field          Kind = "field" // of a class, with its initialiser
	Suite          Kind = "suite"
	Case           Kind = "case"
	Hook           Kind = "hook"
	Implementation Kind = "impl"    // a block of members of a type, named after that type
	Handler        Kind = "handler" // a function passed to a call whose string argument names it
)

// Definition is a named unit of a file.
type Definition struct {
	Kind Kind
	Name string
	// Qualified is the name with those of its parents: "Outer.method"; for a Go
	// method the receiver's type is taken as the parent: "Server.Close".
	Qualified string
	// Parent is the index of the enclosing definition, or -1. A Go method's
	// parent is -1: its type may be in another file.
	Parent int
	// Lines run from the first decorator, annotation or modifier to the end.
	Lines Span
	// Doc is the comment directly above Lines; none for Python, whose
	// documentation is inside the body.
	Doc Span
	// Body is the lines of the body with its braces; none if there is no body.
	Body Span
	// Signature is the declaration without decorators, annotations and body, on
	// one line with single spaces.
	Signature string
	// Exported follows the language: a capital letter, a modifier, an export
	// clause, no leading underscore; a member is exported only if its parent is.
	Exported bool
	// Broken is true when the grammar did not understand part of it.
	Broken bool
	// Type is the name of the declared type of a field or variable, or of the first result of a function, without
	// pointers and type arguments; "f()" if it is what f returns; "" if it has no name or is unknown.
	Type string
	// Bases are the names of base classes, interfaces and embedded types as
	// written, without type arguments.
	Bases []string
	// InTests is true for code beside production code that only tests run, by what the
	// file itself says.
	InTests bool
	// Test is what is known of a test, fixture or hook; nil for other code.
	Test *Test

	doc, from, to    uint32 // bytes of the normalized source
	head             uint32 // first byte after decorators and annotations
	bodyFrom, bodyTo uint32 // with braces; equal when there is no body
	lead             string // keyword that a member of a group lacks: "const ", "type "
	wrap             Wrapping
}

// HasBody reports whether the definition has a body that can be left out.
func (d *Definition) HasBody() bool { return d.bodyTo > d.bodyFrom }

func (d *Definition) withDoc() Span {
	if d.Doc.Start > 0 {
		return Span{d.Doc.Start, d.Lines.End}
	}
	return d.Lines
}

// Wrapping is what a definition's body needs around its members.
type Wrapping uint8

// The ways to wrap members.
const (
	WrapPlain  Wrapping = iota
	WrapEnum            // an enumeration: the constants end with ";" before other members
	WrapObject          // an object literal: members are followed by ","
)

// Role is what a definition is to a test run.
type Role string

// The roles.
const (
	RoleCase    Role = "case"
	RoleSuite   Role = "suite"
	RoleFixture Role = "fixture" // pytest fixture, setUp, beforeEach, @BeforeEach, TestMain
	RoleHelper  Role = "helper"  // a Go function that takes *testing.T
)

// Test is what is known of a definition that belongs to a test.
type Test struct {
	Role Role
	// Fixtures are the names of the pytest fixtures that it asks for.
	Fixtures []string
	// Assertions are whole statements, in source order.
	Assertions []Assertion
}

// Assertion is a statement that checks something.
type Assertion struct {
	Lines Span

	from, to uint32
}

// ImportKind is the form of an import.
type ImportKind string

// The kinds of imports.
const (
	ImportStatic   ImportKind = "import"
	ImportRequire  ImportKind = "require"   // require("x") with a literal
	ImportDynamic  ImportKind = "dynamic"   // import("x") with a literal
	ImportReExport ImportKind = "re-export" // export ... from "x"
	ImportModule   ImportKind = "module"    // the declaration of a module that is in a file of its own
)

// Import is the import of one module; a statement that names several yields several.
type Import struct {
	Kind ImportKind
	// Module is as written, without Python's leading dots: "a.b", "./x",
	// "net/http". Where a path ends in the imported name, it is what is before.
	Module string
	// Level is the number of Python's leading dots.
	Level int
	// Alias is the local name of the module itself: "np", Go's package name, "."
	// or "_"; "" if it is not renamed or not bound.
	Alias string
	// Names are the things imported from the module; "*" is all of them,
	// "default" a script's default export. Empty when the module itself is
	// imported.
	Names  []ImportedName
	Static bool // takes static members by name
	Lines  Span
	// Def is the innermost definition around it, or -1.
	Def int
}

// ImportedName is a name taken from a module, with the local or, for a
// re-export, the public name where it differs.
type ImportedName struct{ Name, Alias string }

// Local is the name by which it is known here.
func (n ImportedName) Local() string {
	if n.Alias != "" {
		return n.Alias
	}
	return n.Name
}

// Export is a public name of a script and the local name behind it; Local is ""
// when it is an expression.
type Export struct{ Name, Local string }

// Call is one call.
type Call struct {
	// Name is the last identifier of what is called: "close" in a.b.close().
	Name string
	// Receiver is the text before it: "a.b", "self"; "" if there is none, "?" if
	// it is more than names joined by dots.
	Receiver string
	Line     int
	// Def is the innermost definition around it, or -1.
	Def int
	// Local is true when the name, or the first name of the receiver, is bound
	// inside the enclosing definitions (a parameter or variable), so that it says
	// nothing about the file's imports.
	Local bool
	// Type is the type of the receiver's first name if that is local, or of the field if the receiver begins with
	// "this." or "self."; in the form of Definition.Type; "" if unknown.
	Type string
	// Args is the number of arguments.
	Args int
}

// Local is a parameter or variable inside the definition Def or, where Def is a class, what its members call this.Name
// or self.Name; Type has the form of Definition.Type.
type Local struct {
	Def        int
	Name, Type string
}

// Use is a name that is used without being called, with its first line. A
// subscript by a literal string counts as a selector: os.environ["HOME"].
type Use struct {
	Name, Receiver string
	Line           int
	Local          bool // as for Call
}
