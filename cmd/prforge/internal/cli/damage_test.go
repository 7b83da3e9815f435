package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/artifacts"
)

// damage is one field of one file of a dataset, and what becomes of it.
type damage struct {
	file string // slash path in the dataset
	line int    // of a file of lines, from 0
	path []any  // keys and indices down to the field
	kind string // one of damageKinds
	of   string // the field, without indices: "comments[].validation"
	pull string // the pull request or sample that the value is about, as explain takes it
}

// damageKinds are what becomes of a field.
var damageKinds = []string{"null", "removed", "another type"}

func (d damage) String() string { return d.file + " " + d.of + ": " + d.kind }

// damagesOf are all damages of the fields of a dataset's files: of each field of
// each kind of file the first value that is not null, with each kind of damage.
func damagesOf(t *testing.T, dir string) []damage {
	t.Helper()
	seen := map[string]bool{}
	var out []damage
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Dir(file) == "schemas" {
			return err
		}
		kind := file // of file
		switch folder := path.Dir(file); {
		case folder == "raw" && !strings.HasPrefix(path.Base(file), "runs"):
			kind = "raw"
		case folder != "." && folder != "audit" && folder != "evals" && folder != "bugs":
			kind = folder
		}
		for i, value := range readValues(t, dir, file) {
			d := damage{file: file, line: i, pull: pullOf(file, value)}
			if raw, ok := value.(map[string]any); ok && strings.HasSuffix(file, ".zst") {
				d.of = fmt.Sprint(raw["kind"], " ")
			}
			walkFields(value, d, func(d damage) {
				if key := kind + " " + d.of; !seen[key] {
					seen[key] = true
					for _, d.kind = range damageKinds {
						out = append(out, d)
					}
				}
			})
		}
		return nil
	}))
	return out
}

// walkFields gives every field below a value that is not null.
func walkFields(value any, at damage, found func(damage)) {
	below := func(child any, step any, name string) {
		d := at
		d.path, d.of = append(slices.Clone(at.path), step), at.of+name
		if child != nil {
			found(d)
			walkFields(child, d, found)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			name := "." + key
			if strings.ContainsAny(key, "/. ") || len(v) > 60 { // a map by path
				name = ".*"
			}
			below(v[key], key, name)
		}
	case []any:
		for i, child := range v {
			below(child, i, "[]")
		}
	}
}

// pullOf is what explain takes of what a value is about.
func pullOf(file string, value any) string {
	name, _, _ := strings.Cut(path.Base(file), ".")
	name = strings.TrimSuffix(name, "_human")
	v, _ := value.(map[string]any)
	if repo, ok := v["repo"].(string); ok {
		for _, key := range []string{"pr_number", "number"} {
			if n, ok := v[key].(json.Number); ok {
				return repo + "#" + n.String()
			}
		}
	}
	for _, key := range []string{"task_id", "sample_id"} {
		if id, ok := v[key].(string); ok {
			return id
		}
	}
	if strings.Contains(name, "__") {
		return name
	}
	return ""
}

// readValues are the values in a file: the lines of a file of lines, else one;
// none where it is not JSON, YAML or raw records.
func readValues(t *testing.T, dir, file string) []any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	must(t, err)
	switch {
	case strings.HasSuffix(file, ".zst"):
		z, err := zstd.NewReader(nil)
		must(t, err)
		defer z.Close()
		data, err = z.DecodeAll(data, nil)
		must(t, err)
	case strings.HasSuffix(file, ".yaml"):
		data, err = yaml.YAMLToJSON(data)
		must(t, err)
	case !strings.HasSuffix(file, ".json") && !strings.HasSuffix(file, ".jsonl"):
		return nil
	}
	var out []any
	for dec := newDecoder(data); dec.More(); {
		var v any
		must(t, dec.Decode(&v))
		out = append(out, v)
	}
	return out
}

func newDecoder(data []byte) *json.Decoder {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec
}

// damaged is a copy of a dataset with one damage. Listed, the manifest has the
// digest of the damaged file, and a raw record that of its damaged content.
func damaged(t *testing.T, dir string, d damage, listed bool) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "dataset")
	linkTree(t, dir, out)
	values := readValues(t, dir, d.file)
	values[d.line] = d.apply(values[d.line], d.path)
	if record, ok := values[d.line].(map[string]any); ok && listed && strings.HasSuffix(d.file, ".zst") && record["data"] != nil {
		content, err := artifacts.CanonicalLine(record["data"])
		must(t, err)
		record["sha256"] = fmt.Sprintf("%x", sha256.Sum256(bytes.TrimSpace(content)))
	}
	data := writeValues(t, d.file, values)
	rewrite(t, out, d.file, data)
	if listed && d.file != artifacts.FileManifest {
		manifest := readValues(t, dir, artifacts.FileManifest)
		manifest[0].(map[string]any)["files"].(map[string]any)[d.file] = map[string]any{"sha256": fmt.Sprintf("%x", sha256.Sum256(data)), "bytes": len(data)}
		rewrite(t, out, artifacts.FileManifest, writeValues(t, artifacts.FileManifest, manifest))
	}
	return out
}

// apply is a value with the damage done to the field at a path below it.
func (d damage) apply(value any, at []any) any {
	if len(at) == 0 {
		if d.kind == "null" {
			return nil
		}
		switch value.(type) {
		case string:
			return 7
		case []any:
			return map[string]any{"x": 1}
		case map[string]any:
			return []any{1}
		}
		return "seven"
	}
	last := len(at) == 1 && d.kind == "removed"
	switch v := value.(type) {
	case map[string]any:
		key := at[0].(string)
		if last {
			delete(v, key)
			return v
		}
		v[key] = d.apply(v[key], at[1:])
	case []any:
		i := at[0].(int)
		if last {
			return slices.Delete(v, i, i+1)
		}
		v[i] = d.apply(v[i], at[1:])
	}
	return value
}

// writeValues is the text of a file of these values.
func writeValues(t *testing.T, file string, values []any) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, v := range values {
		text, err := artifacts.CanonicalLine(v)
		if strings.HasSuffix(file, ".json") {
			text, err = artifacts.Canonical(v)
		}
		must(t, err)
		out.Write(text)
	}
	switch {
	case strings.HasSuffix(file, ".yaml"):
		text, err := yaml.JSONToYAML(out.Bytes())
		must(t, err)
		return text
	case strings.HasSuffix(file, ".zst"):
		z, err := zstd.NewWriter(nil)
		must(t, err)
		defer z.Close()
		return z.EncodeAll(out.Bytes(), nil)
	}
	return out.Bytes()
}

// linkTree makes a copy of a folder of hard links.
func linkTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, filepath.WalkDir(from, func(full string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, full)
		if err != nil || e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		return os.Link(full, filepath.Join(to, rel))
	}))
}

// rewrite puts a file in place of a link.
func rewrite(t *testing.T, dir, file string, data []byte) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(file))
	must(t, os.Remove(full))
	must(t, os.WriteFile(full, data, 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
