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
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
)

// Options are the rules that other packages own. If one is nil, the checks that need it are skipped, and the report
// says so.
type Options struct {
	// Workers is how many tasks, or shards of raw records, are checked at once;
	// less than one means one. The report does not depend on it.
	Workers int
	// Tokenizer is the name of the tokenizer of Tokens; datasets that name another one are not recounted.
	Tokenizer string
	Tokens    func(text string) int
	// Parameters are the limits for a published dataset, whose files do not have them; a dataset of ours has its own
	// in the manifest.
	Parameters artifacts.Parameters
	// Bot is the registry of automation and AI-review accounts.
	Bot func(model.Account) bool
	// Words counts the words of prose in a comment.
	Words func(body string) int
	// SecondScore is the second review value of a record's evidence.
	SecondScore func(*artifacts.Evidence) *artifacts.SecondScore
	// Score is the formula of RVS.
	Score func(model.RVSInputs) model.RVS
}

// Formats of datasets, as the report names them.
const (
	FormatPrforge   = "prforge"
	FormatPublished = "swe-prbench"
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
		c.files, c.config, c.readJudged, c.records, c.parquet, c.audit, c.repositories, c.split, c.validatedTasks, c.shortComments, c.croissant, c.orphans, c.raw, c.snapshots,
	} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("verify %s: %w", dir, err)
		}
	}
	return c.report(FormatPrforge), nil
}

// checker is one verification.
type checker struct {
	o         Options
	dir       string
	m         *artifacts.Manifest
	r         *load.Reader
	*Tally             // of faults
	warnings  *Tally   // of the parts to check
	validated []string // tasks with enough validated comments
	short     []byte   // what evals/short.jsonl must hold
	told      []told   // by the records read so far
	skipped   []string

	published bool                        // the layout of the published dataset: no manifest, no evidence
	languages *languages.Set              // that take part
	count     int                         // of records
	tasks     map[string]model.Difficulty // by task id
	released  map[string]bool             // by artifacts.NameOf
	repos     map[string]int              // records
	decided   decided
	judged    map[int64]model.Judgement // by comment: people's labels
	pulls     map[string][]told         // by the number of their pull request
}

func (c *checker) skip(what string) { c.skipped = append(c.skipped, what) }

func (c *checker) report(format string) *Report {
	if c.o.Tokens == nil {
		c.skip("token counts: no tokenizer")
	} else if c.m != nil && c.m.Tokenizer != c.o.Tokenizer {
		c.skip(fmt.Sprintf("token counts: the dataset names %s, available is %s", text.Printable(c.m.Tokenizer), c.o.Tokenizer))
	}
	if c.o.Bot == nil {
		c.skip("accounts: no registry of bots")
	}
	if c.o.Words == nil {
		c.skip("words of prose: nothing to count them")
	}
	if c.o.Score == nil && !c.published {
		c.skip("parts of RVS from their inputs: no formula")
	}
	r := c.Report(c.dir, format, c.count)
	r.Warnings, r.Skipped = c.warnings.faults(), append(r.Skipped, c.skipped...)
	return r
}

// files checks every file against the manifest.
func (c *checker) files(context.Context) error {
	faults, aside, err := load.CheckFiles(c.dir, c.m)
	if err != nil {
		return err
	}
	c.Checks += len(c.m.Files)
	for _, f := range faults {
		switch f.Kind {
		case load.FileMissing:
			c.Note(FileMissing, "%s", f.Path)
		case load.FileExtra:
			c.Note(FileExtra, "%s", f.Path)
		case load.FileChanged:
			c.Note(FileChanged, "%s", f.Path)
		case load.FileIrregular:
			c.Note(FileIrregular, "%s", f.Path)
		case load.FolderEmpty:
			c.Note(FolderEmpty, "%s", f.Path)
		case load.SchemaDiffers:
			c.Note(SchemaDiffers, "%s", f.Path)
		}
	}
	for path := range c.m.Files {
		c.Check(FileUnknown, artifacts.KnownFile(path), "%s", path)
	}
	for _, path := range aside {
		c.warnings.Note(FileForeign, "%s", path)
	}
	_, err = one[artifacts.Manifest](c, artifacts.FileManifest, schema.Manifest)
	return err
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
