// Package page is what the pages for a browser share: their frame, their style,
// the script through which every stranger's text becomes text, and the policy
// that admits the one script and the one style by their hashes and nothing else.
// Such a page opens from disk and asks nothing of anyone.
package page

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/prforge/prforge/internal/text"
)

// The shared sources. They are joined as they are: no build step.
var (
	//go:embed page.html
	frame string
	//go:embed page.css
	css string
	//go:embed text.js
	textJS string
	//go:embed markdown.js
	markdownJS string
	//go:embed hunk.js
	hunkJS string
	//go:embed blocks.js
	blocksJS string
	//go:embed charts.js
	chartsJS string
	//go:embed lists.js
	listsJS string
	//go:embed search.js
	searchJS string
	//go:embed shell.js
	shellJS string
)

// Page is a page's own part.
type Page struct {
	Name  string // of the kind of page: "prforge audit"
	Title string
	Note  string // stands at the top of every view; "" for nothing
	Views []View // of the navigation
	Keys  []Key  // for the help
	// Script follows the shared one; its last statement calls start.
	Script string
	// Create opens a file beside the page, by its slash path. Where it is set, the
	// blocks lie in files that are read when they are needed; where it is nil, in
	// the page.
	Create func(path string) (io.WriteCloser, error)
}

// View is an entry of the navigation: the name of the view, "" for the first one,
// and what people read.
type View struct{ Name, Label string }

// Key says what keys do.
type Key struct {
	Keys string // with a space between
	Does string
}

// Begin writes the page down to its script. The index is read with the page.
func (p Page) Begin(w io.Writer, index any) (*Writer, error) {
	b, err := json.Marshal(index) // escapes <, >, &, U+2028 and U+2029: no text can end the block
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	blocks := ""
	if p.Create != nil {
		blocks = folder
	}
	script := textJS + markdownJS + hunkJS + chartsJS + listsJS + blocksJS + searchJS + shellJS + p.Script
	whole := strings.NewReplacer(
		"<!--policy-->", p.policies(script),
		"<!--blocks-->", blocks,
		"<!--title-->", html.EscapeString(text.Printable(p.Title)),
		"<!--name-->", html.EscapeString(p.Name),
		"<!--note-->", p.note(),
		"<!--views-->", p.views(),
		"<!--keys-->", p.keys(),
		"<!--style-->", "<style>"+css+"</style>",
		"<!--index-->", `<script type="application/json" id="index">`+string(b)+"</script>\n",
		"<!--script-->", "<script>"+script+"</script>",
	).Replace(frame)
	head, tail, _ := strings.Cut(whole, "<!--data-->")
	out := &Writer{w: bufio.NewWriterSize(w, 1<<20), create: p.Create, tail: tail}
	_, _ = out.w.WriteString(head) // a bufio.Writer keeps its first error for Flush
	return out, nil
}

// policies admit the page's own script and style. Of a page with files they admit
// too what is loaded by that script, from where the page itself lies: both must
// hold.
func (p Page) policies(script string) string {
	scripts := []string{""}
	if p.Create != nil {
		scripts = []string{" 'strict-dynamic'", " 'self' file:"}
	}
	var b strings.Builder
	for _, more := range scripts {
		fmt.Fprintf(&b,
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src %s%s; style-src %s; base-uri 'none'; form-action 'none'\">\n", hash(script), more, hash(css))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// note is the text at the top of every view.
func (p Page) note() string {
	if p.Note == "" {
		return ""
	}
	return "<strong>" + html.EscapeString(p.Note) + "</strong>"
}

func (p Page) views() string {
	var b strings.Builder
	for _, v := range p.Views {
		fmt.Fprintf(&b, "    <a href=\"#/%s\" data-view=\"%s\">%s</a>\n", v.Name, v.Name, html.EscapeString(v.Label))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (p Page) keys() string {
	var b strings.Builder
	for _, k := range p.Keys {
		b.WriteString("    <dt>")
		for i, key := range strings.Fields(k.Keys) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString("<kbd>" + html.EscapeString(key) + "</kbd>")
		}
		fmt.Fprintf(&b, "</dt><dd>%s</dd>\n", html.EscapeString(k.Does))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// hash is a source of a Content-Security-Policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
