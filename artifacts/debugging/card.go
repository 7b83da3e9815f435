package debugging

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// CardFacts has the card's inputs besides its counts.
type CardFacts struct {
	Title   string
	Runtime model.Runtime
	Funnel  verdict.Funnel
	Canary  string // the line that marks the dataset's text
}

//go:embed card.md.tmpl
var cardText string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{
	"cell": func(s string) string { return strings.ReplaceAll(s, "|", `\|`) },
}).Parse(cardText))

// Row is one value of a table with how many samples have it.
type Row struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Share string `json:"share"` // of all that the table counts, in percent
}

// Summary has the counts of a dataset.
type Summary struct {
	Name      string         `json:"name"`
	Runtime   string         `json:"runtime"`
	Samples   int            `json:"samples"`
	Single    int            `json:"single"`
	Multi     int            `json:"multi"`
	MultiHop  int            `json:"multi_hop"` // of the single samples
	Scripts   int            `json:"scripts"`
	Counts    []Row          `json:"errors"`    // of all samples
	Types     []Row          `json:"types"`     // of single samples, as are
	Operators []Row          `json:"operators"` // these
	Libraries []Row          `json:"libraries"` // and these
	Licenses  []Row          `json:"licenses"`  // of all samples
	Funnel    verdict.Funnel `json:"funnel"`
}

// summarize counts samples.
func summarize(facts CardFacts, samples []Sample) Summary {
	s := Summary{Name: facts.Title, Samples: len(samples), Funnel: facts.Funnel, Runtime: "Python " + facts.Runtime.Python}
	for _, name := range slices.Sorted(maps.Keys(facts.Runtime.Libraries)) {
		s.Runtime += ", " + name + " " + facts.Runtime.Libraries[name]
	}
	types, operators, libraries, counts, licenses, scripts := map[string]int{}, map[string]int{}, map[string]int{},
		map[string]int{}, map[string]int{}, map[string]bool{}
	for _, x := range samples {
		counts[fmt.Sprint(x.ErrorCount)]++
		licenses[x.License]++
		scripts[x.ScriptID] = true
		if x.Kind == Multi {
			s.Multi++
			continue
		}
		s.Single++
		e := x.Errors[0]
		types[e.ErrorType]++
		operators[e.Operator]++
		libraries[e.Library]++
		if e.HopExecuted > 0 {
			s.MultiHop++
		}
	}
	s.Scripts = len(scripts)
	s.Types, s.Operators, s.Libraries = rows(types, s.Single), rows(operators, s.Single), rows(libraries, s.Single)
	s.Counts, s.Licenses = rows(counts, s.Samples), rows(licenses, s.Samples)
	return s
}

// card is README.md: a description of the dataset and its counts.
func card(facts CardFacts, samples []Sample) ([]byte, error) {
	var b bytes.Buffer
	if err := cardTemplate.Execute(&b, struct {
		Summary
		Canary string
	}{summarize(facts, samples), facts.Canary}); err != nil {
		return nil, fmt.Errorf("write the card: %w", err)
	}
	return b.Bytes(), nil
}

// rows sorts counts, the largest first.
func rows(counts map[string]int, all int) []Row {
	out := []Row{}
	for name, n := range counts {
		out = append(out, Row{Name: name, Count: n, Share: fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, all)))})
	}
	slices.SortFunc(out, func(a, b Row) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}
