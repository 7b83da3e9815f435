package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	plain "github.com/prforge/prforge/internal/text"
)

// Paragraph is a part of a text between blank lines, as its author wrote it.
type Paragraph struct {
	Text string // lines without white space at their ends
	Code bool   // holds a fenced block, blank lines and all
}

// Paragraphs cuts a text at its blank lines, without what Visible hides. Beyond
// maxBytes nothing is read: the rest belongs to the last paragraph as it is.
func Paragraphs(body string) []Paragraph {
	body = plain.Plain(body)
	rest := body[len(plain.Head(body, maxBytes)):]
	body = body[:len(body)-len(rest)]
	doc := parser.Parse(text.NewReader([]byte(body)))
	body, fenced := hide(body, doc), fencedLines(body, doc)
	var out []Paragraph
	var now Paragraph
	var lines []string
	flush := func() {
		if now.Text = strings.Join(lines, "\n"); now.Text != "" {
			out = append(out, now)
		}
		now, lines = Paragraph{}, nil
	}
	n := 0
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimRight(line, " \t")
		switch inFence := fenced[n]; {
		case inFence:
			now.Code = true
			lines = append(lines, line)
		case line == "":
			flush()
		default:
			lines = append(lines, line)
		}
		n++
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		if len(lines) == 0 {
			lines = append(lines, "")
		}
		lines[len(lines)-1] += rest
	}
	flush()
	return out
}

// Visible is a text without its HTML comments, which GitHub does not show: most
// are the instructions of a template. What code shows of one stays.
func Visible(body string) string {
	body = plain.Head(plain.Lines(body), maxBytes)
	return hide(body, parser.Parse(text.NewReader([]byte(body))))
}

// hide cuts the HTML comments out, but for the line breaks in them, so that lines
// keep their numbers.
func hide(body string, doc ast.Node) string {
	var b strings.Builder
	end := 0
	for _, c := range comments([]byte(body), doc) {
		b.WriteString(body[end:c.Start])
		b.WriteString(strings.Repeat("\n", strings.Count(body[c.Start:c.Stop], "\n")))
		end = c.Stop
	}
	return b.String() + body[end:]
}

// comments are the HTML comments of a document, in order.
func comments(source []byte, doc ast.Node) []text.Segment {
	var out []text.Segment
	walk(doc, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.RawHTML:
			first, last := n.Segments.At(0), n.Segments.At(n.Segments.Len()-1)
			if strings.HasPrefix(string(first.Value(source)), "<!--") {
				out = append(out, text.NewSegment(first.Start, last.Stop))
			}
		case *ast.HTMLBlock:
			lines := n.Lines().Sliced(0, n.Lines().Len())
			if n.HasClosure() {
				lines = append(slices.Clone(lines), n.ClosureLine)
			}
			if len(lines) > 0 {
				out = append(out, commentsIn(source, lines[0].Start, lines[len(lines)-1].Stop)...)
			}
		}
	})
	return out
}

// commentsIn are the comments in a block of HTML; an open one runs to its end.
func commentsIn(source []byte, start, stop int) []text.Segment {
	var out []text.Segment
	for {
		raw := string(source[start:stop])
		open := strings.Index(raw, "<!--")
		if open < 0 {
			return out
		}
		end := strings.Index(raw[open:], "-->")
		if end < 0 {
			return append(out, text.NewSegment(start+open, stop))
		}
		out = append(out, text.NewSegment(start+open, start+open+end+len("-->")))
		start += open + end + len("-->")
	}
}

// fencedLines are the numbers of the lines inside fenced blocks, from 0.
func fencedLines(body string, doc ast.Node) map[int]bool {
	in := map[int]bool{}
	line, at := 0, 0
	walk(doc, func(n ast.Node) {
		block, ok := n.(*ast.FencedCodeBlock)
		if !ok {
			return
		}
		for i := range block.Lines().Len() {
			start := block.Lines().At(i).Start
			line += strings.Count(body[at:start], "\n")
			at = start
			in[line] = true
		}
	})
	return in
}

// walk visits every node in the order of the document.
func walk(n ast.Node, visit func(ast.Node)) {
	// Walk's only error is the callback's, which never returns one.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}
