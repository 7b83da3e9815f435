// Package load reads a dataset, which may be damaged or written by strangers.
package load

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/verdict"
)

// maxFile is the largest JSON file, or line of a .jsonl file, in bytes that is read: a larger one is not part of our
// datasets.
const maxFile = 256 << 20

// Reader reads a dataset from its folder, one task at a time. It trusts nothing that it reads: it checks the form of
// task ids before they become paths.
type Reader struct {
	Dir      string
	Manifest artifacts.Manifest
}

// Open reads the manifest of the dataset in dir.
func Open(dir string) (*Reader, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	return &Reader{Dir: dir, Manifest: *m}, nil
}

// ReadManifest reads manifest.json of the dataset in dir.
func ReadManifest(dir string) (*artifacts.Manifest, error) {
	m, err := ReadJSON[artifacts.Manifest](dir, artifacts.FileManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a dataset: %w", dir, err)
	}
	return m, err
}

// ManifestDigest is the SHA-256 of a dataset's manifest, by which others name the dataset.
func ManifestDigest(dir string) (string, error) {
	manifest, err := ReadBytes(dir, artifacts.FileManifest)
	return digest.Bytes(manifest), err
}

// Records yields the lines of prs.jsonl in order; it stops after an error.
func (r *Reader) Records() iter.Seq2[*artifacts.Record, error] {
	return ReadLines[artifacts.Record](r.Dir, artifacts.FileRecords)
}

// Annotation reads a task's annotation.
func (r *Reader) Annotation(taskID string) (*artifacts.Annotation, error) {
	return readOf[artifacts.Annotation](r.Dir, taskID, artifacts.FileAnnotation(taskID))
}

// Evidence reads a task's evidence.
func (r *Reader) Evidence(taskID string) (*artifacts.Evidence, error) {
	return readOf[artifacts.Evidence](r.Dir, taskID, artifacts.FileEvidence(taskID))
}

// Context reads one of a task's contexts; config is one of Configs.
func (r *Reader) Context(config, taskID string) (*artifacts.Context, error) {
	return readOf[artifacts.Context](r.Dir, taskID, artifacts.FileContext(config, taskID))
}

// Tasks yields every whole task, in the order of prs.jsonl.
func (r *Reader) Tasks() iter.Seq2[*artifacts.Task, error] {
	return func(yield func(*artifacts.Task, error) bool) {
		for record, err := range r.Records() {
			var t *artifacts.Task
			if err == nil {
				t, err = r.task(record)
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// Truth reads a task's ground truth and the evidence for it.
func (r *Reader) Truth(id string) (*artifacts.Annotation, *artifacts.Evidence, error) {
	a, err := r.Annotation(id)
	if err != nil {
		return nil, nil, err
	}
	e, err := r.Evidence(id)
	return a, e, err
}

func (r *Reader) task(record *artifacts.Record) (*artifacts.Task, error) {
	a, e, err := r.Truth(record.TaskID)
	if err != nil {
		return nil, err
	}
	t := &artifacts.Task{Record: *record, Annotation: *a, Evidence: *e}
	for _, config := range artifacts.Configs {
		c, err := r.Context(config, record.TaskID)
		if err != nil {
			return nil, err
		}
		t.Contexts = append(t.Contexts, *c)
	}
	return t, nil
}

// Decisions yields audit/decisions.jsonl.
func (r *Reader) Decisions() iter.Seq2[*artifacts.Decision, error] {
	return ReadLines[artifacts.Decision](r.Dir, artifacts.FileDecisions)
}

// Rejections yields audit/rejections.jsonl.
func (r *Reader) Rejections() iter.Seq2[*artifacts.Rejection, error] {
	return ReadLines[artifacts.Rejection](r.Dir, artifacts.FileRejections)
}

// Repositories yields audit/repositories.jsonl.
func (r *Reader) Repositories() iter.Seq2[*artifacts.RepositoryAudit, error] {
	return ReadLines[artifacts.RepositoryAudit](r.Dir, artifacts.FileRepositories)
}

// Funnel reads audit/funnel.json.
func (r *Reader) Funnel() (*verdict.Funnel, error) {
	return ReadJSON[verdict.Funnel](r.Dir, artifacts.FileFunnel)
}

func readOf[T any](dir, taskID, path string) (*T, error) {
	if err := artifacts.CheckTaskID(taskID); err != nil {
		return nil, err
	}
	return ReadJSON[T](dir, path)
}

// ReadJSON reads one JSON file of at most maxFile bytes. It ignores unknown fields: a later version may have more.
func ReadJSON[T any](dir, path string) (*T, error) {
	b, err := ReadBytes(dir, path)
	if err != nil {
		return nil, err
	}
	v := new(T)
	if err := json.Unmarshal(b, v); err != nil {
		return nil, fmt.Errorf("%s: %w", path, text.PlainJSON(err))
	}
	return v, nil
}

// ReadBytes reads one file of a dataset of at most maxFile bytes.
func ReadBytes(dir, path string) ([]byte, error) {
	f, err := OpenFile(dir, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	tooLarge := info.Size() > maxFile
	var b []byte
	if !tooLarge {
		b, err = io.ReadAll(io.LimitReader(f, maxFile+1)) // it may grow
		tooLarge = len(b) > maxFile
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case tooLarge:
		return nil, fmt.Errorf("%s: more than %d bytes", path, maxFile)
	}
	return b, nil
}

// OpenFile opens a regular file below dir. It follows a link only if dir is a snapshot in a hub's cache, and only
// into that cache's blobs.
func OpenFile(dir, path string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.FromSlash(path)
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		return openBlob(dir, path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w", path, errIrregular)
	}
	return root.Open(name)
}

// ReadLines yields the values of a .jsonl file in order. It stops after an
// error, which names file and line.
func ReadLines[T any](dir, path string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for line, err := range RawLines(dir, path) {
			var v *T
			if err == nil {
				v = new(T)
				if err = json.Unmarshal(line.Text, v); err != nil {
					v, err = nil, fmt.Errorf("%s:%d: %w", path, line.Number, text.PlainJSON(err))
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// RawLine is one line of a .jsonl file. Text is valid until the next one.
type RawLine struct {
	Number int // from 1
	Text   []byte
}

// RawLines yields the lines of a file that are not blank.
func RawLines(dir, path string) iter.Seq2[RawLine, error] {
	return func(yield func(RawLine, error) bool) {
		f, err := OpenFile(dir, path)
		if err != nil {
			yield(RawLine{}, err)
			return
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(make([]byte, 0, 1<<20), maxFile)
		n := 1
		for ; in.Scan(); n++ {
			if len(bytes.TrimSpace(in.Bytes())) > 0 && !yield(RawLine{Number: n, Text: in.Bytes()}, nil) {
				return
			}
		}
		err = in.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("line %d is longer than %d MB", n, maxFile>>20)
		}
		if err != nil {
			yield(RawLine{}, fmt.Errorf("%s: %w", path, err))
		}
	}
}

// All reads every line of a file of lines.
func All[T any](dir, path string) ([]T, error) {
	var out []T
	for v, err := range ReadLines[T](dir, path) {
		if err != nil {
			return nil, err
		}
		out = append(out, *v)
	}
	return out, nil
}
