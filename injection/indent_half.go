package injection

import "strings"

// halfLevel (I3) moves a line half a level to the left where the level changes.
var halfLevel = Operator{Kind: "I3", Find: func(s *Source) []Mutation {
	half := len(indentUnit(s.lines())) / 2
	return reindent("I3", s, func(lines []line, i int) (string, bool) {
		indent := lines[i].indent
		if half == 0 || i == 0 || lines[i-1].indent == indent || len(indent) <= half || strings.Trim(indent, " ") != "" {
			return "", false
		}
		return indent[half:], true
	})
}}
