package injection

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
