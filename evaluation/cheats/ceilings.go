package cheats

import "fmt"

// Ceilings are the maximum scores of cheats on a dataset, as shares from 0 to 1.
type Ceilings struct {
	// Level is for each cheat at each level, All for each over all items; 0 is no
	// ceiling.
	Level float64 `yaml:"level" json:"level" check:"0..1"`
	All   float64 `yaml:"all" json:"all" check:"0..1"`
	// Own are the ceilings over all items of single cheats, by name, to which Level and All do not apply.
	Own map[string]float64 `yaml:"own" json:"own"`
	// MinItems is how many items a level, or the whole, must have for a ceiling to apply: the share of a few is
	// chance.
	MinItems int `yaml:"min_items" json:"min_items" check:"0.."`
}

// TooEasyError says that a cheat exceeds its ceiling.
type TooEasyError struct {
	Result  Result
	Metric  string
	Ceiling float64
}

// Error is a sentence for the dataset's maker.
func (e *TooEasyError) Error() string {
	r := e.Result
	where := "over all"
	if r.Level != All {
		where = "at " + r.Level
	}
	share, _ := r.Rate.Value()
	return fmt.Sprintf("the reviewer %s, which reads no meaning, gets %.2f of %s %s (%d questions, %s), over its ceiling of %.2f: "+
		"lower the quotas of the kinds that it finds, add sources to draw from, or raise the ceiling in the configuration",
		r.Cheat, share, e.Metric, where, r.Items, r.Config, e.Ceiling)
}

// Check compares results with the ceilings. The error is a *TooEasyError about the
// first that is over.
func (c Ceilings) Check(metric string, results []Result) error {
	for _, r := range results {
		share, ok := r.Rate.Value()
		if ceiling := c.of(r); ok && r.Items >= c.MinItems && ceiling > 0 && share > ceiling {
			return &TooEasyError{Result: r, Metric: metric, Ceiling: ceiling}
		}
	}
	return nil
}

// of is the ceiling of a result; 0 for none.
func (c Ceilings) of(r Result) float64 {
	own, has := c.Own[r.Cheat]
	switch {
	case has && r.Level == All:
		return own
	case has:
		return 0
	case r.Level == All:
		return c.All
	}
	return c.Level
}
