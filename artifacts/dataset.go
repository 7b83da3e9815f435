package artifacts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/verdict"
)

// Dataset is what Freeze writes. Sequences are read once, in order; an error in
// one ends the freeze. Equal values give equal bytes.
type Dataset struct {
	// Manifest names what made the dataset; Records and Files are filled in.
	Manifest Manifest
	Card     Card
	// Tasks are the released pull requests, in the order of prs.jsonl.
	Tasks iter.Seq2[*Task, error]
	Split EvalSplit
	// Decisions holds one line for every repository and pull request looked at;
	// the rejected ones make rejections.jsonl too, with their verdicts.
	Decisions    iter.Seq2[Rejection, error]
	Repositories []RepositoryAudit
	Funnel       verdict.Funnel
	Tombstones   []Tombstone
	// Raw are the raw records and base sources; nil writes none.
	Raw iter.Seq2[RawFile, error]
}

// RawFile is a file below raw/, already in the form it is kept in.
type RawFile struct {
	Path string // "raw/..."
	Open func() (io.ReadCloser, error)
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
	stats := newStats()
	if err := d.writeTasks(ctx, w, stats); err != nil {
		return err
	}
	if err := d.writeAudit(ctx, w); err != nil {
		return err
	}
	if err := d.writeRaw(ctx, w); err != nil {
		return err
	}
	m := d.Manifest
	m.Records = stats.records
	if err := w.write(FileCard, card(m, d.Card, stats, d.Funnel, d.Split)); err != nil {
		return err
	}
	if err := w.writeJSON(FileCroissant, NewCroissant(m, d.Card, w.files)); err != nil {
		return err
	}
	m.Files = maps.Clone(w.files)
	if err := w.writeJSON(FileManifest, m); err != nil {
		return err
	}
	return w.sync()
}

// writeTasks writes records, annotations, contexts and evidence as they come.
func (d Dataset) writeTasks(ctx context.Context, w *folder, stats *stats) (err error) {
	lines, err := w.create(FileRecords)
	if err != nil {
		return err
	}
	defer lines.abandon()
	columns, err := w.create(FileParquet)
	if err != nil {
		return err
	}
	defer columns.abandon()
	rows, err := newParquetWriter(columns)
	if err != nil {
		return fmt.Errorf("%s: %w", FileParquet, err)
	}
	seen := map[string]bool{}
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
		if err := writeLine(lines, t.Record); err != nil {
			return fmt.Errorf("%s: %w", t.Record.TaskID, err)
		}
		if err := rows.write(&t.Record); err != nil {
			return fmt.Errorf("%s: %s: %w", FileParquet, t.Record.TaskID, err)
		}
		stats.add(t)
	}
	if err := rows.close(); err != nil {
		return fmt.Errorf("%s: %w", FileParquet, err)
	}
	return errors.Join(lines.Close(), columns.Close(), w.writeJSON(FileSplit, d.Split))
}

// writeTask writes the files that are a task's own.
func writeTask(w *folder, t *Task, seen map[string]bool) error {
	id := t.Record.TaskID
	if err := CheckTaskID(id); err != nil {
		return err
	}
	key := strings.ToLower(id) // file names may not distinguish case
	if seen[key] {
		return fmt.Errorf("task %s comes twice", id)
	}
	seen[key] = true
	if err := w.writeJSON(FileAnnotation(id), t.Annotation); err != nil {
		return err
	}
	for _, c := range t.Contexts {
		if !slices.Contains(Configs, c.ConfigName) {
			return fmt.Errorf("%s: %q is no context", id, c.ConfigName)
		}
		if err := w.writeJSON(FileContext(c.ConfigName, id), c); err != nil {
			return err
		}
	}
	return w.writeJSON(FileEvidence(id), t.Evidence)
}

func (d Dataset) writeAudit(ctx context.Context, w *folder) error {
	decisions, err := w.create(FileDecisions)
	if err != nil {
		return err
	}
	defer decisions.abandon()
	rejections, err := w.create(FileRejections)
	if err != nil {
		return err
	}
	defer rejections.abandon()
	for r, err := range d.Decisions {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			r = r.filled()
			err = writeLine(decisions, r.Decision)
		}
		if err == nil && r.Outcome == Rejected {
			err = writeLine(rejections, r)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", FileDecisions, err)
		}
	}
	err = errors.Join(decisions.Close(), rejections.Close(), writeLines(w, FileRepositories, d.Repositories), w.writeJSON(FileFunnel, d.Funnel))
	if err == nil && len(d.Tombstones) > 0 {
		err = writeLines(w, FileTombstones, d.Tombstones)
	}
	return err
}

func writeLines[T any](w *folder, path string, values []T) error {
	o, err := w.create(path)
	if err != nil {
		return err
	}
	defer o.abandon()
	for _, v := range values {
		if err := writeLine(o, v); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return o.Close()
}

func (d Dataset) writeRaw(ctx context.Context, w *folder) error {
	if d.Raw == nil {
		return nil
	}
	for r, err := range d.Raw {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = checkRawPath(r.Path)
		}
		if err == nil {
			err = copyRaw(w, r)
		}
		if err != nil {
			return fmt.Errorf("raw records: %w", err)
		}
	}
	return nil
}

func copyRaw(w *folder, r RawFile) error {
	in, err := r.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", r.Path, err)
	}
	defer in.Close()
	out, err := w.create(r.Path)
	if err != nil {
		return err
	}
	defer out.abandon()
	if _, err := io.Copy(out, in); err != nil {
		return fmt.Errorf("%s: %w", r.Path, err)
	}
	return out.Close()
}
