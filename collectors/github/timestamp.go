package github

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// timestamp is GitHub's DateTime. A malformed one is read as far as possible, and is the zero time if it cannot be
// read: one odd date must not cost the whole page.
type timestamp struct{ time.Time }

// looseDate is the shape of a date whose numbers have too few or too many
// digits.
var looseDate = regexp.MustCompile(`^(\d{1,4})-(\d{1,3})-(\d{1,3})[T ](\d{1,3}):(\d{1,3}):(\d{1,3})(?:\.\d+)?(?:Z|\+00:?00)?$`)

// UnmarshalJSON reads a date in quotes; it does not fail.
func (m *timestamp) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `"`)
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		m.Time = t.UTC().Truncate(time.Second)
		return nil
	}
	m.Time = time.Time{}
	if parts := looseDate.FindStringSubmatch(s); parts != nil {
		var n [6]int
		for i := range n {
			n[i], _ = strconv.Atoi(parts[i+1]) // at most four digits
		}
		m.Time = time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
	}
	return nil
}

// timeOf is a nullable timestamp as the facts keep it.
func timeOf(m *timestamp) *time.Time {
	if m == nil || m.IsZero() {
		return nil
	}
	return &m.Time
}
