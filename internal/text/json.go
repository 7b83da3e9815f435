package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// DecodeLine reads a line of JSON that people wrote into the value that v points
// to. A field that v does not have is an error, since it is misspelled, and so is
// anything behind the value.
func DecodeLine(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return PlainJSON(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}

// PlainJSON is an error of encoding/json without the names of Go's types: it names the field, the found and the
// expected kind.
func PlainJSON(err error) error {
	var mistyped *json.UnmarshalTypeError
	if !errors.As(err, &mistyped) {
		return err
	}
	want := "an object"
	switch t := mistyped.Type; t.Kind() {
	case reflect.String:
		want = "a text"
	case reflect.Bool:
		want = "true or false"
	case reflect.Slice, reflect.Array:
		want = "a list"
	case reflect.Float32, reflect.Float64:
		want = "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64:
		want = "a whole number"
	}
	field := mistyped.Field
	if field == "" {
		field = "the value"
	}
	return fmt.Errorf("%s is a JSON %s, want %s", field, mistyped.Value, want)
}
