package bugs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/text"
)

// factors are what may make a fault easier or harder to see, for a key with a fault, in bands; "" if the question has
// none.
var factors = []struct {
	name string
	band func(Key) string
}{
	{"lines of the file", func(k Key) string { return band(strings.Count(k.Source, "\n"), 100, 200, 400) }},
	{"place in the file", func(k Key) string {
		if lines := strings.Count(k.Source, "\n"); lines > 0 {
			return []string{"1st third", "2nd third", "3rd third"}[min(2, 3*(k.Fault.CauseLine-1)/lines)]
		}
		return ""
	}},
	{"lines from slip to report", func(k Key) string {
		return band(max(k.Fault.ReportLine-k.Fault.CauseLine, k.Fault.CauseLine-k.Fault.ReportLine), 1, 10, 50)
	}},
	{"lines that use the name", func(k Key) string {
		if k.Fault.Name == "" {
			return ""
		}
		return band(len(k.Fault.EffectLines), 2, 3, 6)
	}},
	{"similar names in the file", func(k Key) string {
		if k.Fault.Name == "" || k.Bound == nil {
			return ""
		}
		return band(similar(k.Bound, k.Fault.Name), 1, 2, 3)
	}},
}

// band is the band of n between limits: "0 to 99", "100 to 199", "400 and more". The names sort by value.
func band(n int, limits ...int) string {
	at := 0
	for at < len(limits) && n >= limits[at] {
		at++
	}
	switch {
	case at == 0 && limits[0] == 1:
		return "0"
	case at == 0:
		return fmt.Sprintf("0 to %d", limits[0]-1)
	case at == len(limits):
		return fmt.Sprintf("%d and more", limits[at-1])
	case limits[at]-limits[at-1] == 1:
		return strconv.Itoa(limits[at-1])
	}
	return fmt.Sprintf("%d to %d", limits[at-1], limits[at]-1)
}

// similar counts the bound names that a reader may take for the fault's name: those that differ by one letter more,
// less or other, or by two exchanged letters.
func similar(bound []string, name string) int {
	n := 0
	for _, b := range bound {
		if b != name && text.OneSlip(b, name) {
			n++
		}
	}
	return n
}

// factorRows are the rates of the decidable faults by factor and band.
func factorRows(o stats.Options, model, config string, results []Result) []evaluation.TableRow {
	var out []evaluation.TableRow
	for _, f := range factors {
		bands := map[string][]Result{}
		for _, r := range results {
			if r.Key.Fault != nil && !r.undecidable {
				if name := f.band(r.Key); name != "" {
					bands[name] = append(bands[name], r)
				}
			}
		}
		for _, c := range cells(o, bands) {
			row := c.row(model, config)
			row.Labels = []string{config, f.name, c.name}
			out = append(out, row)
		}
	}
	return out
}
