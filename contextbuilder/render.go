package contextbuilder

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/text"
)

// headings are the titles of the layers, by number.
var headings = [7]string{
	"## Layer 0 - Task + Focus",
	"## Layer 1 - Key Changes Summary",
	"## Layer 2 - Diff (Core)",
	"## Layer 3 - Execution Context",
	"## Layer 4 - Behavior Mapping",
	"## Layer 5 - Test Signatures",
	"## Layer 6 - Minimal Metadata",
}

// separator is between two sections.
const separator = "\n\n---\n\n"

// section is a layer's part of the text, up to the next heading; "" if the layer is empty, which omits its heading
// too.
//
// Every element of a body ends in a blank line and begins with a character that is neither white space nor "/". The
// tokenizer always splits there, so that the counts of elements and sections add up exactly.
func section(layer int, body string) string {
	if body == "" {
		return ""
	}
	text := headings[layer] + "\n" + strings.TrimRight(body, "\n")
	if layer == len(headings)-1 {
		return text
	}
	return text + separator
}

// block is one file's element of a body: its title line and a fenced text,
// which ends in a line feed.
func block(title, language, text string) string {
	f := fence(text)
	return "### " + title + "\n" + f + language + "\n" + text + f + "\n\n"
}

// fence is a row of backticks longer than any in the text.
func fence(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(3, longest+1))
}

// forges reports whether a text that is shown verbatim has a line that looks like a layer's heading.
func forges(text string) bool {
	return strings.HasPrefix(text, "## Layer ") || strings.Contains(text, "\n## Layer ")
}

// shownPath is a path on one line, quoted if it has characters that do not print.
func shownPath(path string) string {
	path = text.Valid(path)
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) || r == '`' }) {
		return strconv.Quote(path)
	}
	return path
}

// count is a number with its noun: "1 file", "3 files"; the plural may be given.
func count(n int, noun string, plural ...string) string {
	if n == 1 {
		return "1 " + noun
	}
	if len(plural) > 0 {
		return strconv.Itoa(n) + " " + plural[0]
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func itoa(n int) string { return strconv.Itoa(n) }

// layer is one section of a text while it is built.
type layer interface {
	// fill adds fragments by relevance as long as the section has at most limit tokens. A later call with a higher
	// limit continues where it stopped.
	fill(limit int)
	// hasMore reports whether a fragment is left.
	hasMore() bool
	// text is the section so far, and tokens its size.
	text() string
	tokens() int
	// report counts fragments shown and left out.
	report() (shown, left int)
}

// measure holds a section with its size.
type measure struct {
	counter *tokens.Lines
	now     string
	n       int
}

func (m *measure) set(text string) { m.now, m.n = text, m.size(text) }

func (m *measure) text() string { return m.now }

func (m *measure) tokens() int { return m.n }

// size is the size of a fragment in tokens.
func (m *measure) size(text string) int { return m.counter.Count(text) }

// fixed is a section that never changes.
type fixed struct {
	measure
	lines int
}

func newFixed(m measure, text string) *fixed {
	m.set(text)
	return &fixed{measure: m, lines: strings.Count(text, "\n")}
}

func (f *fixed) fill(int) {}

func (f *fixed) hasMore() bool { return false }

func (f *fixed) report() (int, int) { return f.lines, 0 }

// code quotes a name as inline code, with more backticks than it holds.
func code(name string) string {
	name = text.OneLine(name)
	f := strings.Repeat("`", len(fence(name))-2)
	if !strings.Contains(name, "`") {
		f = "`"
	} else {
		name = " " + name + " "
	}
	return f + name + f
}
