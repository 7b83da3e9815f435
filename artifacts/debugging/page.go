package debugging

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/verdict"
)

// Summarize counts what a frozen dataset holds.
func Summarize(dir string) (*Summary, error) {
	m, err := artifacts.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	funnel, err := artifacts.ReadJSON[verdict.Funnel](dir, artifacts.FileFunnel)
	if err != nil {
		return nil, err
	}
	facts := CardFacts{Title: m.Name, Funnel: *funnel}
	if m.Runtime != nil {
		facts.Runtime = *m.Runtime
	}
	var samples []Sample
	for s, err := range artifacts.ReadLines[Sample](dir, FileSamples) {
		if err != nil {
			return nil, err
		}
		if len(s.Errors) == 0 {
			return nil, fmt.Errorf("%s has no error", s.SampleID)
		}
		samples = append(samples, *s)
	}
	s := summarize(facts, samples)
	return &s, nil
}

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// shown is one sample as the page shows it.
type shown struct {
	Sample
	Changes []Change
	Peel    []PeelStep
	Frames  []string
	Lines   []shownLine
}

// shownLine is a line of code with what it is.
type shownLine struct {
	Number int
	Text   string
	Class  string // "cause", "effect", "both" or ""
	Before string // the original's line, where it differs
}

// WriteHTML writes the dataset as one page that opens from disk: figures, funnel
// and every sample with its script, the change, the traceback and the lines. It
// has no script; every text is escaped.
func WriteHTML(w io.Writer, dir string) error {
	summary, err := Summarize(dir)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<20)
	if err := pageTemplate.ExecuteTemplate(out, "head", summary); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	for s, err := range artifacts.ReadLines[Sample](dir, FileSamples) {
		if err != nil {
			return err
		}
		if !plainID(s.SampleID) {
			return fmt.Errorf("%q is no sample id", s.SampleID)
		}
		evidence, err := artifacts.ReadJSON[Evidence](dir, FileEvidence(s.SampleID))
		if err != nil {
			return err
		}
		if err := pageTemplate.ExecuteTemplate(out, "sample", show(*s, *evidence)); err != nil {
			return fmt.Errorf("write the page: %w", err)
		}
	}
	if err := pageTemplate.ExecuteTemplate(out, "tail", nil); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return out.Flush()
}

// show gathers what the page says of a sample.
func show(s Sample, e Evidence) shown {
	out := shown{Sample: s, Changes: e.Changes, Peel: e.Peel}
	if x := e.Run.Exception; x != nil {
		for _, f := range x.Frames {
			out.Frames = append(out.Frames, fmt.Sprintf("line %d, in %s: %s", f.Line, f.Function, lineText(s.Code, f.Line)))
		}
	}
	before := strings.Split(e.OriginalCode, "\n")
	for i, text := range strings.Split(strings.TrimSuffix(s.Code, "\n"), "\n") {
		l := shownLine{Number: i + 1, Text: text}
		for _, x := range s.Errors {
			cause, effect := x.CauseLine <= l.Number && l.Number <= x.CauseEndLine, x.EffectLine <= l.Number && l.Number <= x.EffectEndLine
			switch {
			case cause && effect || cause && l.Class == "effect" || effect && l.Class == "cause":
				l.Class = "both"
			case cause:
				l.Class = "cause"
			case effect:
				l.Class = "effect"
			}
		}
		if i < len(before) && before[i] != text {
			l.Before = before[i]
		}
		out.Lines = append(out.Lines, l)
	}
	return out
}
