package report

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

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/text"
)

// The page's sources. They are joined as they are: no build step.
var (
	//go:embed report.html
	pageHTML string
	//go:embed report.css
	pageCSS string
	//go:embed text.js
	textJS string
	//go:embed charts.js
	chartsJS string
	//go:embed pull.js
	pullJS string
	//go:embed report.js
	reportJS string
	//go:embed list.js
	listJS string
	//go:embed keys.js
	keysJS string
)

// WriteHTML writes the whole dataset as one page that opens from disk and asks
// nothing of anyone: its policy admits the one script and the one style in it,
// by their hashes, and nothing else. What comes from strangers is in data
// blocks, one for each pull request, which the script reads when they are
// looked at and only ever shows as text. Equal datasets give equal bytes.
func WriteHTML(w io.Writer, r *artifacts.Reader) error {
	s, err := Summarise(r)
	if err != nil {
		return err
	}
	head, tail, ok := strings.Cut(page(s.Name), "<!--data-->")
	if !ok {
		return fmt.Errorf("report.html has no place for data")
	}
	out := bufio.NewWriterSize(w, 1<<20)
	out.WriteString(head) // a bufio.Writer keeps its first error for Flush
	index, err := writeDetails(out, r)
	if err != nil {
		return err
	}
	index.Summary = s
	if err := writeBlock(out, "index", index); err != nil {
		return err
	}
	out.WriteString(tail)
	return out.Flush()
}

// page is report.html with everything in it but the data.
func page(name string) string {
	script := textJS + chartsJS + pullJS + reportJS + listJS + keysJS
	policy := "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(pageCSS) + "; base-uri 'none'; form-action 'none'"
	return strings.NewReplacer(
		"<!--policy-->", `<meta http-equiv="Content-Security-Policy" content="`+policy+`">`,
		"<!--title-->", html.EscapeString(text.Printable(name)),
		"<!--style-->", "<style>"+pageCSS+"</style>",
		"<!--script-->", "<script>"+script+"</script>",
	).Replace(pageHTML)
}

// hash is a source of a Content-Security-Policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// writeBlock writes a value as a data block. encoding/json escapes <, >, &,
// U+2028 and U+2029, so no text in it can end the block or begin markup.
func writeBlock(w *bufio.Writer, id string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	fmt.Fprintf(w, "<script type=\"application/json\" id=\"%s\">", id)
	w.Write(b)
	_, err = w.WriteString("</script>\n")
	return err
}
