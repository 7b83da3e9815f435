package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/text"
)

// FirstDifference names the first difference between two versions of a file: the line and, in JSON, the field with
// both values.
func FirstDifference(old, new, path string) string {
	var sides [2][]byte
	for i, dir := range []string{old, new} {
		b, err := load.ReadBytes(dir, path)
		if err != nil {
			return []string{"is only in the second", "is only in the first"}[i]
		}
		sides[i] = b
	}
	if !strings.HasSuffix(path, ".json") {
		return firstLine(sides[0], sides[1])
	}
	return firstValue(sides[0], sides[1])
}

// firstLine compares line by line; JSON within a line field by field.
func firstLine(a, b []byte) string {
	if bytes.ContainsRune(a, 0) || bytes.ContainsRune(b, 0) {
		return fmt.Sprintf("%d bytes and %d", len(a), len(b))
	}
	old, new := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range max(len(old), len(new)) {
		if i >= len(old) || i >= len(new) {
			return fmt.Sprintf("%d lines and %d", len(old), len(new))
		}
		if !bytes.Equal(old[i], new[i]) {
			return fmt.Sprintf("line %d: %s", i+1, firstValue(old[i], new[i]))
		}
	}
	return "no difference"
}

// firstValue compares two JSON values, or two texts if they are not JSON.
func firstValue(a, b []byte) string {
	var old, new any
	if json.Unmarshal(a, &old) != nil || json.Unmarshal(b, &new) != nil {
		return shown(string(a)) + " and " + shown(string(b))
	}
	if at := different("", old, new); at != "" {
		return at
	}
	return "the same values in another form"
}

func different(at string, a, b any) string {
	switch old := a.(type) {
	case map[string]any:
		if new, ok := b.(map[string]any); ok {
			both := maps.Clone(old)
			maps.Copy(both, new)
			for _, k := range slices.Sorted(maps.Keys(both)) {
				if d := different(strings.TrimPrefix(at+"."+k, "."), old[k], new[k]); d != "" {
					return d
				}
			}
			return ""
		}
	case []any:
		if new, ok := b.([]any); ok {
			for i := range min(len(old), len(new)) {
				if d := different(fmt.Sprintf("%s[%d]", at, i), old[i], new[i]); d != "" {
					return d
				}
			}
			if len(old) != len(new) {
				return fmt.Sprintf("%s: %d and %d", at, len(old), len(new))
			}
			return ""
		}
	}
	if a == nil && b == nil {
		return ""
	}
	old, err := json.Marshal(a)
	new, err2 := json.Marshal(b)
	if err == nil && err2 == nil && bytes.Equal(old, new) {
		return ""
	}
	return fmt.Sprintf("%s: %s and %s", at, shown(string(old)), shown(string(new)))
}

func shown(s string) string { return text.Clip(text.Printable(s), 80) }
