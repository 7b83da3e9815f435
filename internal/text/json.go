package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// DecodeLine reads a line of JSON that people wrote into the value that v points
// to. A field that v does not have is an error, since it is misspelled, and so is
// anything behind the value.
func DecodeLine(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}
