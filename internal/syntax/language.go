package syntax

import (
	"path"
	"strings"
)

// Language is one of the grammars. TSX is a grammar of its own because "<T>x"
// is a cast in TypeScript and an element in TSX.
type Language string

// The languages. JavaScript includes JSX.
const (
	Python     Language = "python"
	JavaScript Language = "javascript"
	TypeScript Language = "typescript"
	TSX        Language = "tsx"
	Go         Language = "go"
	Java       Language = "java"
)

// extensions maps a file name's extension, in lower case, to its language.
var extensions = map[string]Language{
	".py": Python, ".pyi": Python,
	".js": JavaScript, ".jsx": JavaScript, ".mjs": JavaScript, ".cjs": JavaScript,
	".ts": TypeScript, ".mts": TypeScript, ".cts": TypeScript,
	".tsx":  TSX,
	".go":   Go,
	".java": Java,
}

// Detect returns a path's language by its extension; false if it is none of the
// supported ones.
func Detect(p string) (Language, bool) {
	lang, ok := extensions[strings.ToLower(path.Ext(p))]
	return lang, ok
}

// Family groups languages whose files import each other.
type Family string

// The families: JavaScript, TypeScript and TSX are one.
const (
	FamilyPython Family = "python"
	FamilyScript Family = "script"
	FamilyGo     Family = "go"
	FamilyJava   Family = "java"
)

// Family is the family of the language; "" for an unknown language.
func (l Language) Family() Family {
	switch l {
	case Python:
		return FamilyPython
	case JavaScript, TypeScript, TSX:
		return FamilyScript
	case Go:
		return FamilyGo
	case Java:
		return FamilyJava
	}
	return ""
}

// LineComment is how a comment to the end of the line begins.
func (l Language) LineComment() string {
	if l == Python {
		return "#"
	}
	return "//"
}
