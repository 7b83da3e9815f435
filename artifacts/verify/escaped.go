package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/escaped"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/model"
)

// Escaped checks a dataset of escaped defects against its manifest, its schemas and itself: questions match answers,
// the fix has its stated age, and neither a question nor a snapshot reveals it.
func Escaped(ctx context.Context, dir string, m *artifacts.Manifest) (*Report, error) {
	faults, _, err := load.CheckFiles(dir, m)
	if err != nil {
		return nil, err
	}
	r := &Report{Dataset: dir, Format: FormatPrforge, Records: m.Records, Checks: len(m.Files), Faults: []Fault{}, Warnings: []Fault{}, Skipped: []string{}}
	for _, f := range faults {
		r.Add(EscapedFiles, f.String())
	}
	for file, name := range map[string]schema.Name{escaped.FileQuestions: schema.EscapedQuestion, escaped.FileAnswers: schema.EscapedAnswer} {
		for line, err := range load.RawLines(dir, file) {
			if err != nil {
				return nil, err
			}
			r.Checks++
			if err := schema.Check(name, line.Text); err != nil {
				r.Add(EscapedSchema, fmt.Sprintf("%s:%d: %v", file, line.Number, err))
			}
		}
	}
	if len(r.Faults) > 0 {
		return r, nil // a line that is no record cannot be compared
	}
	questions, err := gather[model.EscapedQuestion](dir, escaped.FileQuestions)
	if err != nil {
		return nil, err
	}
	answers, err := gather[model.EscapedAnswer](dir, escaped.FileAnswers)
	if err != nil {
		return nil, err
	}
	if len(questions) != len(answers) || len(answers) != m.Records {
		r.Add(EscapedRecords, fmt.Sprintf("%d questions, %d answers, the manifest says %d", len(questions), len(answers), m.Records))
		return r, nil
	}
	for i, a := range answers {
		r.escapedRecord(questions[i], a)
		if i > 0 && answers[i-1].QuestionID >= a.QuestionID {
			r.Add(EscapedRecords, a.QuestionID+" is there twice, or out of order")
		}
	}
	return r, r.escapedSnapshots(ctx, dir)
}

// escapedSnapshots checks the snapshots in a dataset of escaped defects, if it has any.
func (r *Report) escapedSnapshots(ctx context.Context, dir string) error {
	d, err := load.Open(dir)
	if err != nil {
		return err
	}
	c := &checker{dir: dir, m: &d.Manifest, r: d, Tally: NewTally(Kinds()), warnings: NewTally(Kinds())}
	err = c.snapshots(ctx)
	r.Checks += c.Checks
	r.Faults, r.Warnings = append(r.Faults, c.faults()...), append(r.Warnings, c.warnings.faults()...)
	return err
}

// escapedRecord checks one record.
func (r *Report) escapedRecord(q model.EscapedQuestion, a model.EscapedAnswer) {
	r.Checks += 2
	merged, err := time.Parse(time.RFC3339, a.MergedAt)
	fixed, later := time.Parse(time.RFC3339, a.FixedAt)
	if q.QuestionID != a.QuestionID || err != nil || later != nil || int(fixed.Sub(merged)/(24*time.Hour)) != a.AgeDays {
		r.Add(EscapedRecords, a.QuestionID+": question and answer, or age and dates, do not agree")
	}
	shown := map[string]string{"title": q.Title, "description": q.Description, "diff": q.Diff}
	for _, c := range q.Contexts {
		shown["context "+c.Config] = c.Text
	}
	for _, where := range slices.Sorted(maps.Keys(shown)) {
		if what := leaked(shown[where], a); what != "" {
			r.Add(EscapedLeak, fmt.Sprintf("%s: the %s has %q, which only its answer may have", q.QuestionID, where, what))
		}
	}
}

// leaked is the part of the fix in a text that a reviewer sees; "" for none: its commit, its pull request's number,
// or a whole line of at least 40 bytes of its text.
func leaked(text string, a model.EscapedAnswer) string {
	if strings.Contains(text, a.Fix[:10]) {
		return a.Fix[:10]
	}
	number := "#" + strconv.Itoa(a.FixPR)
	if i := strings.Index(text, number); a.FixPR > a.PRNumber && i >= 0 && !startsWithDigit(text[i+len(number):]) {
		return number
	}
	for line := range strings.Lines(a.Statement) {
		if line = strings.TrimSpace(line); len(line) >= 40 && strings.Contains(text, line) {
			return line
		}
	}
	return ""
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
