// Package columns writes and checks the tabular forms of a dataset: its Parquet tables, and the croissant.json that
// describes them.
package columns

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
)

// rowGroup is how many rows are buffered before a write: enough for good columns, few enough for memory (a row is
// mostly its diff).
const rowGroup = 64

// table writes the rows of one Parquet file in groups. The bytes depend on the rows alone: the file does not name the
// writing library or its build.
type table[T any] struct {
	out  Out
	path string
	w    *parquet.GenericWriter[T]
	held int
}

func newTable[T any](create Create, path string) (*table[T], error) {
	pages, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(1<<20), zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("%s: set up compression: %w", path, err)
	}
	out, err := create(path)
	if err != nil {
		return nil, err
	}
	return &table[T]{out: out, path: path, w: parquet.NewGenericWriter[T](out, parquet.SchemaOf(*new(T)),
		parquet.CreatedBy("prforge", "1", "0"), parquet.Compression(pageCodec{&parquet.Zstd, pages}))}, nil
}

// pageCodec compresses pages with one encoder of a small window. The library's codec keeps several of 16 MB each for
// smaller pages.
type pageCodec struct {
	*parquetzstd.Codec
	enc *zstd.Encoder
}

// Encode implements compress.Codec.
func (c pageCodec) Encode(dst, src []byte) ([]byte, error) { return c.enc.EncodeAll(src, dst[:0]), nil }

func (t *table[T]) write(rows ...T) error {
	for _, row := range rows {
		if _, err := t.w.Write([]T{row}); err != nil {
			return fmt.Errorf("%s: %w", t.path, err)
		}
		if t.held++; t.held < rowGroup {
			continue
		}
		t.held = 0
		if err := t.w.Flush(); err != nil {
			return fmt.Errorf("%s: %w", t.path, err)
		}
	}
	return nil
}

func (t *table[T]) close() error {
	if err := t.w.Close(); err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return t.out.Close()
}

// Out is an open file of a dataset. Abandon closes it after an error.
type Out interface {
	io.WriteCloser
	Abandon()
}

// Create opens a new file of the dataset at a slash path.
type Create func(path string) (Out, error)

// Writer writes the Parquet files of a dataset.
type Writer struct {
	records     *table[recordRow]
	annotations *table[annotationRow]
	contexts    *table[contextRow]
	splits      *table[splitRow]
}

// NewWriter opens all four files. After an error the caller abandons those that are open.
func NewWriter(create Create) (*Writer, error) {
	t := &Writer{}
	var failed [4]error
	t.records, failed[0] = newTable[recordRow](create, artifacts.FileParquet)
	t.annotations, failed[1] = newTable[annotationRow](create, artifacts.FileAnnotationTable)
	t.contexts, failed[2] = newTable[contextRow](create, artifacts.FileContextTable)
	t.splits, failed[3] = newTable[splitRow](create, artifacts.FileSplitTable)
	return t, errors.Join(failed[:]...)
}

// Write adds the rows of one task.
func (t *Writer) Write(task *artifacts.Task, split model.Split, validated bool) error {
	record, err := newRecordRow(&task.Record)
	if err != nil {
		return err
	}
	annotations, err := newAnnotationRows(&task.Annotation, &task.Evidence)
	if err != nil {
		return err
	}
	var contexts []contextRow
	for i := range task.Contexts {
		contexts = append(contexts, newContextRow(&task.Contexts[i]))
	}
	splits := newSplitRows(&task.Record, slices.Contains(split.TaskIDs, task.Record.TaskID), validated)
	return errors.Join(t.records.write(record), t.annotations.write(annotations...), t.contexts.write(contexts...),
		t.splits.write(splits...))
}

// Close writes the buffered rows and the ends of the files.
func (t *Writer) Close() error {
	return errors.Join(t.records.close(), t.annotations.close(), t.contexts.close(), t.splits.close())
}

// Abandon closes the files after an error that the caller reports.
func (t *Writer) Abandon() {
	if t.records != nil {
		t.records.out.Abandon()
	}
	if t.annotations != nil {
		t.annotations.out.Abandon()
	}
	if t.contexts != nil {
		t.contexts.out.Abandon()
	}
	if t.splits != nil {
		t.splits.out.Abandon()
	}
}
