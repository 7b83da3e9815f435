package artifacts

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// layerHeading begins a layer of a rendered context.
var layerHeading = regexp.MustCompile(`(?m)^## (Layer \d - .+)$`)

// Layer is one layer of a rendered context. Equal layers of several contexts are
// equal values.
type Layer struct {
	Heading string `json:"heading"` // "Layer 2 - Diff (Core)"
	Parts   []Part `json:"parts"`   // in order, never null
}

// Part is a piece of a layer: plain text, or the diff of one file.
type Part struct {
	Path string `json:"path,omitempty"` // of the file, empty for plain text
	Text string `json:"text"`
}

// Layers splits a rendered context at the headings of its layers. Text without
// a heading is in no layer. A fenced diff that cannot be parsed stays text.
func Layers(rendered string) []Layer {
	out := []Layer{}
	marks := layerHeading.FindAllStringSubmatchIndex(rendered, -1)
	for i, m := range marks {
		end := len(rendered)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		body := strings.TrimSuffix(strings.TrimSpace(rendered[m[1]:end]), "\n---")
		out = append(out, Layer{rendered[m[2]:m[3]], parts(body)})
	}
	return out
}

func parts(body string) []Part {
	out := []Part{}
	add := func(s string) {
		if s = strings.Trim(s, "\n"); s != "" {
			out = append(out, Part{Text: s})
		}
	}
	done := 0
	for _, m := range diffBlock.FindAllStringSubmatchIndex(body, -1) {
		patch := body[m[4]:m[5]]
		diff, err := unidiff.Parse(patch)
		if err != nil || len(diff.Files) != 1 {
			continue
		}
		add(body[done:m[0]])
		out = append(out, Part{text.Valid(diff.Files[0].Path()), patch})
		done = m[1]
	}
	add(body[done:])
	return out
}
