package verify

import (
	"github.com/prforge/prforge/internal/text"
)

// Report is the outcome of verifying a dataset.
type Report struct {
	Dataset  string   `json:"dataset"`
	Format   string   `json:"format"`
	Records  int      `json:"records"`
	Checks   int      `json:"checks"`          // single facts looked at
	Faults   []Fault  `json:"faults"`          // in the order of Kinds
	Warnings []Fault  `json:"warnings"`        // to check; they do not make a dataset wrong
	Notes    []Fault  `json:"notes,omitempty"` // to know: nobody has to check them
	Skipped  []string `json:"skipped"`         // what could not be checked, and why
	// NotForPublication marks a dataset that may hold unpublished data.
	NotForPublication bool `json:"not_for_publication,omitempty"`
	// Rebuilt is how many files were rebuilt with equal bytes; 0 unless all were.
	Rebuilt int `json:"rebuilt,omitempty"`
}

// OK reports whether no fault was found.
func (r *Report) OK() bool { return len(r.Faults) == 0 }

// Add adds a fault that was found outside this package: it raises the count, or adds the first fault of its kind with
// this example.
func (r *Report) Add(k Kind, example string) {
	for i := range r.Faults {
		if r.Faults[i].Kind == k {
			r.Faults[i].Count++
			return
		}
	}
	r.Faults = append(r.Faults,
		Fault{Kind: k, Text: textOf(k), Count: 1, Example: text.Clip(text.Printable(example), maxExample)})
}

// maxExample is how much of an example is shown, in characters.
const maxExample = 300
