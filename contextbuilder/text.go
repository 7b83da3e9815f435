package contextbuilder

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
)

// sentenceEnd matches the end of a sentence inside a paragraph.
var sentenceEnd = regexp.MustCompile(`[.!?。！？]["')\]]*\s`)

// quoted marks every line of a stranger's text as a quotation, so that none of
// them can pass for a heading, a fence or a separator of ours.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

// firstSentences lists what remains of a paragraph when it is cut after each of
// its sentences, the longest first, itself not included. A paragraph with a
// fenced block is not cut.
func firstSentences(p markdown.Paragraph) []string {
	if p.Code {
		return nil
	}
	paragraph := p.Text
	ends := sentenceEnd.FindAllStringIndex(paragraph, -1)
	out := make([]string, 0, len(ends))
	for i := len(ends) - 1; i >= 0; i-- {
		if cut := strings.TrimSpace(paragraph[:ends[i][1]]); cut != strings.TrimSpace(paragraph) {
			out = append(out, cut)
		}
	}
	return out
}
