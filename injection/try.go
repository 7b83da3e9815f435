package injection

import "errors"

// Tried is one possible slip in a file and its result.
type Tried struct {
	Kind  string `json:"kind"`
	Line  int    `json:"line"`
	Fault *Fault `json:"fault"` // nil where it is refused
	Code  string `json:"code"`  // of the refusal, "" for a fault
	Why   string `json:"why"`
}

// Try makes every slip of every kind in a source and returns the results, in the order of Kinds and of the source.
// modules may be nil: then no import is proven.
func Try(s *Source, modules Modules) []Tried {
	var out []Tried
	for _, k := range Kinds {
		for _, m := range k.Mutations(s, modules) {
			t := Tried{Kind: k.Kind, Line: m.Edits[0].Line}
			p, err := s.Prove(m, modules)
			var r *Refusal
			switch {
			case errors.As(err, &r):
				t.Code, t.Why = r.Code, r.Detail
			case err != nil:
				t.Code, t.Why = RefusedShape, err.Error()
			default:
				t.Fault = &p.Fault
			}
			out = append(out, t)
		}
	}
	return out
}
