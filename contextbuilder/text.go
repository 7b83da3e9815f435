package contextbuilder

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
)

// abbreviation matches a text up to a full stop that does not end a sentence.
var abbreviation = regexp.MustCompile(`(?i)\b(?:i\.e|e\.g|etc|vs|cf|resp|approx)\.$`)

// sentenceEnd matches the end of a sentence inside a paragraph.
var sentenceEnd = regexp.MustCompile(`[.!?。！？]["')\]]*\s`)

// trailer matches a git trailer about people: it holds addresses and names approvers.
var trailer = regexp.MustCompile(`(?i)^(?:co-authored|signed-off|reviewed|acked|tested|approved|reported|suggested|helped|cc)(?:-by)?:\s.*[@<]`)

// outcome matches a line, often the title of a squashed commit, that describes the result of a review.
var outcome = regexp.MustCompile(`(?i)^[-*#\s]*(?:` +
	`apply (?:the )?suggestions?(?: from code review| from @?\S+)?` +
	`|(?:address|apply|fix|resolve|incorporate|implement|respond to)(?:e?s|e?d|ing)? (?:(?:the|all|some|more|pr|code|\S+'s) )*(?:review|reviewer|feedback|review feedback|review comments?|code review|comments?|nits?)(?:'?s)?(?: (?:comments?|feedback|suggestions?|nits?|changes))?(?: (?:from|by|of) \S+)?` +
	`|(?:changes|updates?|fixes) (?:after|from|per|for|based on) (?:the )?(?:code )?review(?: (?:comments?|feedback))?` +
	`|(?:code )?review (?:comments?|feedback|fixes|suggestions?|changes|remarks?)` +
	`|update \S+\s+co-authored-by:.*` +
	`)[.!\s]*$`)

// tellsReview reports whether a line of a description was written after the review: a trailer, or an answer to a
// review.
func tellsReview(line string) bool {
	return trailer.MatchString(strings.TrimSpace(line)) || outcome.MatchString(line)
}

// withoutReview removes such lines from a description. It keeps code, and everything that a reviewer could have read.
func withoutReview(paragraphs []markdown.Paragraph) []markdown.Paragraph {
	var out []markdown.Paragraph
	for _, p := range paragraphs {
		if !p.Code {
			lines := slices.DeleteFunc(strings.Split(p.Text, "\n"), tellsReview)
			if len(lines) == 0 {
				continue
			}
			p.Text = strings.Join(lines, "\n")
		}
		out = append(out, p)
	}
	return out
}

// quoted marks every line of a stranger's text as a quotation, so that none can pass for a heading, a fence or a
// separator of ours.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

// firstSentences lists the prefixes of a paragraph after each of its sentences, the longest first, without the
// paragraph itself. A paragraph with a fenced block is not cut.
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
