// Package verify checks a dataset against its manifest, its schemas and every
// invariant of spec sections 4 to 10 that can be recomputed from the files. A
// fault is about the dataset; an error is about reading it.
package verify

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
)

// Dataset verifies the dataset in dir. The error is about a folder that is no
// dataset, about reading, or ctx's.
func Dataset(ctx context.Context, dir string, o Options) (*Report, error) {
	r, err := load.Open(dir)
	if err != nil {
		return nil, err
	}
	c := &checker{
		o: o, dir: dir, m: &r.Manifest, r: r, Tally: NewTally(Kinds()), warnings: NewTally(Kinds()),
		tasks: map[string]model.Difficulty{}, released: map[string]bool{}, repos: map[string]int{},
	}
	for _, step := range []func(context.Context) error{
		c.files, c.config, c.readJudged, c.records, c.parquet, c.audit, c.repositories, c.split, c.validatedTasks,
		c.shortComments, c.croissant, c.orphans, c.raw, c.snapshots,
	} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("verify %s: %w", dir, err)
		}
	}
	return c.report(FormatPrforge), nil
}

// orphans finds files of tasks that have no record.
func (c *checker) orphans(context.Context) error {
	for path := range c.m.Files {
		id := ""
		for _, form := range []struct{ prefix, suffix string }{
			{"annotations/", "_human.json"}, {"evidence/", ".json"},
			{"contexts/config_A/", ".json"}, {"contexts/config_B/", ".json"}, {"contexts/config_C/", ".json"},
		} {
			if rest, ok := strings.CutPrefix(path, form.prefix); ok {
				id = strings.TrimSuffix(rest, form.suffix)
			}
		}
		if id != "" {
			_, known := c.tasks[id]
			c.Check(FileOrphan, known, "%s", path)
		}
	}
	return nil
}

// config checks that config.yaml matches the manifest, and reads the configured languages.
func (c *checker) config(context.Context) error {
	var chosen struct {
		Languages  []string `yaml:"languages"`
		Visibility string   `yaml:"repositories_visibility"`
	}
	if text, err := os.ReadFile(filepath.Join(c.dir, artifacts.FileConfig)); err == nil {
		_ = yaml.Unmarshal(text, &chosen) // a file that is none is a fault below
	}
	c.languages = languages.Of(c.m.Profile, chosen.Languages)
	info, ok := c.m.Files[artifacts.FileConfig]
	same := ok && info.SHA256 == c.m.ConfigSHA256 && c.m.NotForPublication == (chosen.Visibility == "any")
	c.Check(ConfigChanged, same, "%s", artifacts.FileConfig)
	return nil
}
