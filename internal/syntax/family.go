package syntax

import "regexp"

// Family is what is known of the languages whose files import each other; most
// are a family of their own. Each has a folder in internal/languages.
type Family struct {
	// Folder is the name of its folder in internal/languages: "script".
	Folder string

	// LineComment begins a comment that ends with its line.
	LineComment string
	// Indent is one step of indentation.
	Indent string
	// Indented languages have bodies behind a colon instead of braces, "..." as
	// the placeholder of a body, and documentation in the first string of a body.
	Indented bool
	// BodyEnd is the word that ends a body: Ruby's "end"; "" for none. In such a language a body begins behind what
	// opens it and may end with a bracket instead, as a block or a literal does.
	BodyEnd string
	// TightLiterals are written "T{}" instead of "T {}".
	TightLiterals bool
	// ImportKeyword is what one import of a group lacks, "" if there are no groups.
	ImportKeyword string
	// Lists are the kinds of nodes whose elements Reduce may leave out one by one;
	// true for those that begin with labels.
	Lists map[string]bool
	// Labels are the kinds of nodes that say what a case is the case of, unless
	// their field says so.
	Labels []string
	// Tails are the kinds of nodes that belong to the node before them, as the text of a here-document does.
	Tails []string

	// ImplicitThis is true where a method may use the members of its type without
	// naming the object.
	ImplicitThis bool
	// OpenTypes is true where a method may be defined outside the body of its type,
	// and in other files.
	OpenTypes bool
	// NamedReceiver is true if a method names its receiver, so that a member of any name may belong to its own type.
	NamedReceiver bool
	// InlineTests is true where tests may be in the files that they test.
	InlineTests bool
	// BareCalls is true where a call needs no bracket.
	BareCalls bool
	// CallsNoField is true where a name that is called is no field.
	CallsNoField bool
	// Origin says whose module an import of a file names, as far as the name shows it.
	Origin func(path, module string) Origin

	// Overloads is true where a type may have several methods of one name.
	Overloads bool

	// ImportStatements is true where imports are statements with the words "import"
	// and "from"; elsewhere a quoted text or a plain name says what is imported.
	ImportStatements bool
	// DotDefines is true where a name may be defined behind a dot.
	DotDefines bool
	// TypeWords are the keywords that declare a type.
	TypeWords []string
	// PackageClause returns the package of a source, as far as it is known without parsing; nil without one.
	PackageClause func(src []byte) string
	// ModuleFiles are what the file of a module's dotted name may end in.
	ModuleFiles []string
	// ConfigFiles are the names, or extensions with their dot, of the files that say
	// how modules are named.
	ConfigFiles []string

	// TestFiles and TestDirectories are regular expressions for the base names of
	// test files and for the names of the folders that hold tests, beyond those
	// that all languages share. Each path that they match holds one of TestHints.
	TestFiles, TestDirectories, TestHints []string
	// ParsesAsTest reports whether Parse reads a file otherwise because its name says
	// that it is a test; nil if names never do.
	ParsesAsTest func(path string) bool
	// TestsReach reports whether a test file may test a subject that it neither calls
	// nor imports; nil where tests may be anywhere.
	TestsReach func(test, subject string) bool
	// DeclarationFiles is a part of the base names of files that run nothing.
	DeclarationFiles string

	// Settings are the ways in which the usual libraries name settings.
	Settings []Setting
	// OptionField matches a field of a type of options; its group "name" is the name.
	OptionField *regexp.Regexp
}

// Origin is whose a module is.
type Origin int

// The origins, nearest first.
const (
	OwnModule Origin = iota
	OtherModule
	StandardModule
)

// Setting is a way to define or read a setting, within one line.
type Setting struct {
	Kind SettingKind
	// Hints are texts: every line that Matches matches contains one.
	Hints []string
	// Matches has the groups "name", the setting's name, and perhaps "field", the
	// variable that holds its value.
	Matches *regexp.Regexp
}

// SettingKind is what a user sets.
type SettingKind string

// The kinds of settings.
const (
	Environment SettingKind = "environment variable"
	Flag        SettingKind = "flag"
	Key         SettingKind = "key"
	Property    SettingKind = "system property"
	Tag         SettingKind = "tag"
	Option      SettingKind = "option"
)

// QuotedName matches the name of a setting between quotes of any kind.
const QuotedName = `["'` + "`" + `](?P<name>[\w.\-:/]+)["'` + "`" + `]`
