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

// CardFacts is what the card says beside what it counts.
type CardFacts struct {
	Title   string
	Runtime model.Runtime
	Funnel  verdict.Funnel
}

//go:embed card.md.tmpl
var cardText string

var cardTemplate = template.Must(template.New("card").Parse(cardText))

// row is one value of a table with how many samples have it.
type row struct {
	Name  string
	Count int
	Share string
}

// card is README.md: what the dataset is and what was counted in it.
func card(facts CardFacts, samples []Sample) ([]byte, error) {
	data := struct {
		CardFacts
		Samples, Single, Multi, MultiHop, Scripts int
		Libraries                                 string
		Types, Operators, Counts, Licenses        []row
	}{CardFacts: facts, Samples: len(samples)}
	types, operators, counts, licenses, scripts := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]bool{}
	for _, s := range samples {
		counts[fmt.Sprint(s.ErrorCount)]++
		licenses[s.License]++
		scripts[s.ScriptID] = true
		if s.Kind == Multi {
			data.Multi++
			continue
		}
		data.Single++
		e := s.Errors[0]
		types[e.ErrorType]++
		operators[e.Operator]++
		if e.HopLines > 0 {
			data.MultiHop++
		}
	}
	data.Scripts = len(scripts)
	data.Types, data.Operators = rows(types, data.Single), rows(operators, data.Single)
	data.Counts, data.Licenses = rows(counts, data.Samples), rows(licenses, data.Samples)
	for _, name := range slices.Sorted(maps.Keys(facts.Runtime.Libraries)) {
		data.Libraries += ", " + name + " " + facts.Runtime.Libraries[name]
	}
	var b bytes.Buffer
	if err := cardTemplate.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("write the card: %w", err)
	}
	return b.Bytes(), nil
}

// rows sorts counts, the largest first.
func rows(counts map[string]int, all int) []row {
	var out []row
	for name, n := range counts {
		out = append(out, row{Name: strings.ReplaceAll(name, "|", `\|`), Count: n, Share: fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, all)))})
	}
	slices.SortFunc(out, func(a, b row) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}
