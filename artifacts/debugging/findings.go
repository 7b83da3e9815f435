package debugging

import (
	"fmt"

	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/text"
)

// maxExample is how much of an example is shown, in characters.
const maxExample = 300

// findings gathers faults by kind, in the order of a table.
type findings struct {
	order  []verify.Fault // kinds with their texts
	checks int
	count  map[verify.Kind]int
	first  map[verify.Kind]string
}

func newFindings(order []verify.Fault) *findings {
	return &findings{order: order, count: map[verify.Kind]int{}, first: map[verify.Kind]string{}}
}

// check counts one check and notes where it fails. It returns ok.
func (f *findings) check(kind verify.Kind, ok bool, place string, args ...any) bool {
	f.checks++
	if !ok {
		if f.count[kind]++; f.count[kind] == 1 {
			f.first[kind] = text.Clip(text.Printable(fmt.Sprintf(place, args...)), maxExample)
		}
	}
	return ok
}

// faults are the kinds that were found.
func (f *findings) faults() []verify.Fault {
	out := []verify.Fault{}
	for _, k := range f.order {
		if n := f.count[k.Kind]; n > 0 {
			out = append(out, verify.Fault{Kind: k.Kind, Text: k.Text, Count: n, Example: f.first[k.Kind]})
		}
	}
	return out
}
