package escaped

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts"
	files "github.com/prforge/prforge/artifacts/escaped"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/model"
)

// Kinds of faults of a dataset.
const (
	faultFiles   verify.Kind = "escaped-files"
	faultSchema  verify.Kind = "escaped-schema"
	faultRecords verify.Kind = "escaped-records"
	faultLeak    verify.Kind = "escaped-leak"
)

var faultKinds = []verify.Fault{
	{Kind: faultFiles, Text: "every file is the one that the manifest lists"},
	{Kind: faultSchema, Text: "every line of questions and answers follows its schema"},
	{Kind: faultRecords, Text: "every question has its answer, once and in order, and the age lies between the dates"},
	{Kind: faultLeak, Text: "no question shows the fix, its pull request or a line of what it says"},
}

// verifyDataset checks a dataset against its manifest, its schemas and itself: questions match answers, the fix has its
// stated age, and neither a question nor a snapshot reveals it.
func verifyDataset(ctx context.Context, dir string, m *artifacts.Manifest) (*verify.Report, error) {
	t := verify.NewTally(faultKinds)
	lines := map[string]schema.Name{files.FileQuestions: schema.EscapedQuestion, files.FileAnswers: schema.EscapedAnswer}
	if err := t.Files(dir, m, faultFiles, faultSchema, lines); err != nil {
		return nil, err
	}
	report := t.Report(dir, verify.FormatPrforge, m.Records)
	if !report.OK() {
		return report, nil // a line that is no record cannot be compared
	}
	questions, answers, err := readRecords(dir)
	if err != nil {
		return nil, err
	}
	if len(questions) != len(answers) || len(answers) != m.Records {
		t.Note(faultRecords, "%d questions, %d answers, the manifest says %d", len(questions), len(answers), m.Records)
		return t.Report(dir, verify.FormatPrforge, m.Records), nil
	}
	for i, a := range answers {
		checkRecord(t, questions[i], a)
		if i > 0 && answers[i-1].QuestionID >= a.QuestionID {
			t.Note(faultRecords, "%s is there twice, or out of order", a.QuestionID)
		}
	}
	report = t.Report(dir, verify.FormatPrforge, m.Records)
	return report, report.AddSnapshots(ctx, shown)
}

func readRecords(dir string) ([]model.EscapedQuestion, []model.EscapedAnswer, error) {
	questions, err := load.All[model.EscapedQuestion](dir, files.FileQuestions)
	if err != nil {
		return nil, nil, err
	}
	answers, err := load.All[model.EscapedAnswer](dir, files.FileAnswers)
	return questions, answers, err
}

// shown is what the records show, and what came later: what the fix says, and the fix itself.
func shown(d *load.Reader) ([]verify.Shown, error) {
	questions, answers, err := readRecords(d.Dir)
	if err != nil {
		return nil, err
	}
	titles := map[string]string{}
	for _, q := range questions {
		titles[q.QuestionID] = q.Title
	}
	var out []verify.Shown
	for _, a := range answers {
		out = append(out, verify.Shown{
			TaskID: a.QuestionID, Repo: a.Repo, Number: a.PRNumber, Head: a.Head, Base: a.Base, Title: titles[a.QuestionID],
			Said: []string{a.Statement}, Commits: []string{a.Fix},
		})
	}
	return out, nil
}

// checkRecord checks one record.
func checkRecord(t *verify.Tally, q model.EscapedQuestion, a model.EscapedAnswer) {
	merged, err := time.Parse(time.RFC3339, a.MergedAt)
	fixed, later := time.Parse(time.RFC3339, a.FixedAt)
	agree := q.QuestionID == a.QuestionID && err == nil && later == nil &&
		int(fixed.Sub(merged)/(24*time.Hour)) == a.AgeDays
	t.Check(faultRecords, agree, "%s: question and answer, or age and dates, do not agree", a.QuestionID)
	texts := map[string]string{"title": q.Title, "description": q.Description, "diff": q.Diff}
	for _, c := range q.Contexts {
		texts["context "+c.Config] = c.Text
	}
	t.Checks++
	for _, where := range slices.Sorted(maps.Keys(texts)) {
		if what := leaked(texts[where], a); what != "" {
			t.Note(faultLeak, "%s: the %s has %q, which only its answer may have", q.QuestionID, where, what)
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
