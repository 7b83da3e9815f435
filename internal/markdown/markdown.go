// Package markdown reads a GitHub comment the way a person does: which words
// are prose, what is code, quotation or decoration. goldmark parses the
// document; lines.go counts what has to be counted line by line.
package markdown

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Text is what a comment says.
type Text struct {
	// Prose is the text of paragraphs, headings and lists, one block a line.
	// Code spans are in it between backticks. Quotes, code blocks, HTML,
	// link targets, bare links, images, emoji codes and slash commands are
	// not part of it.
	Prose string
	Plain string // Prose without its code spans
	// Words counts the words of Prose, never more than a plain count of the
	// body without fences, HTML comments and quoted lines.
	Words       int
	CodeSpans   []string // inline code, in order
	Links       []string // link targets, in order
	Suggestions int      // suggestion blocks, empty ones too
	Suggested   []string // the lines of each suggestion block, in order
	CodeBlocks  int      // other fenced or indented blocks
	// Marks is the text in which AI tools leave marks: everything but quoted
	// lines, fenced blocks and inline code. HTML comments are in it.
	Marks                   string
	Runes                   int // length of the body without quoted lines, in runes
	H2, Headings, TableRows int // in Marks
}

// parser reads GitHub's tables, bare links and strikethrough beside CommonMark.
var parser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// Read reads a comment's body. It never fails; invalid UTF-8 is replaced.
func Read(body string) Text {
	body = normalize(body)
	lines, blocks := splitFences(body)
	t := Text{Marks: codeSpan.ReplaceAllString(strings.Join(lines, "\n"), " ")}
	t.H2, t.Headings, t.TableRows = outline(lines)
	t.Runes = len([]rune(strings.Join(lines, "\n")))
	for _, b := range blocks {
		t.Runes += len([]rune(b.body))
		if b.info == "suggestion" || strings.HasPrefix(b.info, "suggestion ") || strings.HasPrefix(b.info, "suggestion:") {
			t.Suggestions++
			t.Suggested = append(t.Suggested, b.body)
		} else {
			t.CodeBlocks++
		}
	}
	r := reader{source: []byte(strings.Join(lines, "\n")), text: &t}
	r.read(parser.Parse(text.NewReader(r.source)))
	t.Prose, t.Plain = clean(r.prose.String()), clean(r.plain.String())
	t.Words = min(countWords(t.Prose), plainWords(body))
	return t
}

// codeSpan matches inline code on one line.
var codeSpan = regexp.MustCompile("`[^`\n]+`")

// reader walks a document and writes its prose.
type reader struct {
	source []byte
	text   *Text
	prose  strings.Builder
	plain  strings.Builder // prose without code spans
}

func (r *reader) read(doc ast.Node) {
	// Walk's only error is the callback's, which never returns one.
	_ = ast.Walk(doc, r.node)
}

// write adds to the prose.
func (r *reader) write(s string) {
	r.prose.WriteString(s)
	r.plain.WriteString(s)
}

func (r *reader) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		if n.Type() == ast.TypeBlock {
			r.write("\n")
		}
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.CodeBlock:
		r.text.CodeBlocks++
		return ast.WalkSkipChildren, nil
	case *ast.Blockquote, *ast.FencedCodeBlock, *ast.Image:
		return ast.WalkSkipChildren, nil
	case *ast.HTMLBlock:
		r.write(r.htmlText(n))
		return ast.WalkSkipChildren, nil
	case *ast.RawHTML:
		r.write(" ")
	case *ast.AutoLink:
		r.text.Links = append(r.text.Links, string(n.URL(r.source)))
		r.write(" ")
		return ast.WalkSkipChildren, nil
	case *ast.Link:
		r.text.Links = append(r.text.Links, string(n.Destination))
	case *ast.CodeSpan:
		code := r.literal(n)
		r.text.CodeSpans = append(r.text.CodeSpans, code)
		r.prose.WriteString("`" + code + "`")
		r.plain.WriteByte(' ')
		return ast.WalkSkipChildren, nil
	case *ast.Text:
		r.write(string(n.Value(r.source)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			r.write("\n")
		}
	case *ast.String:
		r.write(string(n.Value))
	}
	return ast.WalkContinue, nil
}

// tag matches an HTML tag.
var tag = regexp.MustCompile(`<[^<>]*>`)

// htmlText is what a reader sees of a block of HTML: no comments, no tags.
func (r *reader) htmlText(n *ast.HTMLBlock) string {
	raw := string(n.Lines().Value(r.source))
	if n.HasClosure() {
		raw += string(n.ClosureLine.Value(r.source))
	}
	raw, _, _ = strings.Cut(cutBetween(raw, "<!--", "-->"), "<!--")
	return tag.ReplaceAllString(raw, " ")
}

// literal joins the text below a code span.
func (r *reader) literal(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Value(r.source))
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\n", " "))
}

var (
	emojiCode    = regexp.MustCompile(`(^|\s):[+a-zA-Z][\w+-]*:`)
	slashCommand = regexp.MustCompile(`(?m)^[ \t]*/[a-z][\w-]*(?:[ \t].*)?$`)
)

// clean takes emoji codes and commands to bots out and squeezes white space.
func clean(s string) string {
	s = slashCommand.ReplaceAllString(s, "")
	s = emojiCode.ReplaceAllString(s, "$1")
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		words := strings.FieldsFunc(strings.Trim(line, "\f\r \t"), func(r rune) bool { return r == ' ' || r == '\t' })
		if len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// countWords counts what a reader takes for words: tokens with a letter or a
// digit, and every token of inline code.
func countWords(prose string) int {
	n, inCode := 0, false
	for token := range strings.FieldsSeq(prose) {
		ticks := strings.Count(token, "`")
		if inCode || ticks > 0 ||
			strings.ContainsFunc(token, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
		if ticks%2 == 1 {
			inCode = !inCode
		}
	}
	return n
}
