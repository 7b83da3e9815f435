package diff

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/verdict"
)

// Change is one added, removed or changed record.
type Change struct {
	// OWNER/NAME#N; of a question, its family too; of a script's sample, its id
	Pull   string        `json:"pull"`
	Why    string        `json:"why"`             // from the audit of the dataset that lacks it; for a change, the fields
	Cause  string        `json:"cause,omitempty"` // of a question that changed, what changed first
	Stage  string        `json:"stage"`
	Code   verdict.Code  `json:"code"`
	Fields []FieldChange `json:"fields"`
}

// FieldChange is one field that differs. Short values are shown as JSON, long ones by their sizes.
type FieldChange struct {
	Field string `json:"field"` // "record.difficulty", "annotation.comments", "config_B.rendered", "evidence.scores"
	Old   string `json:"old"`
	New   string `json:"new"`
}

// fields are the fields of a JSON object in their order, long values by their
// digest.
type fields struct {
	order []string
	value map[string]string // for people
	sum   map[string][sha256.Size]byte
}

// against lists the fields that differ, in the order of the new value, then
// those that only the old one has.
func (a fields) against(b fields, name string) []FieldChange {
	var out []FieldChange
	for _, f := range b.order {
		if a.sum[f] != b.sum[f] {
			out = append(out, FieldChange{Field: name + "." + f, Old: a.value[f], New: b.value[f]})
		}
	}
	for _, f := range a.order {
		if _, kept := b.value[f]; !kept {
			out = append(out, FieldChange{Field: name + "." + f, Old: a.value[f]})
		}
	}
	return out
}

func fieldsOf(v any) (fields, error) {
	text, err := artifacts.CanonicalLine(v)
	if err != nil {
		return fields{}, err
	}
	return parseFields(text)
}

func fieldsIn(r *load.Reader, path string) (fields, error) {
	text, err := load.ReadBytes(r.Dir, path)
	if err != nil {
		return fields{}, err
	}
	f, err := parseFields(text)
	if err != nil {
		return fields{}, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

func parseFields(text []byte) (fields, error) {
	f := fields{value: map[string]string{}, sum: map[string][sha256.Size]byte{}}
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return f, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return f, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return f, err
		}
		name := fmt.Sprint(key)
		f.order = append(f.order, name)
		f.value[name], f.sum[name] = short(value), sha256.Sum256(value)
	}
	return f, nil
}

// short is a value for display: itself, or its size.
func short(v json.RawMessage) string {
	const limit = 80
	if len(v) <= limit {
		return string(v)
	}
	return fmt.Sprintf("%d bytes", len(v))
}
