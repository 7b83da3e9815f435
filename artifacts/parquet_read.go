package artifacts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// CompareParquet checks prs.parquet of the dataset in dir against prs.jsonl: the
// same columns in the same order, and in every row the same values. The text
// says where they differ first; it is "" where they do not.
func CompareParquet(dir string) (differ string, err error) {
	f, err := OpenFile(dir, FileParquet)
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
			err = fmt.Errorf("%s cannot be read: %v", FileParquet, p)
		}
	}()
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return "", fmt.Errorf("%s: %w", FileParquet, err)
	}
	if got, want := file.Schema().String(), parquet.SchemaOf(parquetRow{}).String(); got != want {
		return "the columns are not those of a record", nil
	}
	rows := parquet.NewGenericReader[parquetRow](file)
	defer rows.Close()
	n := 0
	for r, err := range ReadLines[Record](dir, FileRecords) {
		if err != nil {
			return "", nil // prs.jsonl has a fault of its own
		}
		n++
		row := make([]parquetRow, 1)
		if k, err := rows.Read(row); k == 0 {
			if errors.Is(err, io.EOF) {
				return fmt.Sprintf("it ends before row %d", n), nil
			}
			return "", fmt.Errorf("%s: row %d: %w", FileParquet, n, err)
		}
		want, err := newParquetRow(r)
		if err != nil {
			return "", nil
		}
		if !sameRow(row[0], want) {
			return fmt.Sprintf("row %d, %s", n, r.TaskID), nil
		}
	}
	if file.NumRows() != int64(n) {
		return fmt.Sprintf("%d rows for %d records", file.NumRows(), n), nil
	}
	return "", nil
}

// sameRow compares by JSON, which knows no difference between an empty and a
// missing list once both are made empty.
func sameRow(a, b parquetRow) bool {
	for _, r := range []*parquetRow{&a, &b} {
		r.MergedAt = r.MergedAt.UTC()
		r.ChangedFiles = slices.Concat([]string{}, r.ChangedFiles)
		r.HumanReviewComments = slices.Concat([]parquetComment{}, r.HumanReviewComments)
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
