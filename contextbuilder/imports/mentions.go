package imports

// Mentions lists the source files that may hold the word, an identifier, by
// path, test files included: nearly all of them do. It is empty, with a Problem,
// when there are too many.
func (g *Graph) Mentions(word string) []string {
	files, _ := g.mentioning(sortedKeys(g.index.sources), [][]string{splitWords(word)}, "mentions of "+word)
	return files
}
