package contextbuilder

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/text"
)

// hiddenComment matches what GitHub does not show of a description: most are
// the instructions of a template.
var hiddenComment = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`)

// sentenceEnd matches the end of a sentence inside a paragraph.
var sentenceEnd = regexp.MustCompile(`[.!?。！？]["')\]]*\s`)

// paragraphs cuts a description at its blank lines, leaving out what GitHub
// hides. A fenced block is one paragraph, blank lines and all.
func paragraphs(description string) []string {
	var out, lines []string
	flush := func() {
		if len(lines) > 0 {
			out = append(out, strings.Join(lines, "\n"))
		}
		lines = nil
	}
	open := ""
	for line := range strings.SplitSeq(hiddenComment.ReplaceAllString(text.Plain(description), ""), "\n") {
		line = strings.TrimRight(line, " \t")
		mark := fenceMark(line)
		switch {
		case open == "" && mark != "":
			open = mark
		case open != "" && strings.HasPrefix(mark, open) && strings.TrimLeft(line, " `~") == "":
			open = ""
		case open == "" && line == "":
			flush()
			continue
		}
		lines = append(lines, line)
	}
	flush()
	return out
}

// fenceMark is the row of backticks or tildes that opens or closes a fenced
// block; "" if the line does neither.
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, char := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, char); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// quoted marks every line of a stranger's text as a quotation, so that none of
// them can pass for a heading, a fence or a separator of ours.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

// firstSentences lists what remains of a paragraph when it is cut after each of
// its sentences, the longest first, itself not included. A paragraph with a
// fenced block is not cut.
func firstSentences(paragraph string) []string {
	if strings.Contains(paragraph, "```") || strings.Contains(paragraph, "~~~") {
		return nil
	}
	ends := sentenceEnd.FindAllStringIndex(paragraph, -1)
	out := make([]string, 0, len(ends))
	for i := len(ends) - 1; i >= 0; i-- {
		if cut := strings.TrimSpace(paragraph[:ends[i][1]]); cut != strings.TrimSpace(paragraph) {
			out = append(out, cut)
		}
	}
	return out
}
