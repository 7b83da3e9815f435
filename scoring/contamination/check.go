package contamination

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/verdict"
)

// Options are the limits of the check (spec section 8).
type Options struct {
	MaxSimilarity float64 `yaml:"max_similarity" json:"max_similarity" check:"0..1"` // a cosine above it is too close
	// texts with fewer words are not compared: "Fix tests" is close to every other
	MinWords int `yaml:"-" json:"-"`
	MaxChars int `yaml:"-" json:"-"` // how much of a text is compared
}

// DefaultOptions are those of spec section 8.
func DefaultOptions() Options {
	return Options{MaxSimilarity: 0.85, MinWords: 8, MaxChars: 8000}
}

// Pull is the check's input from a pull request.
type Pull struct {
	Ref         model.PullRef
	Title, Body string
}

// Text is the text of a known instance.
type Text struct {
	ID   string // "SWE-bench dask/dask#1"
	Text string
}

// Check decides about each pull request, in their order. It rejects an instance of a known benchmark, and a text
// closer than MaxSimilarity to a known text. Known texts are those given and those of the pull requests that are
// instances. If the encoder fails, Check returns an error: nothing passes unchecked. The order of pull requests and
// texts does not matter.
func Check(ctx context.Context, pulls []Pull, instances *Instances, texts []Text, encoder Encoder,
	o Options) ([]verdict.Verdict, error) {
	verdicts := make([]verdict.Verdict, len(pulls))
	var open []int
	for i, p := range pulls {
		if names := instances.of(p.Ref); len(names) > 0 {
			verdicts[i] = verdict.Reject(verdict.BenchmarkInstance, "an instance of "+strings.Join(names, ", "),
				verdict.Evidence{What: "benchmark", Found: strings.Join(names, ", ")})
			texts = append(texts[:len(texts):len(texts)],
				Text{ID: names[0] + " " + p.Ref.String(), Text: pullText(p.Title, p.Body, o)})
			continue
		}
		open = append(open, i)
	}
	matches, err := closest(ctx, pulls, open, texts, encoder, o)
	if err != nil {
		return nil, err
	}
	for n, i := range open {
		m := matches[n]
		evidence := verdict.Evidence{What: "closest known text (" + encoder.Name() + ")",
			Found: fmt.Sprintf("%s, cosine %.4f", m.id, m.similarity), Limit: fmt.Sprintf("%g", o.MaxSimilarity)}
		switch {
		case m.id == "":
			verdicts[i] = verdict.Pass()
		case m.similarity > o.MaxSimilarity:
			verdicts[i] = verdict.Reject(verdict.NearBenchmark, "its text is too close to "+m.id, evidence)
		default:
			verdicts[i] = verdict.Pass(evidence)
		}
	}
	return verdicts, nil
}

// match is the closest known text; id is "" without one.
type match struct {
	id         string
	similarity float64
}

// closest compares the undecided pull requests with the known texts. Among equally close ones the first by id wins.
func closest(ctx context.Context, pulls []Pull, open []int, known []Text, encoder Encoder, o Options) ([]match, error) {
	matches := make([]match, len(open))
	var targets []Text
	for _, t := range known {
		if t.Text = trim(t.Text, o); enoughWords(t.Text, o) {
			targets = append(targets, t)
		}
	}
	var asked []int
	var texts []string
	for n, i := range open {
		if t := pullText(pulls[i].Title, pulls[i].Body, o); enoughWords(t, o) {
			asked = append(asked, n)
			texts = append(texts, t)
		}
	}
	if len(targets) == 0 || len(asked) == 0 {
		return matches, nil
	}
	for _, t := range targets {
		texts = append(texts, t.Text)
	}
	vectors, err := encoder.Encode(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("encode texts with %s: %w", encoder.Name(), err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("encode texts with %s: %d vectors for %d texts", encoder.Name(), len(vectors), len(texts))
	}
	vecs := make([]normed, len(vectors))
	for i, v := range vectors {
		vecs[i] = norm(v)
	}
	for a, n := range asked {
		for k, t := range targets {
			s := cosine(vecs[a], vecs[len(asked)+k])
			if m := &matches[n]; m.id == "" || s > m.similarity || s == m.similarity && t.ID < m.id {
				*m = match{t.ID, s}
			}
		}
	}
	return matches, nil
}

// checkBox matches an item of a template's list of things to do.
var checkBox = regexp.MustCompile(`(?m)^\s*[-*] \[[ xX]\].*$`)

// pullText is a pull request's text for comparison: its title and description, without the repository's template.
func pullText(title, body string, o Options) string {
	body = checkBox.ReplaceAllString(markdown.Visible(body), " ")
	return trim(title+"\n\n"+body, o)
}

// trim cuts a text to the compared part, between characters.
func trim(s string, o Options) string {
	return text.Head(strings.TrimSpace(s), o.MaxChars)
}

func enoughWords(s string, o Options) bool {
	return len(wordPattern.FindAllStringIndex(s, o.MinWords)) >= o.MinWords
}
