package injection

// extraIndent (I1) moves a line one level to the right.
var extraIndent = Operator{Kind: "I1", Find: func(s *Source) []Mutation {
	unit := indentUnit(s.lines())
	return reindent("I1", s, func(lines []line, i int) (string, bool) { return lines[i].indent + unit, true })
}}
