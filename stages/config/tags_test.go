package config

import (
	"reflect"
	"strings"
	"testing"
)

// TestCheckTags_Thresholds sets every option with a tag to its bounds, which are
// allowed, and beyond them, which is refused by its own key.
func TestCheckTags_Thresholds(t *testing.T) {
	checked := 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		checked += checkField(t, field, strings.Split(field.Tag.Get("yaml"), ",")[0])
	}
	if checked < 60 {
		t.Errorf("%d options with a tag: the tags are no longer found", checked)
	}
}

// checkField checks one field, and those of the structs in it.
func checkField(t *testing.T, field reflect.StructField, key string) int {
	t.Helper()
	if field.Type.Kind() == reflect.Struct && key != "-" {
		n := 0
		for i := range field.Type.NumField() {
			below := field.Type.Field(i)
			n += checkField(t, below, strings.Split(below.Tag.Get("yaml"), ",")[0])
		}
		return n
	}
	allowed := field.Tag.Get("check")
	if allowed == "" {
		return 0
	}
	set := func(value any) *fault {
		v := reflect.New(field.Type).Elem()
		v.Set(reflect.ValueOf(value).Convert(field.Type))
		return checkValue(key, v, allowed)
	}
	low, high, span := strings.Cut(allowed, "..")
	var good, bad []any
	if span {
		good, bad = append(good, number(low)), append(bad, number(low)-1)
		if high != "" {
			good, bad = append(good, number(high)), append(bad, number(high)+1)
		}
	} else {
		for _, word := range strings.Split(allowed, "|") {
			good, bad = append(good, word), append(bad, word+"x")
		}
	}
	for _, value := range good {
		if f := set(value); f != nil {
			t.Errorf("%s: %v is refused: %s", key, value, f.message)
		}
	}
	for _, value := range bad {
		if f := set(value); f == nil || f.key != key {
			t.Errorf("%s: %v is not refused by its key: %+v", key, value, f)
		}
	}
	return 1
}
