package verify

import (
	"encoding/json"
	"slices"

	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/internal/store"
)

// sourceFields are the fields that hold lines of the repository's files as they are: diffs and hunks.
var sourceFields = []string{"diff_patch", "diffHunk", "diff_hunk"}

// secrets looks for text that looks like a credential. Strangers write comments and we write the rest, so a person
// must check: a warning. It never repeats the value. What stands only in the repository's own lines is public there,
// often a sample for its tests, and is only noted.
func (c *checker) secrets(place string, text []byte, fields ...string) {
	found := takedown.Secrets(string(text))
	if len(found) == 0 {
		return
	}
	ours := found
	var value any
	if json.Unmarshal(text, &value) == nil {
		blank(value, slices.Concat(sourceFields, fields))
		if rest, err := json.Marshal(value); err == nil {
			ours = takedown.Secrets(string(rest))
		}
	}
	c.noteSecrets(place, found, ours)
}

// rawSecrets is secrets for a raw record. A file's bytes are source as a whole.
func (c *checker) rawSecrets(place string, r store.Record) {
	switch r.Kind {
	case store.Blob:
		c.noteSecrets(place, takedown.Secrets(string(r.Content)), nil)
	case store.Diff, store.Revisions, store.Candidates:
		c.secrets(place, r.Content, "text")
	default:
		c.secrets(place, r.Content)
	}
}

// noteSecrets notes the kinds of credentials found in a place, of which some are not in the repository's own lines.
func (c *checker) noteSecrets(place string, found, ours []string) {
	for _, kind := range found {
		if slices.Contains(ours, kind) {
			c.warnings.Note(SecretFound, "%s in %s", kind, place)
		} else {
			c.warnings.Note(SecretInSource, "%s in %s", kind, place)
		}
	}
}

// blank empties the texts of some fields of a decoded value.
func blank(value any, fields []string) {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			blank(e, fields)
		}
	case map[string]any:
		for name, e := range v {
			if _, isText := e.(string); isText && slices.Contains(fields, name) {
				v[name] = ""
			} else {
				blank(e, fields)
			}
		}
	}
}
