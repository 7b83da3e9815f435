package injection

import "strings"

// extraIndent (I1) moves a line one level to the right.
var extraIndent = Operator{Kind: "I1", Find: func(s *Source) []Mutation {
	unit := indentUnit(s.lines())
	return reindent("I1", s, func(lines []line, i int) (string, bool) { return lines[i].indent + unit, true })
}}

// outOfBlock (I2) moves the first line of a block to the level of the line that
// opens the block.
var outOfBlock = Operator{Kind: "I2", Find: func(s *Source) []Mutation {
	return reindent("I2", s, func(lines []line, i int) (string, bool) {
		if i == 0 || !lines[i-1].opens {
			return "", false
		}
		return lines[i-1].indent, true
	})
}}

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

// tabForSpaces (I4) writes a tab for the eight, or only four, spaces that a line
// begins with: an editor's setting.
var tabForSpaces = Operator{Kind: "I4", Find: func(s *Source) []Mutation {
	return reindent("I4", s, func(lines []line, i int) (string, bool) {
		for _, spaces := range []string{"        ", "    "} {
			if rest, ok := strings.CutPrefix(lines[i].indent, spaces); ok {
				return "\t" + rest, true
			}
		}
		return "", false
	})
}}
