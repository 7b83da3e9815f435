package debugging

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/page"
	"github.com/prforge/prforge/internal/verdict"
)

// Summarize counts the contents of a frozen dataset.
func Summarize(dir string) (*Summary, error) {
	m, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	funnel, err := load.ReadJSON[verdict.Funnel](dir, artifacts.FileFunnel)
	if err != nil {
		return nil, err
	}
	facts := CardFacts{Title: m.Name, Funnel: *funnel}
	if m.Runtime != nil {
		facts.Runtime = *m.Runtime
	}
	var samples []Sample
	for s, err := range Samples(dir) {
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

// pageJS is the page's own script.
//
//go:embed page.js
var pageJS string

// index is the page's initial data.
type index struct {
	Summary *Summary `json:"summary"`
}

// row is a sample in a list.
type row struct {
	ID      string  `json:"id"`
	Kind    Kind    `json:"kind"`
	Errors  int     `json:"errors"`
	License string  `json:"license"`
	Faults  []fault `json:"faults"`
	N       int     `json:"n"` // of the sample, from 0, in that block of samples
	Block   int     `json:"block"`
}

// fault is an error in a list.
type fault struct {
	Operator string `json:"operator"`
	Type     string `json:"type"`
	Library  string `json:"library"`
	Message  string `json:"message"`
	Apart    bool   `json:"apart,omitempty"` // other statements ran between its cause and it
}

// shown is one sample as the page shows it.
type shown struct {
	Sample  Sample      `json:"sample"`
	Changes []Change    `json:"changes"`
	Peel    []PeelStep  `json:"peel"`
	Frames  []string    `json:"frames"`
	Lines   []shownLine `json:"lines"`
}

// shownLine is a line of code with what it is.
type shownLine struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
	Class  string `json:"class,omitempty"`  // "cause", "effect", "both" or ""
	Before string `json:"before,omitempty"` // the original's line, where it differs
}

// WriteHTML writes the dataset as a page that opens from disk: figures, funnel
// and every sample with its script, the change, the traceback and the lines.
// Where create is set, the samples lie in files beside it (page.Page).
func WriteHTML(w io.Writer, dir string, create func(path string) (io.WriteCloser, error)) error {
	summary, err := Summarize(dir)
	if err != nil {
		return err
	}
	p := page.Page{
		Name: "prforge audit", Title: summary.Name, Script: pageJS, Create: create,
		Views: []page.View{{Name: "", Label: "Overview"}, {Name: "samples", Label: "Samples"}},
		Keys: []page.Key{
			{Keys: "/", Does: "search"}, {Keys: "j k ↓ ↑", Does: "next and previous in a list; error in a sample"},
			{Keys: "Enter", Does: "open; in the search the first hit"}, {Keys: "n p", Does: "next and previous page, or sample"},
			{Keys: "Esc", Does: "back"}, {Keys: "?", Does: "this help"},
		},
	}
	out, err := p.Begin(w, index{summary})
	if err != nil {
		return err
	}
	rows := []row{}
	blocks := out.Chunks("samples")
	for s, err := range Samples(dir) {
		if err != nil {
			return err
		}
		if !plainID(s.SampleID) {
			return fmt.Errorf("%q is no sample id", s.SampleID)
		}
		evidence, err := load.ReadJSON[Evidence](dir, FileEvidence(s.SampleID))
		if err != nil {
			return err
		}
		r := newRow(s, len(rows))
		if r.Block, err = blocks.Add(r.N, show(*s, *evidence)); err != nil {
			return err
		}
		rows = append(rows, r)
	}
	if err := blocks.Flush(); err != nil {
		return err
	}
	if err := out.Block("list", rows); err != nil {
		return err
	}
	return out.Close()
}

func newRow(s *Sample, n int) row {
	r := row{ID: s.SampleID, Kind: s.Kind, Errors: s.ErrorCount, License: s.License, Faults: []fault{}, N: n}
	for _, e := range s.Errors {
		r.Faults = append(r.Faults, fault{e.Operator, e.ErrorType, e.Library, e.ErrorMessage, e.HopExecuted > 0})
	}
	return r
}

// show gathers the page's data of a sample.
func show(s Sample, e Evidence) shown {
	out := shown{Sample: s, Changes: e.Changes, Peel: e.Peel, Frames: []string{}}
	if x := e.Run.Exception; x != nil {
		for _, f := range x.Frames {
			out.Frames = append(out.Frames, fmt.Sprintf("line %d, in %s: %s", f.Line, f.Function, lineText(s.Code, f.Line)))
		}
	}
	before := strings.Split(e.OriginalCode, "\n")
	for i, text := range strings.Split(strings.TrimSuffix(s.Code, "\n"), "\n") {
		l := shownLine{Number: i + 1, Text: text}
		for _, x := range s.Errors {
			cause, effect := x.CauseLine <= l.Number && l.Number <= x.CauseEndLine, x.EffectLine <= l.Number &&
				l.Number <= x.EffectEndLine
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
