package python

import (
	"encoding/json"
	"fmt"
)

// MarshalJSON writes the five numbers as a list: records hold thousands.
func (e Executed) MarshalJSON() ([]byte, error) {
	return json.Marshal([5]int{e.First, e.Last, e.Runs, e.Start, e.End})
}

// UnmarshalJSON reads the list.
func (e *Executed) UnmarshalJSON(data []byte) error {
	var n []int
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	if len(n) != 5 {
		return fmt.Errorf("an executed statement of %d numbers, want 5", len(n))
	}
	*e = Executed{First: n[0], Last: n[1], Runs: n[2], Start: n[3], End: n[4]}
	return nil
}
