package freeze

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sourcegraph/conc/stream"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/artifacts/columns"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Dataset is the input of Freeze. Sequences are read once, in order; an error in one ends the freeze. Equal values
// give equal bytes.
type Dataset struct {
	// Manifest names what made the dataset; SchemaVersion and Files are filled in,
	// and Records where there are Tasks.
	Manifest artifacts.Manifest
	Card     card.Card
	// Config is config.yaml; its SHA-256 becomes the manifest's ConfigSHA256. Nil
	// writes none.
	Config []byte
	// Tasks are the released pull requests of the review benchmark, in the order
	// of prs.jsonl; nil for the other benchmarks, which have Files.
	Tasks iter.Seq2[*artifacts.Task, error]
	Split model.Split
	// Files are the files of another benchmark, its card (README.md) among them.
	Files iter.Seq2[File, error]
	// Decisions holds one line for every repository and pull request examined. The rejected ones also make
	// rejections.jsonl, with their verdicts. Nil writes no audit.
	Decisions    iter.Seq2[artifacts.Rejection, error]
	Repositories []artifacts.RepositoryAudit
	Funnel       verdict.Funnel
	Tombstones   []model.Tombstone
	Judged       *artifacts.Judged // nil where nobody judged a comment
	Snapshots    *Snapshots        // nil writes none
	// Raw are the raw records and base sources, all below raw/; nil writes none. Up to Workers of them, at least one,
	// are written at once.
	Raw     iter.Seq2[File, error]
	Workers int
}

// Snapshots are the snapshots of a dataset's records (package snapshot): the files with their index, and the card's
// text about them.
type Snapshots struct {
	artifacts.SnapshotSummary
	Files []File
}

// File is a file of a dataset in its final form.
type File struct {
	Path string // slash path below the dataset, of plain names
	Open func() (io.ReadCloser, error)
}

// FileOf is a file whose bytes are in memory.
func FileOf(path string, data []byte) File {
	return File{Path: path, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// Seq makes a sequence without errors from values in memory.
func Seq[T any](values ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range values {
			if !yield(v, nil) {
				return
			}
		}
	}
}

func (d Dataset) write(ctx context.Context, w *folder) error {
	m := d.Manifest
	m.SchemaVersion = schema.Version
	w.marked = m.NotForPublication
	figures := card.NewFigures()
	if d.Config != nil {
		m.ConfigSHA256 = digest.Bytes(d.Config)
		if err := w.write(artifacts.FileConfig, d.Config); err != nil {
			return err
		}
	}
	if d.Tasks != nil {
		if err := d.writeTasks(ctx, w, figures); err != nil {
			return err
		}
		if d.Judged != nil {
			if err := w.write(artifacts.FileLabels, d.Judged.Text); err != nil {
				return err
			}
		}
		m.Records = figures.Records
	}
	if err := writeFiles(ctx, w, d.Files, 1, artifacts.CheckPath); err != nil {
		return err
	}
	if d.Snapshots != nil {
		if err := writeFiles(ctx, w, Seq(d.Snapshots.Files...), 1, artifacts.CheckPath); err != nil {
			return fmt.Errorf("snapshots: %w", err)
		}
	}
	if d.Decisions != nil {
		if err := d.writeAudit(ctx, w); err != nil {
			return err
		}
	}
	if err := writeFiles(ctx, w, d.Raw, d.Workers, artifacts.CheckRawPath); err != nil {
		return fmt.Errorf("raw records: %w", err)
	}
	if err := writeSchemas(w, m.Benchmark, d.Snapshots != nil); err != nil {
		return err
	}
	if d.Tasks != nil {
		if err := d.describe(w, m, figures); err != nil {
			return err
		}
	}
	m.Files = maps.Clone(w.files)
	if err := w.writeJSON(artifacts.FileManifest, m); err != nil {
		return err
	}
	return w.sync()
}

// writeSchemas writes the schemas that the files follow.
func writeSchemas(w *folder, b artifacts.Benchmark, snapshots bool) error {
	for _, n := range artifacts.Schemas(b, snapshots) {
		text, err := schema.Text(n)
		if err == nil {
			err = w.write(artifacts.FileSchema(n), text)
		}
		if err != nil {
			return fmt.Errorf("schema %s: %w", n, err)
		}
	}
	return nil
}

// describe writes the card, LICENSE.md and croissant.json of the review
// benchmark.
func (d Dataset) describe(w *folder, m artifacts.Manifest, figures *card.Figures) error {
	facts := card.Facts{Manifest: m, Card: d.Card, Figures: figures, Funnel: d.Funnel, Split: d.Split, Judged: d.Judged}
	if d.Snapshots != nil {
		facts.Snapshots = &d.Snapshots.SnapshotSummary
	}
	readme, license := facts.Render()
	return errors.Join(
		w.write(artifacts.FileCard, readme),
		w.write(artifacts.FileLicense, license),
		w.writeJSON(artifacts.FileCroissant, columns.NewCroissant(m, d.Card, w.files)))
}

// writeTasks writes records, annotations, contexts and evidence as they arrive.
func (d Dataset) writeTasks(ctx context.Context, w *folder, figures *card.Figures) (err error) {
	lines, err := w.create(artifacts.FileRecords)
	if err != nil {
		return err
	}
	defer lines.Abandon()
	short, err := w.create(artifacts.FileShort)
	if err != nil {
		return err
	}
	defer short.Abandon()
	tables, err := columns.NewWriter(func(path string) (columns.Out, error) { return w.create(path) })
	defer tables.Abandon()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	validated := &artifacts.Validated{Minimum: max(1, d.Manifest.Parameters.MinValidated), TaskIDs: []string{}}
	for t, err := range d.Tasks {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = writeTask(w, t, seen)
		}
		if err != nil {
			return err
		}
		if err := artifacts.WriteLine(lines, t.Record); err != nil {
			return fmt.Errorf("%s: %w", t.Record.TaskID, err)
		}
		if err := tables.Write(t, d.Split, validated.Add(t)); err != nil {
			return fmt.Errorf("columns of %s: %w", t.Record.TaskID, err)
		}
		for _, k := range artifacts.ShortComments(&t.Evidence) {
			if err := artifacts.WriteLine(short, k); err != nil {
				return fmt.Errorf("%s: %w", t.Record.TaskID, err)
			}
		}
		figures.Add(t)
	}
	return errors.Join(lines.Close(), short.Close(), tables.Close(), w.writeJSON(artifacts.FileSplit, d.Split),
		w.writeJSON(artifacts.FileValidated, validated))
}

// writeTask writes the files of one task.
func writeTask(w *folder, t *artifacts.Task, seen map[string]bool) error {
	id := t.Record.TaskID
	if err := artifacts.CheckTaskID(id); err != nil {
		return err
	}
	key := strings.ToLower(id) // file names may not distinguish case
	if seen[key] {
		return fmt.Errorf("task %s comes twice", id)
	}
	seen[key] = true
	if err := w.writeJSON(artifacts.FileAnnotation(id), t.Annotation); err != nil {
		return err
	}
	for _, c := range t.Contexts {
		if !slices.Contains(artifacts.Configs, c.ConfigName) {
			return fmt.Errorf("%s: %q is no context", id, c.ConfigName)
		}
		if err := w.writeJSON(artifacts.FileContext(c.ConfigName, id), c); err != nil {
			return err
		}
	}
	return w.writeJSON(artifacts.FileEvidence(id), t.Evidence)
}

func (d Dataset) writeAudit(ctx context.Context, w *folder) error {
	decisions, err := w.create(artifacts.FileDecisions)
	if err != nil {
		return err
	}
	defer decisions.Abandon()
	rejections, err := w.create(artifacts.FileRejections)
	if err != nil {
		return err
	}
	defer rejections.Abandon()
	for r, err := range d.Decisions {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			r = r.Filled()
			err = artifacts.WriteLine(decisions, r.Decision)
		}
		if err == nil && r.Outcome == artifacts.Rejected {
			err = artifacts.WriteLine(rejections, r)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", artifacts.FileDecisions, err)
		}
	}
	err = errors.Join(decisions.Close(), rejections.Close(), writeLines(w, artifacts.FileRepositories, d.Repositories),
		w.writeJSON(artifacts.FileFunnel, d.Funnel))
	if err == nil && len(d.Tombstones) > 0 {
		err = writeLines(w, artifacts.FileTombstones, d.Tombstones)
	}
	return err
}

func writeLines[T any](w *folder, path string, values []T) error {
	o, err := w.create(path)
	if err != nil {
		return err
	}
	defer o.Abandon()
	for _, v := range values {
		if err := artifacts.WriteLine(o, v); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return o.Close()
}

// writeFiles checks the paths of files and copies several at once; nil has none. It returns the error of the first,
// in their order, that cannot be written.
func writeFiles(ctx context.Context, w *folder, files iter.Seq2[File, error], atOnce int,
	check func(path string) error) error {
	if files == nil {
		return nil
	}
	var first error
	var failed atomic.Bool
	note := func(err error) stream.Callback {
		return func() { // one after another, in the order of the files
			if err != nil && first == nil {
				first = err
				failed.Store(true)
			}
		}
	}
	copies := stream.New().WithMaxGoroutines(max(1, atOnce))
	for f, err := range files {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = check(f.Path)
		}
		if err != nil {
			copies.Go(func() stream.Callback { return note(err) })
			break
		}
		if failed.Load() {
			break
		}
		copies.Go(func() stream.Callback { return note(copyFile(w, f)) })
	}
	copies.Wait()
	return first
}

func copyFile(w *folder, f File) error {
	in, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	defer in.Close()
	if w.marked && f.Path == artifacts.FileCard {
		data, err := io.ReadAll(in)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		return w.write(f.Path, data)
	}
	out, err := w.create(f.Path)
	if err != nil {
		return err
	}
	defer out.Abandon()
	if _, err := io.Copy(out, in); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return out.Close()
}
