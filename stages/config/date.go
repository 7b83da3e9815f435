package config

import (
	"encoding/json"
	"fmt"
	"time"
)

// Date is a day, midnight UTC, written YYYY-MM-DD.
type Date struct{ time.Time }

// ParseDate reads YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date: write YYYY-MM-DD", s)
	}
	return Date{t}, nil
}

// UnmarshalYAML reads a date from a plain or a quoted scalar.
func (d *Date) UnmarshalYAML(unmarshal func(any) error) error {
	var s string
	if err := unmarshal(&s); err != nil {
		return err
	}
	parsed, err := ParseDate(s)
	*d = parsed
	return err
}

// MarshalJSON writes YYYY-MM-DD.
func (d Date) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// MarshalYAML writes YYYY-MM-DD.
func (d Date) MarshalYAML() (any, error) { return d.String(), nil }

// String is YYYY-MM-DD.
func (d Date) String() string { return d.Format(time.DateOnly) }
