package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Option is a key of prforge.yaml.
type Option struct {
	Key     string // dotted: rqs.min_score
	Default string // "" for none
	Allowed string // as its tag says: "1..", "0..1", "a|b"; "" for anything of its type
}

// Options lists the keys of prforge.yaml in the order of the file, with their
// defaults.
func Options() []Option {
	var out []Option
	defaults := Default()
	defaults.Escaped = defaults.Escaped.Filled()
	walk(reflect.ValueOf(defaults), "", func(key string, f reflect.StructField, v reflect.Value) bool {
		if isGroup(f.Type) {
			return true
		}
		o := Option{Key: key, Allowed: f.Tag.Get("check")}
		if !v.IsZero() || v.CanInt() || v.Kind() == reflect.Bool {
			o.Default = strings.Trim(fmt.Sprint(v.Interface()), "[]")
		}
		out = append(out, o)
		return true
	})
	return out
}

// walk calls a function for each key of a configuration, for a group before what
// is in it, until the function returns false.
func walk(v reflect.Value, prefix string, fn func(key string, f reflect.StructField, v reflect.Value) bool) bool {
	for i := range v.NumField() {
		f, value, below := v.Type().Field(i), v.Field(i), prefix
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "-" || name == "" && !f.Anonymous {
			continue
		}
		if !f.Anonymous {
			if !fn(prefix+name, f, value) {
				return false
			}
			below += name + "."
		}
		if isGroup(f.Type) && !walk(value, below, fn) {
			return false
		}
	}
	return true
}

// isGroup reports whether a key of a type has keys below it.
func isGroup(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[Date]()
}

// checkTags finds the first value outside what the tag check of its field allows:
// "1.." is 1 or more, "0..1" from 0 to 1, "a|b" one of these words. So what an
// option may be is stated where the option is.
func checkTags(c any) *fault {
	var found *fault
	walk(reflect.ValueOf(c).Elem(), "", func(key string, f reflect.StructField, v reflect.Value) bool {
		if allowed := f.Tag.Get("check"); allowed != "" {
			found = checkValue(key, v, allowed)
		}
		return found == nil
	})
	return found
}

func checkValue(key string, v reflect.Value, allowed string) *fault {
	low, high, span := strings.Cut(allowed, "..")
	switch {
	case !span:
		return oneOf(key, v.String(), strings.Split(allowed, "|")...)
	case v.CanFloat():
		return within(key, v.Float(), number(low), number(high))
	}
	f := atLeast(key, int(v.Int()), int(number(low)))
	if f == nil && high != "" {
		f = atMost(key, int(v.Int()), int(number(high)))
	}
	return f
}

// number reads a bound. A tag that is no number is a mistake in the source, which
// every test that reads a configuration meets.
func number(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("bound %q of an option: %v", s, err))
	}
	return n
}

func oneOf(key, value string, known ...string) *fault {
	if !slices.Contains(known, value) {
		return &fault{key, fmt.Sprintf("%q is not known; %s are", value, strings.Join(known, " and "))}
	}
	return nil
}

func atLeast(key string, value, low int) *fault {
	if value < low {
		return &fault{key, fmt.Sprintf("is %d; the least possible is %d", value, low)}
	}
	return nil
}

func atMost(key string, value, high int) *fault {
	if value > high {
		return &fault{key, fmt.Sprintf("is %d; the most possible is %d", value, high)}
	}
	return nil
}

func within(key string, value, low, high float64) *fault {
	if !(value >= low && value <= high) {
		return &fault{key, fmt.Sprintf("is %g; it must lie between %g and %g", value, low, high)}
	}
	return nil
}

func firstFault(faults ...*fault) *fault {
	for _, f := range faults {
		if f != nil {
			return f
		}
	}
	return nil
}
