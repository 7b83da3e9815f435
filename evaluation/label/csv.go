package label

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Columns of a spreadsheet besides the questions.
const (
	columnID    = "id"
	columnRater = "rater"
)

// again marks the id of an item that is repeated.
const again = "+"

// WriteCSV writes the sheet for a spreadsheet, with empty columns for the rater's name and the questions.
func (s Sheet) WriteCSV(w io.Writer) error {
	head := []string{columnID, "title", "url", "place", "text", "beside", columnRater}
	for _, q := range s.Questions {
		head = append(head, q.Key)
	}
	lines := [][]string{head}
	for i, n := range s.Order {
		it := s.Items[n]
		id := it.ID
		if slices.Contains(s.Order[:i], n) {
			id += again
		}
		var beside []string
		for _, o := range it.Beside {
			beside = append(beside, fmt.Sprintf("[%s] %s: %s", o.ID, o.At, o.Body))
		}
		line := []string{id, guarded(it.Title), guarded(it.URL), guarded(it.At.String()), guarded(it.Body),
			guarded(strings.Join(beside, "\n\n"))}
		lines = append(lines, append(line, make([]string, 1+len(s.Questions))...))
	}
	if err := csv.NewWriter(w).WriteAll(lines); err != nil {
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

// ReadCSV reads what the page exports and what a spreadsheet saves: with or without a byte order mark, separated by
// commas, semicolons or tabs, rows and columns in any order, with columns of the rater's own. It reads only the id
// and the answers of a row, and skips rows without an answer. A row without a rater's name belongs to the rater in
// the file's name. The error names the row.
func (s Sheet) ReadCSV(file string, content []byte) ([]Label, error) {
	lines, err := table(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	at, err := s.columns(lines)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	items := map[string]Item{}
	for _, it := range s.Items {
		items[it.ID] = it
	}
	var out []Label
	for n, line := range lines[1:] {
		cell := func(column string) string {
			if i, ok := at[column]; ok && i < len(line) {
				return strings.TrimSpace(line[i])
			}
			return ""
		}
		id, second := strings.CutSuffix(strings.ToLower(cell(columnID)), again)
		l := Label{Item: id, Rater: cell(columnRater), Again: second, Answers: map[string]string{}}
		if l.Rater == "" {
			l.Rater = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		}
		it, known := items[id]
		for _, q := range s.Questions {
			answer, err := q.read(it, cell(q.Key))
			if known && err != nil {
				return nil, fmt.Errorf("%s: row %d: %w", file, n+2, err)
			}
			if answer != "" {
				l.Answers[q.Key] = answer
			}
		}
		switch {
		case len(l.Answers) == 0:
		case !known:
			return nil, fmt.Errorf("%s: row %d: there is no item %q; labels are read with the sheet that they were made on",
				file, n+2, cell(columnID))
		default:
			out = append(out, l)
		}
	}
	return out, nil
}

// table reads the lines of a table. Its separator is the one that splits the first line into the most columns.
func table(content []byte) ([][]string, error) {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	head, _, _ := bytes.Cut(content, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(content))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	for _, comma := range ";\t" {
		if bytes.Count(head, []byte(string(comma))) > bytes.Count(head, []byte(string(r.Comma))) {
			r.Comma = comma
		}
	}
	lines, err := r.ReadAll()
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("it is empty")
	}
	return lines, err
}

// columns finds the needed columns by their names in the first line.
func (s Sheet) columns(lines [][]string) (map[string]int, error) {
	at := map[string]int{}
	for i, name := range lines[0] {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := at[name]; !twice {
			at[name] = i
		}
	}
	want := []string{columnID}
	for _, q := range s.Questions {
		want = append(want, q.Key)
	}
	for _, name := range want {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("there is no column %s; the first line must name %s", name, strings.Join(want, ", "))
		}
	}
	return at, nil
}

// read is the answer in a cell: a value in any case. It is "" if the cell is empty.
func (q Question) read(it Item, cell string) (string, error) {
	values := []string{"", Unsure}
	for _, o := range q.Options {
		values = append(values, o.Value)
	}
	if q.Beside {
		for _, o := range it.Beside {
			values = append(values, o.ID)
		}
	}
	for _, v := range values {
		if strings.EqualFold(v, cell) {
			return v, nil
		}
	}
	return "", fmt.Errorf("%s is %q, want one of %s", q.Key, cell, strings.Join(values[1:], ", "))
}
