package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/columns"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// split checks evals/eval_100.json against the records.
func (c *checker) split(context.Context) error {
	s, err := one[model.Split](c, artifacts.FileSplit, schema.Split)
	if err != nil || s == nil {
		return err
	}
	taken, available := map[model.Difficulty]int{}, map[model.Difficulty]int{}
	for _, d := range c.tasks {
		available[d]++
	}
	for _, id := range s.TaskIDs {
		d, known := c.tasks[id]
		c.Check(SplitTasks, known, "%s", id)
		taken[d]++
	}
	c.Check(SplitTasks, s.N == len(s.TaskIDs), "n is %d for %d", s.N, len(s.TaskIDs))
	for _, x := range s.Strata {
		c.Check(SplitStrata, x.Taken == taken[x.Difficulty] && x.Available == available[x.Difficulty] &&
			x.Short == (x.Taken < x.Target) && x.Taken <= x.Target,
			"%s: %d of %d taken, %d available; counted %d and %d", x.Difficulty, x.Taken, x.Target, x.Available,
			taken[x.Difficulty], available[x.Difficulty])
	}
	return nil
}

// validatedTasks compares evals/validated.json with the evidence.
func (c *checker) validatedTasks(context.Context) error {
	v, err := one[artifacts.Validated](c, artifacts.FileValidated, schema.Validated)
	if err != nil || v == nil {
		return err
	}
	c.Check(ValidatedTasks, v.N == len(v.TaskIDs) && v.Minimum == c.m.Parameters.MinValidated &&
		slices.Equal(v.TaskIDs, c.validated),
		"%d of %d named, %d found", v.N, len(v.TaskIDs), len(c.validated))
	return nil
}

// shortComments compares evals/short.jsonl with the evidence.
func (c *checker) shortComments(context.Context) error {
	b, err := load.ReadBytes(c.dir, artifacts.FileShort)
	if errors.Is(err, fs.ErrNotExist) {
		c.missing(artifacts.FileShort)
		return nil
	}
	c.Check(ShortComments, err != nil || bytes.Equal(b, c.short), "%d bytes, %d by the evidence", len(b), len(c.short))
	return err
}

// parquet checks the columns against the JSON, value by value.
func (c *checker) parquet(ctx context.Context) error {
	_, err := inParallel(c, artifacts.Tables, func(c *checker, path string) (struct{}, error) {
		if err := ctx.Err(); err != nil {
			return struct{}{}, err
		}
		differ, err := columns.CompareParquet(c.dir, path)
		if errors.Is(err, fs.ErrNotExist) {
			c.missing(path)
			return struct{}{}, nil
		}
		c.Check(ParquetDiffers, err == nil && differ == "", "%s: %s", path, cmpOr(differ, err))
		return struct{}{}, nil
	})
	return err
}

func cmpOr(s string, err error) string {
	if err != nil {
		return err.Error()
	}
	return s
}

// croissant checks croissant.json against the manifest and the records' fields.
func (c *checker) croissant(context.Context) error {
	b, err := load.ReadBytes(c.dir, artifacts.FileCroissant)
	if errors.Is(err, fs.ErrNotExist) {
		c.missing(artifacts.FileCroissant)
		return nil
	}
	if err != nil {
		return err
	}
	var x columns.Croissant
	if err := json.Unmarshal(b, &x); !c.Check(CroissantDiffers, err == nil, "%v", err) {
		return nil
	}
	listed := map[string]bool{}
	for _, f := range x.Distribution {
		if f.Type != "cr:FileObject" {
			continue
		}
		listed[f.ContentURL] = true
		info, known := c.m.Files[f.ContentURL]
		c.Check(CroissantDiffers, known && info.SHA256 == f.SHA256 && f.ContentSize == fmt.Sprintf("%d B", info.Bytes), "%s",
			f.ContentURL)
	}
	for _, path := range append([]string{artifacts.FileRecords}, artifacts.Tables...) {
		c.Check(CroissantDiffers, listed[path], "%s is not listed", path)
	}
	want, err := recordFields()
	if err != nil {
		return err
	}
	for _, set := range x.RecordSets {
		if set.ID != "records" {
			continue
		}
		var got []string
		for _, f := range set.Fields {
			got = append(got, f.Name)
		}
		slices.Sort(got)
		c.Check(CroissantDiffers, slices.Equal(got, want), "%d fields of %d", len(got), len(want))
	}
	return nil
}

// recordFields names the fields of a record, sorted.
func recordFields() ([]string, error) {
	b, err := json.Marshal(artifacts.Record{})
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(fields)), nil
}

// raw reads every shard of raw records: each line has the digest of its
// content, each file of a repository its git object id.
func (c *checker) raw(ctx context.Context) error {
	shards := slices.DeleteFunc(slices.Sorted(maps.Keys(c.m.Files)), func(path string) bool {
		return !strings.HasPrefix(path, artifacts.DirRaw) || !strings.HasSuffix(path, ".jsonl.zst")
	})
	_, err := inParallel(c, shards, func(c *checker, path string) (struct{}, error) {
		if err := ctx.Err(); err != nil {
			return struct{}{}, err
		}
		if err := c.shard(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.Note(RawDamaged, "%s: %v", path, err)
		}
		return struct{}{}, nil
	})
	return err
}

func (c *checker) shard(path string) error {
	f, err := load.OpenFile(c.dir, path)
	if err != nil {
		return err
	}
	defer f.Close()
	seen := map[[2]string]bool{}
	for r, err := range store.ReadExport(f) {
		if err != nil {
			return err
		}
		key := [2]string{string(r.Kind), r.Key}
		c.Check(RawDamaged, !seen[key], "%s: %s %s comes twice", path, r.Kind, r.Key)
		seen[key] = true
		if err := c.rawText(r); err != nil {
			return err
		}
		c.rawSecrets(fmt.Sprintf("%s:%d (%s %s)", path, len(seen), r.Kind, r.Key), r)
	}
	c.Check(RawDamaged, len(seen) > 0, "%s is empty", path)
	return nil
}
