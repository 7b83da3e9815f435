// Package page is what the one-file pages share: their style, the script through
// which every stranger's text becomes text, and the policy that admits the one
// script and the one style by their hashes and nothing else. Such a page opens
// from disk and asks nothing of anyone.
package page

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/prforge/prforge/internal/text"
)

// The shared sources. They are joined as they are: no build step.
var (
	//go:embed page.css
	css string
	//go:embed text.js
	textJS string
	//go:embed hunk.js
	hunkJS string
)

// Page is a page's own part. Template has the marks <!--policy-->,
// <!--title-->, <!--style-->, <!--data--> and <!--script-->. Script follows the
// shared one.
type Page struct {
	Template, Title, Script string
}

// Parts is the page without its data, which is written with Block between the
// two.
func (p Page) Parts() (head, tail string, err error) {
	script := textJS + hunkJS + p.Script
	policy := "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(css) + "; base-uri 'none'; form-action 'none'"
	whole := strings.NewReplacer(
		"<!--policy-->", `<meta http-equiv="Content-Security-Policy" content="`+policy+`">`,
		"<!--title-->", html.EscapeString(text.Printable(p.Title)),
		"<!--style-->", "<style>"+css+"</style>",
		"<!--script-->", "<script>"+script+"</script>",
	).Replace(p.Template)
	head, tail, ok := strings.Cut(whole, "<!--data-->")
	if !ok {
		return "", "", errors.New("the page has no place for data")
	}
	return head, tail, nil
}

// hash is a source of a Content-Security-Policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Block writes a value as a data block of the page. encoding/json escapes <, >,
// &, U+2028 and U+2029, so no text in it can end the block or begin markup.
func Block(w *bufio.Writer, id string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	fmt.Fprintf(w, "<script type=\"application/json\" id=\"%s\">", id)
	_, _ = w.Write(b) // a bufio.Writer keeps its first error
	_, err = w.WriteString("</script>\n")
	return err
}
