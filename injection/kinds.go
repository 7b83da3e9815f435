package injection

// Family is the sort of fault that a kind makes.
type Family string

// The families.
const (
	UndeclaredName Family = "undeclared_name"
	Indentation    Family = "indentation"
	Import         Family = "import"
	Logic          Family = "logic" // it runs, and does something else
)

// Kind is one kind of slip in a file of a pull request.
type Kind struct {
	Operator
	Family Family
	// Level says what it takes to see the fault: 1 a linter of the file with local evidence, 2 a linter of the file
	// with evidence elsewhere in it, 3 an understanding of the file, which no linter has, 4 another file.
	Level int
	// among finds the slips that are made of what other modules have; else nil.
	among func(*Source, Modules) []Mutation
}

// Mutations are the slips of the kind that there is room for, in the order of their
// first edit. modules may be nil: slips that need other modules are not made then.
func (k Kind) Mutations(s *Source, modules Modules) []Mutation {
	switch {
	case k.among == nil:
		return k.Find(s)
	case modules == nil:
		return nil
	}
	return k.among(s, modules)
}

// Families is the ordered list of them.
var Families = []Family{UndeclaredName, Indentation, Import, Logic}

// Kinds is the ordered list of the slips that can be proven.
var Kinds = []Kind{
	{Operator: staleUse, Family: UndeclaredName, Level: 1},
	{Operator: renamedBinding, Family: UndeclaredName, Level: 2},
	{Operator: droppedImport, Family: UndeclaredName, Level: 2},
	{Operator: droppedAssignment, Family: UndeclaredName, Level: 2},
	{Operator: droppedSelf, Family: UndeclaredName, Level: 1},
	{Operator: otherScope, Family: UndeclaredName, Level: 2},
	{Operator: usedBeforeBound, Family: UndeclaredName, Level: 1},
	{Operator: extraIndent, Family: Indentation, Level: 1},
	{Operator: outOfBlock, Family: Indentation, Level: 1},
	{Operator: halfLevel, Family: Indentation, Level: 1},
	{Operator: tabForSpaces, Family: Indentation, Level: 1},
	{Operator: wrongVariable, Family: Logic, Level: 3},
	{Operator: swappedArguments, Family: Logic, Level: 3},
	{Operator: invertedCondition, Family: Logic, Level: 3},
	{Operator: offByOne, Family: Logic, Level: 3},
	{Operator: missingAwait, Family: Logic, Level: 3},
	{Operator: lostReturn, Family: Logic, Level: 3},
	{Operator: mutableDefault, Family: Logic, Level: 3},
	{Operator: unclosed, Family: Logic, Level: 3},
	{Operator: swallowedError, Family: Logic, Level: 3},
	{Operator: Operator{Kind: missingImport}, Family: Import, Level: 4, among: missingImports},
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
