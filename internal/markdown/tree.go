package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	plain "github.com/prforge/prforge/internal/text"
)

// The kinds of nodes. Plain text has none.
const (
	paragraph = "p"
	heading   = "h" // of any level
	quote     = "quote"
	bullets   = "ul"
	numbers   = "ol"
	listItem  = "li"
	codeBlock = "pre"
	code      = "code" // inline
	emphasis  = "em"
	strong    = "strong"
	deleted   = "del"
	link      = "a"
	rule      = "hr"
	lineBreak = "br"
	markup    = "html" // as it was written
	table     = "table"
	tableRow  = "tr"
	tableCell = "td"
)

// Node is a part of a document for a page. Its texts are data: insert them as text only.
type Node struct {
	Kind string `json:"k,omitempty"`
	Text string `json:"t,omitempty"` // of text, code and markup
	// Info is the language of a block of code, or where a link leads: a
	// stranger's word, not checked.
	Info  string `json:"i,omitempty"`
	Nodes []Node `json:"n,omitempty"`
}

// maxDepth bounds how deep a tree is; what is nested deeper is text.
const maxDepth = 20

// Tree is a text in GitHub's layout without anything active: markup stays visible as written, pictures become links.
// Nothing is lost except marks of layout; text beyond maxBytes is one plain paragraph.
func Tree(body string) []Node {
	body = plain.Lines(body)
	source := plain.Head(body, maxBytes)
	t := tree{source: []byte(source)}
	out := t.children(parser.Parse(text.NewReader(t.source)), 0)
	if rest := body[len(source):]; rest != "" {
		out = append(out, Node{Kind: paragraph, Nodes: []Node{{Text: rest}}})
	}
	return out
}

type tree struct{ source []byte }

func (t *tree) children(n ast.Node, depth int) []Node {
	var out []Node
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		for _, made := range t.node(c, depth+1) {
			if last := len(out) - 1; made.Kind == "" && last >= 0 && out[last].Kind == "" {
				out[last].Text += made.Text
				continue
			}
			out = append(out, made)
		}
	}
	return out
}

// kinds are the nodes that have nothing of their own but their children.
var kinds = map[ast.NodeKind]string{
	ast.KindParagraph: paragraph, ast.KindTextBlock: paragraph, ast.KindHeading: heading, ast.KindBlockquote: quote,
	ast.KindListItem:       listItem,
	east.KindStrikethrough: deleted, east.KindTable: table, east.KindTableHeader: tableRow, east.KindTableRow: tableRow,
	east.KindTableCell: tableCell,
}

func (t *tree) node(n ast.Node, depth int) []Node {
	if depth > maxDepth {
		return []Node{{Text: string(t.words(n))}}
	}
	if kind, ok := kinds[n.Kind()]; ok {
		return []Node{{Kind: kind, Nodes: t.children(n, depth)}}
	}
	switch n := n.(type) {
	case *ast.List:
		kind := bullets
		if n.IsOrdered() {
			kind = numbers
		}
		return []Node{{Kind: kind, Nodes: t.children(n, depth)}}
	case *ast.Emphasis:
		kind := emphasis
		if n.Level > 1 {
			kind = strong
		}
		return []Node{{Kind: kind, Nodes: t.children(n, depth)}}
	case *ast.FencedCodeBlock:
		info := ""
		if n.Info != nil {
			info = string(n.Info.Value(t.source))
		}
		return []Node{{Kind: codeBlock, Info: info, Text: string(n.Lines().Value(t.source))}}
	case *ast.CodeBlock:
		return []Node{{Kind: codeBlock, Text: string(n.Lines().Value(t.source))}}
	case *ast.HTMLBlock:
		raw := string(n.Lines().Value(t.source))
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(t.source))
		}
		return []Node{{Kind: paragraph, Nodes: []Node{{Kind: markup, Text: strings.TrimRight(raw, "\n")}}}}
	case *ast.ThematicBreak:
		return []Node{{Kind: rule}}
	}
	return t.inline(n, depth)
}

func (t *tree) inline(n ast.Node, depth int) []Node {
	switch n := n.(type) {
	case *ast.Text:
		value := n.Value(t.source)
		if !n.IsRaw() {
			value = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value)))
		}
		switch {
		case n.HardLineBreak():
			return []Node{{Text: string(value)}, {Kind: lineBreak}}
		case n.SoftLineBreak():
			return []Node{{Text: string(value) + "\n"}}
		}
		return []Node{{Text: string(value)}}
	case *ast.String:
		return []Node{{Text: string(n.Value)}}
	case *ast.CodeSpan:
		return []Node{{Kind: code, Text: string(t.words(n))}}
	case *ast.RawHTML:
		return []Node{{Kind: markup, Text: string(n.Segments.Value(t.source))}}
	case *ast.Link:
		return []Node{{Kind: link, Info: string(n.Destination), Nodes: t.children(n, depth)}}
	case *ast.Image:
		return []Node{{Kind: link, Info: string(n.Destination),
			Nodes: append([]Node{{Text: "picture: "}}, t.children(n, depth)...)}}
	case *ast.AutoLink:
		return []Node{{Kind: link, Info: string(n.URL(t.source)), Nodes: []Node{{Text: string(n.Label(t.source))}}}}
	case *east.TaskCheckBox:
		if n.IsChecked {
			return []Node{{Text: "☑ "}}
		}
		return []Node{{Text: "☐ "}}
	}
	return t.children(n, depth)
}

// words is the text below a node as it was written.
func (t *tree) words(n ast.Node) []byte {
	var out []byte
	walk(n, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Text:
			out = append(out, n.Value(t.source)...)
			if n.SoftLineBreak() || n.HardLineBreak() {
				out = append(out, '\n')
			}
		case *ast.FencedCodeBlock:
			out = append(out, n.Lines().Value(t.source)...)
		case *ast.CodeBlock:
			out = append(out, n.Lines().Value(t.source)...)
		case *ast.HTMLBlock:
			out = append(out, n.Lines().Value(t.source)...)
		case *ast.RawHTML:
			out = append(out, n.Segments.Value(t.source)...)
		}
	})
	return out
}
