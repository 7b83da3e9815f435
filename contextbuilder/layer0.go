package contextbuilder

import (
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/text"
)

// task is the reviewer's task. It names no kind of defect, so that it does not hint at the ground truth.
const task = `Review the pull request below as a maintainer of the repository would before merging it.

- Look for defects of the change: wrong results, cases it misses, contracts it breaks, effects on the code around it.
- Name file and line, say what goes wrong and when, and what would mend it.
- The code around the change is there to judge the change by; it is not itself under review.
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
	head := task + "\n- Repository: " + in.Repo.String() + "\n- Title: " + text.Clip(text.OneLine(in.Title), maxTitle) + "\n"
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
	if opts.ShowDifficulty {
		lines = append(lines, "- Difficulty: "+text.OneLine(string(in.Difficulty)))
	}
	return section(6, strings.Join(lines, "\n"))
}
