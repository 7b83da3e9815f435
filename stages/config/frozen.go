package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
)

// Canonical is the configuration as a dataset holds it, config.yaml: every key
// with its value in the order of the type, the repositories written out, and
// the takedown list replaced by its digest and the tombstones given. How to sign
// in is left out. A build from the dataset's own raw records with it gives the
// same bytes, its own config.yaml included.
func (c *Config) Canonical(tombstones []model.Tombstone) ([]byte, error) {
	f := *c
	if !c.Frozen {
		f.Frozen = true
		if f.GroundTruth.Overrides != "" {
			f.GroundTruth.Overrides = fileLabels
		}
		f.Repositories = slices.DeleteFunc(slices.Clone(c.Repositories), func(name string) bool {
			return slices.ContainsFunc(c.Takedown.Repositories,
				func(e TakedownEntry) bool { return strings.EqualFold(e.Name, name) })
		})
		f.Takedown = Takedown{Tombstones: tombstones}
		if len(c.Takedown.PullRequests)+len(c.Takedown.Repositories)+len(c.Takedown.Accounts) > 0 {
			list, err := json.Marshal(c.Takedown)
			if err != nil {
				return nil, fmt.Errorf("digest of the takedown list: %w", err)
			}
			f.Takedown.SHA256 = digest.Bytes(list)
		}
	}
	data, err := json.Marshal(&f)
	if err != nil {
		return nil, fmt.Errorf("canonical configuration: %w", err)
	}
	text, err := yaml.JSONToYAML(data)
	if err != nil {
		return nil, fmt.Errorf("canonical configuration: %w", err)
	}
	return text, nil
}

// Digest is the SHA-256 of the canonical configuration, as hex: what works on one
// dataset together has the same. Tombstones are not part of it, their list is.
func (c *Config) Digest() (string, error) {
	text, err := c.Canonical(c.Takedown.Tombstones)
	if err != nil {
		return "", err
	}
	return digest.Bytes(text), nil
}

// Change is one key in which two configurations differ, with both values as JSON;
// "" where one has none.
type Change struct{ Key, Old, New string }

// Changes lists the keys in which another configuration differs, in their order.
// A list is one value, and what was taken down is not compared.
func (c *Config) Changes(other *Config) ([]Change, error) {
	var sides [2]map[string]string
	for i, side := range []*Config{c, other} {
		data, err := side.Canonical(nil)
		if err != nil {
			return nil, err
		}
		var tree map[string]any
		if err := decode("", data, &tree); err != nil {
			return nil, err
		}
		delete(tree, "takedown")
		sides[i] = map[string]string{}
		flatten("", tree, sides[i])
	}
	keys := maps.Clone(sides[0])
	maps.Copy(keys, sides[1])
	var out []Change
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if sides[0][key] != sides[1][key] {
			out = append(out, Change{key, sides[0][key], sides[1][key]})
		}
	}
	return out, nil
}

// flatten writes the values of a tree under dotted keys.
func flatten(prefix string, value any, into map[string]string) {
	if tree, ok := value.(map[string]any); ok {
		for name, v := range tree {
			flatten(strings.TrimPrefix(prefix+"."+name, "."), v, into)
		}
		return
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = fmt.Append(nil, value) // no value of YAML that JSON lacks is equal to another
	}
	into[prefix] = string(bytes.TrimSpace(text))
}
