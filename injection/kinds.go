package injection

// Family is what sort of fault a kind makes.
type Family string

// The families.
const (
	UndeclaredName Family = "undeclared_name"
	Indentation    Family = "indentation"
	Import         Family = "import"
)

// Kind is one kind of slip in a file of a pull request.
type Kind struct {
	Operator
	Family Family
	// Level says what it takes to see the fault: 1 the file does not compile,
	// 2 a linter sees it and the evidence is on the spot, 3 a linter sees it and
	// the evidence is elsewhere in the file, 4 no linter of one file sees it.
	Level int
}

// Kinds is THE ordered list of the slips that rules can prove.
var Kinds = []Kind{
	{misspelledUse, UndeclaredName, 2},
	{renamedBinding, UndeclaredName, 3},
	{droppedImport, UndeclaredName, 3},
	{droppedAssignment, UndeclaredName, 3},
	{droppedSelf, UndeclaredName, 2},
	{otherScope, UndeclaredName, 3},
	{usedBeforeBound, UndeclaredName, 2},
	{extraIndent, Indentation, 1},
	{outOfBlock, Indentation, 1},
	{halfLevel, Indentation, 1},
	{tabForSpaces, Indentation, 1},
	{missingImport, Import, 4},
}

// KindOf is the kind of that name, such as "U1".
func KindOf(name string) (Kind, bool) {
	for _, k := range Kinds {
		if k.Kind == name {
			return k, true
		}
	}
	return Kind{}, false
}
