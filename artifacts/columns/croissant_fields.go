package columns

import (
	_ "embed"
	"reflect"
	"strings"
	"time"
)

// croissantContext is the JSON-LD context that the format's appendix 1 recommends.
//
//go:embed context.json
var croissantContext []byte

// tableSet describes a table: its rows are of type T, whose tags have the columns' names and descriptions.
func tableSet[T any](name, description, file string, keys ...string) CroissantSet {
	s := CroissantSet{Type: "cr:RecordSet", ID: name, Name: name, Description: description}
	for _, k := range keys {
		s.Key = append(s.Key, croissantRef{name + "/" + k})
	}
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		f := row.Field(i)
		column, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		s.Fields = append(s.Fields, CroissantField{
			Type: "cr:Field", ID: name + "/" + column, Name: column, Description: f.Tag.Get("doc"),
			DataType: dataType(f), Repeated: f.Type.Kind() == reflect.Slice,
			Source: &croissantSource{FileObject: &croissantRef{file}, Extract: croissantExtract{column}},
		})
	}
	return s
}

// dataType is the format's name for a column's type. A structure is described as text.
func dataType(f reflect.StructField) string {
	if t := f.Tag.Get("type"); t != "" {
		return t
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "sc:DateTime"
	case t.Kind() == reflect.Int64:
		return "sc:Integer"
	case t.Kind() == reflect.Float64:
		return "sc:Float"
	case t.Kind() == reflect.Bool:
		return "sc:Boolean"
	}
	return "sc:Text"
}
