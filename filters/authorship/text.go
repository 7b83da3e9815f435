package authorship

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/pattern"
)

//go:embed data/phrases.yaml
var phrasesYAML []byte

func readPhrases(data []byte) ([]phrase, error) {
	var file struct {
		Phrases []phrase `yaml:"phrases"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&file); err != nil {
		return nil, fmt.Errorf("read the AI-review phrases: %w", err)
	}
	seen := map[string]bool{}
	for i, p := range file.Phrases {
		if err := checkEntry(p.ID, p.Source, p.Date, seen); err != nil {
			return nil, fmt.Errorf("read the AI-review phrases: %w", err)
		}
		match, err := pattern.Compile("(?im)" + p.Pattern)
		if err != nil {
			return nil, fmt.Errorf("read the AI-review phrase %q: %w", p.ID, err)
		}
		file.Phrases[i].match = match
	}
	return file.Phrases, nil
}

// defaultTextOptions are the numbers of spec section 4.
func defaultTextOptions() TextOptions {
	return TextOptions{MinH2: 3, MinTableRows: 3, LongRunes: 2000, LongHeadings: 2}
}

// AIText reports whether a text carries the marks of AI writing, by the four rules of spec section 4. It ignores
// quoted lines, fenced blocks and inline code: people quote machines to answer them.
func (r *Registry) AIText(t markdown.Text) (Text, bool) {
	folded := pattern.Fold(t.Marks)
	for _, p := range r.phrases {
		if !p.match.May(folded) {
			continue
		}
		if at := p.match.FindStringIndex(t.Marks); at != nil {
			return Text{Rule: "phrase: " + p.ID, Excerpt: excerpt(t.Marks[at[0]:at[1]])}, true
		}
	}
	o := r.text
	switch {
	case t.H2 >= o.MinH2:
		return Text{Rule: "headings", Excerpt: fmt.Sprintf("%d headings of level 2", t.H2)}, true
	case t.TableRows >= o.MinTableRows:
		return Text{Rule: "table", Excerpt: fmt.Sprintf("%d table rows", t.TableRows)}, true
	case t.Runes > o.LongRunes && t.Headings >= o.LongHeadings:
		return Text{Rule: "long", Excerpt: fmt.Sprintf("%d characters with %d headings", t.Runes, t.Headings)}, true
	}
	return Text{}, false
}

// maxExcerpt bounds an excerpt of a text, in runes.
const maxExcerpt = 80

// excerpt puts a text on one line of at most maxExcerpt runes.
func excerpt(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) > maxExcerpt {
		runes = append(runes[:maxExcerpt-1], '…')
	}
	return string(runes)
}
