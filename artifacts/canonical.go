package artifacts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Float is a number that always has a fraction in JSON: 1.0, never 1, as in the published records. It is never NaN or
// infinite.
type Float float64

// MarshalJSON writes the shortest decimal that reads back as the same number,
// with a fraction.
func (f Float) MarshalJSON() ([]byte, error) {
	v := float64(f)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, fmt.Errorf("%v is not a number that JSON has", v)
	}
	if v == 0 {
		v = 0 // no negative zero
	}
	b := strconv.AppendFloat(nil, v, 'f', -1, 64)
	if !bytes.ContainsRune(b, '.') {
		b = append(b, ".0"...)
	}
	return b, nil
}

// Round3 rounds to three decimals, half away from zero, as the published
// scores are.
func Round3(f float64) Float { return Float(math.Round(f*1000) / 1000) }

// Round9 rounds to nine decimals: beyond them sums differ between processors.
func Round9(f float64) Float { return Float(math.Round(f*1e9) / 1e9) }

// Canonical returns the only byte form of a dataset's value: fields in the order of their type, two spaces of
// indentation, no HTML escaping, one line feed at the end. The published annotations and contexts have this form.
func Canonical(v any) ([]byte, error) { return encode(v, "  ") }

// CanonicalLine is Canonical on one line, for the .jsonl files.
func CanonicalLine(v any) ([]byte, error) { return encode(v, "") }

func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	// Readers that split text into lines before they read JSON, the official
	// harness among them, also split at U+0085. encoding/json escapes every
	// other such character.
	return bytes.ReplaceAll(b.Bytes(), []byte("\u0085"), []byte(`\u0085`)), nil
}

// CanonicalLines is a whole .jsonl file, one line per value.
func CanonicalLines[T any](values []T) ([]byte, error) {
	var b bytes.Buffer
	for i, v := range values {
		if err := WriteLine(&b, v); err != nil {
			return nil, fmt.Errorf("write line %d: %w", i+1, err)
		}
	}
	return b.Bytes(), nil
}

// WriteLine writes a value as one line of a .jsonl file.
func WriteLine(w io.Writer, v any) error {
	b, err := CanonicalLine(v)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
