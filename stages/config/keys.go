package config

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml/token"
)

// dotted is the whole name of the key at a token: those of the mappings that it
// is in, by their columns, and its own.
func dotted(t *token.Token) string {
	for ; t != nil && (t.Next == nil || t.Next.Type != token.MappingValueType); t = t.Prev {
	}
	if t == nil {
		return ""
	}
	name, column, flow := t.Value, t.Position.Column, 0
	for p := t.Prev; p != nil; p = p.Prev {
		switch p.Type {
		case token.MappingEndType:
			flow++
		case token.MappingStartType:
			if flow--; flow < 0 { // the key is in this one: its own is before it
				return strings.TrimPrefix(dotted(p.Prev)+"."+name, ".")
			}
		}
		if flow == 0 && p.Next != nil && p.Next.Type == token.MappingValueType && p.Position.Line < t.Position.Line &&
			p.Position.Column < column {
			return strings.TrimPrefix(dotted(p)+"."+name, ".")
		}
	}
	return name
}

// suggestion is the key of a configuration that is meant, where one is near, or
// where one of that name is in another mapping; "" where none is.
func suggestion(key string, into any) string {
	last := func(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
	best, least := "", 3
	elsewhere, leastElsewhere := "", 2
	for _, known := range keys(into) {
		if n := levenshtein.ComputeDistance(key, known); n < least {
			best, least = known, n
		}
		if n := levenshtein.ComputeDistance(last(key), last(known)); n < leastElsewhere {
			elsewhere, leastElsewhere = known, n
		}
	}
	best = cmp.Or(best, elsewhere)
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// keys lists the dotted names of a configuration's keys and groups of keys.
func keys(config any) []string {
	var out []string
	walk(reflect.ValueOf(config).Elem(), "", func(key string, _ reflect.StructField, _ reflect.Value) bool {
		out = append(out, key)
		return true
	})
	return out
}

// wanted names a kind of value.
func wanted(k reflect.Kind) string {
	switch k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Struct, reflect.Map:
		return "a mapping"
	case reflect.Slice:
		return "a list"
	}
	return "a text"
}
