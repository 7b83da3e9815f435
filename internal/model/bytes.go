package model

import (
	"encoding/json"

	"github.com/prforge/prforge/internal/text"
)

// A diff is bytes, and JSON strings are not: encoding/json replaces what is
// not UTF-8 without a word. Where a diff is not, it goes as base64 beside an
// empty text.

// MarshalJSON keeps every byte of the text.
func (d Diff) MarshalJSON() ([]byte, error) {
	type plain Diff
	out := struct {
		plain
		Base64 []byte `json:"text_base64,omitempty"`
	}{plain: plain(d)}
	out.Text, out.Base64 = text.SplitJSON(d.Text)
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Diff) UnmarshalJSON(data []byte) error {
	type plain Diff
	var in struct {
		plain
		Base64 []byte `json:"text_base64"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*d = Diff(in.plain)
	d.Text += string(in.Base64)
	return nil
}

// MarshalJSON keeps every byte of the text.
func (d RevisionDiff) MarshalJSON() ([]byte, error) {
	type plain RevisionDiff
	out := struct {
		plain
		Base64 []byte `json:"text_base64,omitempty"`
	}{plain: plain(d)}
	out.Text, out.Base64 = text.SplitJSON(d.Text)
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *RevisionDiff) UnmarshalJSON(data []byte) error {
	type plain RevisionDiff
	var in struct {
		plain
		Base64 []byte `json:"text_base64"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*d = RevisionDiff(in.plain)
	d.Text += string(in.Base64)
	return nil
}
