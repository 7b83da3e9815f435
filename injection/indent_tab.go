package injection

import "strings"

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
