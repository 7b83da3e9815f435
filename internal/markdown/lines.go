package markdown

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/text"
)

// maxBytes bounds what is read of one comment. GitHub allows 262,144 bytes;
// what a rule has not found in the first 32 KiB it will not find later, and
// markdown nested as deep as it is long costs time that grows with its square.
const maxBytes = 32 << 10

// invisible are code points that take no room: zero-width and bidirectional
// controls, the byte-order mark, NUL. They would hide words from every rule.
var invisible = strings.NewReplacer("\u200b", "", "\u200c", "", "\u200d", "", "\u200e", "", "\u200f", "",
	"\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "", "\u2060", "",
	"\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "", "\ufeff", "", "\x00", "",
	"\u00a0", " ", "\u2019", "'", "\u2018", "'", "\u201c", `"`, "\u201d", `"`)

// normalize returns valid UTF-8 with line feeds only and no invisible code
// points, at most maxBytes of it.
func normalize(body string) string {
	return invisible.Replace(text.Lines(text.Head(body, maxBytes)))
}

// fence matches the opening of a fenced block, also inside a list item. The
// info string of a backtick fence holds no backtick (CommonMark 4.5).
var fence = regexp.MustCompile("^[ \t]*(?:[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+)?(?:(`{3,})([^`]*)|(~{3,})(.*))$")

// block is a fenced block.
type block struct {
	info string // its info string, trimmed, in lower case
	body string
}

// splitFences separates the fenced blocks from the other lines, quoted lines
// left out. A fence closes with at least as many of its characters, alone on
// a line; an unclosed one runs to the end. Indentation is not asked about: a
// fence in a list is deeper than CommonMark's three columns.
func splitFences(text string) (rest []string, blocks []block) {
	var open *block
	var mark string
	var body []string
	for line := range strings.SplitSeq(text, "\n") {
		if open != nil {
			trimmed := strings.TrimSpace(line)
			if len(trimmed) >= len(mark) && strings.Trim(trimmed, mark[:1]) == "" {
				open.body = strings.Join(body, "\n")
				blocks, open = append(blocks, *open), nil
				continue
			}
			body = append(body, line)
			continue
		}
		if m := fence.FindStringSubmatch(line); m != nil {
			mark, body = m[1]+m[3], nil
			open = &block{info: strings.ToLower(strings.TrimSpace(m[2] + m[4]))}
			continue
		}
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			rest = append(rest, line)
		}
	}
	if open != nil {
		open.body = strings.Join(body, "\n")
		blocks = append(blocks, *open)
	}
	return rest, blocks
}

// plainWords counts words as a simple outside check does: everything between
// runs of three or more backticks or tildes is cut, wherever they are, then
// HTML comments, then quoted lines; what is left is split at white space. No
// comment may become ground truth that such a check finds too short.
func plainWords(text string) int {
	text = cutFences(text)
	text = cutBetween(text, "<!--", "-->")
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			n += len(strings.Fields(line))
		}
	}
	return n
}

var fenceRun = regexp.MustCompile("`{3,}|~{3,}")

// cutFences removes every span from a run of fence characters to the next
// occurrence of that run, or to the end.
func cutFences(text string) string {
	var b strings.Builder
	for {
		at := fenceRun.FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at[0]])
		b.WriteByte(' ')
		run := text[at[0]:at[1]]
		_, after, found := strings.Cut(text[at[1]:], run)
		if !found {
			return b.String()
		}
		text = after
	}
}

// cutBetween removes every span between two marks; an opening mark without a
// closing one stays.
func cutBetween(text, open, end string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, open)
		if !found {
			b.WriteString(text)
			return b.String()
		}
		_, after, closed := strings.Cut(rest, end)
		if !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		b.WriteByte(' ')
		text = after
	}
}

var (
	headingLine   = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]|$)`)
	htmlHeading   = regexp.MustCompile(`(?i)<h([1-6])[ >]`)
	delimiterLine = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
)

// outline counts the headings and table rows of lines outside code and quotes.
// Underlined headings are left out: people draw such lines as separators. Of a
// table only the rows of its body count; loose lines between pipes count too.
func outline(lines []string) (h2, headings, rows int) {
	inTable := false
	for i, line := range lines {
		for _, m := range append(headingMarks(line), htmlHeading.FindAllStringSubmatch(line, -1)...) {
			headings++
			if m[1] == "##" || m[1] == "2" {
				h2++
			}
		}
		trimmed := strings.TrimSpace(line)
		piped := len(trimmed) > 2 && trimmed[0] == '|' && trimmed[len(trimmed)-1] == '|'
		switch {
		case strings.Contains(line, "|") && delimiterLine.MatchString(line) && i > 0 && strings.Contains(lines[i-1], "|"):
			if previous := strings.TrimSpace(lines[i-1]); previous[0] == '|' && previous[len(previous)-1] == '|' &&
				len(previous) > 2 {
				rows-- // what is above was the header
			}
			inTable = true
		case piped || inTable && strings.Contains(line, "|"):
			rows++
		default:
			inTable = false
		}
	}
	return h2, headings, rows
}

func headingMarks(line string) [][]string {
	if m := headingLine.FindStringSubmatch(line); m != nil {
		return [][]string{m}
	}
	return nil
}
