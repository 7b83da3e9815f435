package agreement

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/unidiff"
)

// Drawn is one comment of a sheet with the judge's verdict, which the person
// who labels does not see.
type Drawn struct {
	Item    string  `json:"item"` // S001 and on, in the order of the sheet
	Verdict Verdict `json:"verdict"`
}

// Draw draws n comments for people to label: as many of each of the judge's
// labels as there are, in a random order that the seed gives. It takes all
// where there are fewer.
func Draw(verdicts []Verdict, n int, seed uint64) []Drawn {
	byLabel := map[string][]Verdict{}
	for _, v := range verdicts {
		byLabel[v.Label] = append(byLabel[v.Label], v)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var drawn []Verdict
	var labels []string
	for label := range byLabel {
		labels = append(labels, label)
	}
	slices.Sort(labels)
	for _, label := range labels {
		vs := byLabel[label]
		slices.SortFunc(vs, func(a, b Verdict) int { return cmp.Compare(a.id(), b.id()) })
		random.Shuffle(len(vs), func(i, j int) { vs[i], vs[j] = vs[j], vs[i] })
	}
	for round := 0; len(drawn) < min(n, len(verdicts)); round++ {
		for _, label := range labels {
			if round < len(byLabel[label]) && len(drawn) < n {
				drawn = append(drawn, byLabel[label][round])
			}
		}
	}
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	out := make([]Drawn, len(drawn))
	for i, v := range drawn {
		out[i] = Drawn{Item: fmt.Sprintf("S%03d", i+1), Verdict: v}
	}
	return out
}

// header is the first line of a sheet. Label is for the person: CONFIRMED,
// PLAUSIBLE or FABRICATED.
var header = []string{"item", "label", "comment", "file", "line", "people's comments", "code", "pull request"}

// Sheet is the CSV file that a person labels: the comment, what people said on
// the pull request, and the code around. Neither the model, nor the
// configuration, nor the judge's label is in it. Cells that a spreadsheet would
// take for a formula begin with an apostrophe.
func Sheet(drawn []Drawn, results []evaluation.Result, items map[string]evaluation.Item) ([]byte, error) {
	readings := map[string][]evaluation.Comment{}
	for _, r := range results {
		if r.Reading != nil {
			readings[r.RecordKey.String()] = r.Reading.Comments
		}
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(header); err != nil {
		return nil, fmt.Errorf("write the sheet: %w", err)
	}
	for _, d := range drawn {
		key, err := items[d.Verdict.Record.Task].Review()
		if err != nil {
			return nil, err
		}
		comments := readings[d.Verdict.Record.String()]
		if d.Verdict.Comment >= len(comments) {
			return nil, fmt.Errorf("%s has no comment %d", d.Verdict.Record, d.Verdict.Comment)
		}
		c := comments[d.Verdict.Comment]
		line := ""
		if c.Line != nil {
			line = strconv.Itoa(*c.Line)
		}
		row := []string{d.Item, "", c.Body, c.File, line, said(key.Truth), code(key.Diff, c), key.URL}
		for i := range row {
			row[i] = inert(row[i])
		}
		if err := w.Write(row); err != nil {
			return nil, fmt.Errorf("write the sheet: %w", err)
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// inert keeps a spreadsheet from running a cell.
func inert(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

func said(truth []evaluation.Truth) string {
	var b strings.Builder
	for i, t := range truth {
		fmt.Fprintf(&b, "H%d", i+1)
		if t.File != "" {
			fmt.Fprintf(&b, " %s", t.File)
		}
		if t.Line != nil {
			fmt.Fprintf(&b, ":%d", *t.Line)
		}
		fmt.Fprintf(&b, ": %s\n", t.Body)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// around is how many lines of a hunk are shown before and after a comment's
// line; maxCode the most bytes of a cell.
const (
	around  = 15
	maxCode = 8000
)

// code is the part of the diff that a comment points at: the lines around its
// line, or the first hunk of its file. It is empty where the comment names no
// file of the diff.
func code(diff string, c evaluation.Comment) string {
	parsed, err := unidiff.Parse(diff)
	if err != nil {
		return ""
	}
	f := parsed.Lookup(c.File)
	if f == nil {
		return ""
	}
	for i, h := range f.Hunks {
		at := slices.IndexFunc(h.Lines, func(l unidiff.Line) bool { return c.Line != nil && l.New == *c.Line })
		if at >= 0 || c.Line == nil && i == 0 {
			return cut(shown(h.Lines[max(0, at-around):min(len(h.Lines), max(at, 0)+around+1)]))
		}
	}
	return ""
}

func shown(lines []unidiff.Line) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%c%s\n", l.Kind, l.Text)
	}
	return b.String()
}

func cut(s string) string {
	if len(s) > maxCode {
		s = strings.ToValidUTF8(s[:maxCode], "")
	}
	return s
}

// maxSheetBytes is the largest sheet that is read.
const maxSheetBytes = 16 << 20

// ReadLabels reads a labelled sheet: the columns item and label, wherever they
// are. Items without a label are left out. An unknown label, an item that comes
// twice and a file without these columns are errors.
func ReadLabels(r io.Reader) (map[string]string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSheetBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSheetBytes {
		return nil, fmt.Errorf("the sheet has over %d bytes", maxSheetBytes)
	}
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff")))).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("the sheet is no CSV: %w", err)
	}
	if len(rows) == 0 {
		return nil, errors.New("the sheet is empty")
	}
	item, label := slices.Index(rows[0], "item"), slices.Index(rows[0], "label")
	if item < 0 || label < 0 {
		return nil, errors.New("the sheet lacks a column item or label")
	}
	out := map[string]string{}
	for i, row := range rows[1:] {
		name, l := strings.TrimSpace(row[item]), strings.ToUpper(strings.TrimSpace(row[label]))
		if l == "" {
			continue
		}
		if l != evaluation.Confirmed && l != evaluation.Plausible && l != evaluation.Fabricated {
			return nil, fmt.Errorf("line %d: the label is %.40q, want %s, %s or %s", i+2, l, evaluation.Confirmed, evaluation.Plausible, evaluation.Fabricated)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("line %d: %.40q comes twice", i+2, name)
		}
		out[name] = l
	}
	return out, nil
}

// trustFrom is the kappa from which a judge may stand for people; below it,
// reports warn.
const trustFrom = 0.8

// People is the judge against a person's labels.
type People struct {
	Between
	Drawn     int  `json:"drawn"`     // comments of the sheet
	Unknown   int  `json:"unknown"`   // labels of items that are not of this sheet: left out
	Trustable bool `json:"trustable"` // kappa is at least 0.8
}

// AgainstPeople compares the judge, as A, with a person, as B.
func AgainstPeople(o stats.Options, drawn []Drawn, labels map[string]string) People {
	out := People{Drawn: len(drawn)}
	var rated []stats.Rated
	for _, d := range drawn {
		if l, ok := labels[d.Item]; ok {
			rated = append(rated, stats.Rated{Cluster: d.Verdict.Record.Task, A: d.Verdict.Label, B: l})
		} else {
			out.OnlyA++
		}
	}
	out.Comments = len(rated)
	out.Unknown = len(labels) - len(rated)
	out.Labels = stats.Kappa(o, rated)
	out.SameMatch = stats.Bootstrap(o, nil, stats.Rate(0, 1))[0]
	out.Trustable = out.Labels.Kappa.Value >= trustFrom
	return out
}
