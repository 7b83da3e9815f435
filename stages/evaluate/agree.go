package evaluate

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/prforge/prforge/evaluation"
)

// AgreeOptions say with whom a run's judge is compared.
type AgreeOptions struct {
	Other  string // run folder of another judge on the same answers; "" for none
	People string // a sheet that people filled in; "" for none
	Sheet  string // file to write a blind sheet to; "" for none
	Sample int    // rows of the sheet
	Seed   uint64 // of the sheet
}

// Agree measures the judge of a run folder. It asks nobody.
func (e *Evaluation) Agree(ctx context.Context, o AgreeOptions) (*evaluation.Agreement, error) {
	s, results, err := e.kept(ctx)
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	options := s.plan.Statistics()
	a := evaluation.Agree(s.plan, results)
	if o.Other != "" {
		other := *e
		other.Run = o.Other
		theirs, others, err := other.kept(ctx)
		if err != nil {
			return nil, err
		}
		defer theirs.folder.close()
		c, err := evaluation.AgreeWith(options, theirs.plan.Judge.ID+" in "+o.Other, results, others)
		if err != nil {
			return nil, err
		}
		a.Others = append(a.Others, c)
	}
	if o.People != "" {
		sheet, err := readSheet(o.People)
		if err != nil {
			return nil, err
		}
		c, err := evaluation.AgreeWithPeople(options, results, sheet, o.Seed)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.People, err)
		}
		a.Others = append(a.Others, c)
	}
	if o.Sheet != "" {
		rows, err := evaluation.Sheet(results, s.items, o.Sample, o.Seed)
		if err != nil {
			return nil, err
		}
		if err := writeSheet(o.Sheet, rows); err != nil {
			return nil, err
		}
	}
	return &a, nil
}

// kept opens a run folder and evaluates what it keeps.
func (e *Evaluation) kept(ctx context.Context) (*session, []evaluation.Result, error) {
	s, err := e.reopen()
	if err != nil {
		return nil, nil, err
	}
	results, _, err := s.offline(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, s.folder.close())
	}
	return s, results, nil
}

// sheetColumns are the columns of a sheet, for a spreadsheet.
var sheetColumns = []string{"id", "task", "url", "file", "line", "comment", "truth", "code", "label", "match"}

// writeSheet writes a new file; labels that people filled in are never
// overwritten.
func writeSheet(path string, rows []evaluation.SheetRow) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write the sheet: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := csv.NewWriter(f)
	lines := [][]string{sheetColumns}
	for _, r := range rows {
		lines = append(lines, []string{r.ID, r.Task, guarded(r.URL), guarded(r.File), r.Line, guarded(r.Comment), guarded(r.Truth), guarded(r.Code), "", ""})
	}
	if err := w.WriteAll(lines); err != nil {
		return fmt.Errorf("write the sheet: %w", err)
	}
	return nil
}

// guarded keeps a spreadsheet from taking a stranger's text for a formula.
func guarded(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// maxSheet bounds a sheet that is read.
const maxSheet = 64 << 20

// readSheet reads a sheet that was filled in.
func readSheet(path string) ([]evaluation.SheetRow, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the sheet: %w", err)
	}
	defer f.Close()
	r := csv.NewReader(io.LimitReader(f, maxSheet))
	r.FieldsPerRecord = len(sheetColumns)
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the sheet %s: %w", path, err)
	}
	if len(lines) == 0 || !same(lines[0], sheetColumns) {
		return nil, fmt.Errorf("read the sheet %s: its first line must be %s", path, strings.Join(sheetColumns, ","))
	}
	var rows []evaluation.SheetRow
	for _, l := range lines[1:] {
		rows = append(rows, evaluation.SheetRow{ID: l[0], Comment: unguarded(l[5]), Label: l[8], Match: l[9]})
	}
	return rows, nil
}

// unguarded undoes guarded.
func unguarded(s string) string {
	if rest, ok := strings.CutPrefix(s, "'"); ok && guarded(rest) == s {
		return rest
	}
	return s
}
