package columns

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
)

// CompareParquet checks one of Tables of the dataset in dir against the JSON that it was made from: the same columns
// in the same order, and the same values in every row. The text names the first difference; it is "" if there is
// none, and if the JSON itself cannot be read, which is a separate fault.
func CompareParquet(dir, path string) (differ string, err error) {
	r := &load.Reader{Dir: dir}
	switch path {
	case artifacts.FileParquet:
		return compareRows(dir, path, recordRows(r))
	case artifacts.FileAnnotationTable:
		return compareRows(dir, path, annotationRows(r))
	case artifacts.FileContextTable:
		return compareRows(dir, path, contextRows(r))
	case artifacts.FileSplitTable:
		return compareRows(dir, path, splitRows(r))
	}
	return "", fmt.Errorf("%s is no table", path)
}

// compareRows checks a table against its expected rows.
func compareRows[T any](dir, path string, want iter.Seq2[[]T, error]) (differ string, err error) {
	f, err := load.OpenFile(dir, path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	defer func() { // the library panics on some damaged files
		if p := recover(); p != nil {
			err = fmt.Errorf("%s cannot be read: %v", path, p)
		}
	}()
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	schema := parquet.SchemaOf(*new(T))
	if file.Schema().String() != schema.String() {
		return "the columns are other ones", nil
	}
	rows := parquet.NewGenericReader[T](file)
	defer func() { _ = rows.Close() }()
	n := int64(0)
	for some, err := range want {
		if err != nil {
			return "", nil
		}
		for _, row := range some {
			n++
			got := make([]T, 1)
			if k, err := rows.Read(got); k == 0 {
				if errors.Is(err, io.EOF) {
					return fmt.Sprintf("it ends before row %d", n), nil
				}
				return "", fmt.Errorf("%s: row %d: %w", path, n, err)
			}
			if !schema.Deconstruct(nil, got[0]).Equal(schema.Deconstruct(nil, row)) {
				return fmt.Sprintf("row %d", n), nil
			}
		}
	}
	if file.NumRows() != n {
		return fmt.Sprintf("%d rows instead of %d", file.NumRows(), n), nil
	}
	return "", nil
}

// rowsOf yields the result of rows for each record, in the order of prs.jsonl.
func rowsOf[T any](r *load.Reader, rows func(*artifacts.Record) ([]T, error)) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		for record, err := range r.Records() {
			var out []T
			if err == nil {
				out, err = rows(record)
			}
			if !yield(out, err) || err != nil {
				return
			}
		}
	}
}

func recordRows(r *load.Reader) iter.Seq2[[]recordRow, error] {
	return rowsOf(r, func(record *artifacts.Record) ([]recordRow, error) {
		row, err := newRecordRow(record)
		return []recordRow{row}, err
	})
}

func annotationRows(r *load.Reader) iter.Seq2[[]annotationRow, error] {
	return rowsOf(r, func(record *artifacts.Record) ([]annotationRow, error) {
		a, e, err := r.Truth(record.TaskID)
		if err != nil {
			return nil, err
		}
		return newAnnotationRows(a, e)
	})
}

func contextRows(r *load.Reader) iter.Seq2[[]contextRow, error] {
	return rowsOf(r, func(record *artifacts.Record) (rows []contextRow, err error) {
		for _, config := range artifacts.Configs {
			c, err := r.Context(config, record.TaskID)
			if err != nil {
				return nil, err
			}
			rows = append(rows, newContextRow(c))
		}
		return rows, nil
	})
}

func splitRows(r *load.Reader) iter.Seq2[[]splitRow, error] {
	return func(yield func([]splitRow, error) bool) {
		split, err := load.ReadJSON[model.Split](r.Dir, artifacts.FileSplit)
		if err != nil {
			yield(nil, err)
			return
		}
		validated, err := load.ReadJSON[artifacts.Validated](r.Dir, artifacts.FileValidated)
		if err != nil {
			yield(nil, err)
			return
		}
		rowsOf(r, func(record *artifacts.Record) ([]splitRow, error) {
			id := record.TaskID
			return newSplitRows(record, slices.Contains(split.TaskIDs, id), slices.Contains(validated.TaskIDs, id)), nil
		})(yield)
	}
}
