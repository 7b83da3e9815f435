package contextbuilder

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/text"
)

// task is the reviewer's task. It names no kind of defect, so that it does not hint at the ground truth.
const task = `Review the pull request below as a maintainer of the repository would before merging it.

- Look for defects of the change: wrong results, cases it misses, contracts it breaks, effects on the code around it.
- Name file and line, say what goes wrong and when, and what would mend it.
- The code around the change is there to judge the change by; it is not itself under review. It and its line numbers
  are those before the change, unless marked as changed.
- Leave out what you cannot support from this text.
`

// maxTitle is the maximum length of a shown title, in characters: GitHub's own limit. A longer one, in records from
// elsewhere, must not take the diff's room.
const maxTitle = 256

// taskLayer is layer 0: the task, and the author's description of the change.
type taskLayer struct {
	measure
	head       string
	paragraphs []markdown.Paragraph
	shown      int    // paragraphs shown whole
	sentences  string // start of the first paragraph, when not even that fits whole
}

func newTaskLayer(m measure, in *Input) *taskLayer {
	head := task + "\n- Repository: " + in.Repo.String() + "\n- Title: " + text.Clip(text.OneLine(in.Title), maxTitle) +
		"\n"
	l := &taskLayer{measure: m, head: head, paragraphs: withoutReview(markdown.Paragraphs(in.Description))}
	l.set(l.render())
	return l
}

// fill shows more paragraphs of the description, from its start. Only the first one may be cut, after a sentence, if
// it does not fit whole.
func (l *taskLayer) fill(limit int) {
	fits := func(shown int, sentences string) bool {
		try := taskLayer{head: l.head, paragraphs: l.paragraphs, shown: shown, sentences: sentences}
		return l.size(try.render()) <= limit
	}
	before := l.shown
	for l.shown < len(l.paragraphs) && fits(l.shown+1, "") {
		l.shown++
	}
	if l.shown > before {
		l.sentences = ""
	}
	if l.shown == 0 && len(l.paragraphs) > 0 {
		starts := firstSentences(l.paragraphs[0])
		if i := sort.Search(len(starts), func(i int) bool { return fits(0, starts[i]) }); i < len(starts) {
			l.sentences = starts[i]
		}
	}
	l.set(l.render())
}

func (l *taskLayer) hasMore() bool { return l.shown < len(l.paragraphs) }

func (l *taskLayer) render() string {
	var b strings.Builder
	b.WriteString(l.head)
	if len(l.paragraphs) == 0 {
		b.WriteString("- Description: none\n")
		return section(0, b.String())
	}
	shown := l.paragraphs[:l.shown]
	if l.shown == 0 && l.sentences != "" {
		shown = []markdown.Paragraph{{Text: l.sentences}}
	}
	left := len(l.paragraphs) - l.shown
	switch {
	case len(shown) == 0:
		b.WriteString("- Description: left out, " + count(left, "paragraph") + ", too long for the room\n")
		return section(0, b.String())
	case left > 0:
		b.WriteString("- Description, by the author (its end left out, " + count(left, "paragraph") + "):\n\n")
	default:
		b.WriteString("- Description, by the author:\n\n")
	}
	texts := make([]string, len(shown))
	for i, p := range shown {
		texts[i] = p.Text
	}
	b.WriteString(quoted(strings.Join(texts, "\n\n")))
	return section(0, b.String())
}

// report counts the description's paragraphs, and the task itself.
func (l *taskLayer) report() (shown, left int) {
	return 1 + l.shown, len(l.paragraphs) - l.shown
}

// metadataLayer is layer 6.
func metadataLayer(in *Input, opts Options) string {
	lines := []string{
		"- Language: " + text.OneLine(in.Language),
		"- Files changed: " + itoa(in.FilesChanged),
		"- PR type: " + text.OneLine(in.PRType),
	}
	if opts.ShowDifficulty && in.Difficulty != "" {
		lines = append(lines, "- Difficulty: "+text.OneLine(string(in.Difficulty)))
	}
	return section(6, strings.Join(lines, "\n"))
}

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
