package report

import (
	"bufio"
	_ "embed"
	"io"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/page"
)

// The page's sources. They are joined as they are: no build step.
var (
	//go:embed report.html
	pageHTML string
	//go:embed charts.js
	chartsJS string
	//go:embed pull.js
	pullJS string
	//go:embed contexts.js
	contextsJS string
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
	s, err := Summarize(r)
	if err != nil {
		return err
	}
	head, tail, err := page.Page{Template: pageHTML, Title: s.Name, Script: chartsJS + pullJS + contextsJS + reportJS + listJS + keysJS}.Parts()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<20)
	_, _ = out.WriteString(head) // a bufio.Writer keeps its first error for Flush
	index, err := writeDetails(out, r)
	if err != nil {
		return err
	}
	index.Summary = s
	if err := page.Block(out, "index", index); err != nil {
		return err
	}
	_, _ = out.WriteString(tail)
	return out.Flush()
}
