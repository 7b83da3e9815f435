package artifacts

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"slices"
	"text/template"

	"github.com/prforge/prforge/internal/model"
)

// The files of a bugs dataset (spec section 14), beside audit/, raw/, README.md
// and manifest.json.
const (
	DirBugs          = "bugs/"
	DirBugEvidence   = "bugs/evidence/"
	FileBugQuestions = "bugs/questions.jsonl"
	FileBugAnswers   = "bugs/answers.jsonl"
	FileBugOptions   = "bugs/options.json" // what was drawn from, and how much
	FileBugSplit     = "evals/levels.json" // a model.Split of questions by level, with their controls
)

// FileBugEvidence is where a question's evidence lies.
func FileBugEvidence(questionID string) string { return DirBugEvidence + questionID + ".json" }

var questionIDPattern = regexp.MustCompile(`^q[0-9a-f]{20}$`)

// CheckQuestionID refuses what could not be a question id, so that one is always
// safe as part of a file name.
func CheckQuestionID(id string) error {
	if !questionIDPattern.MatchString(id) {
		return fmt.Errorf("%q is not a question id", id)
	}
	return nil
}

// BugSet is what a bugs dataset consists of. The three lists go together: one
// question, one answer and one evidence each, by question id.
type BugSet struct {
	Manifest  Manifest
	Card      Card
	Mode      string
	Options   any // of FileBugOptions
	Questions []model.BugQuestion
	Answers   []model.BugAnswer
	Evidence  []model.BugEvidence
	Short     []model.BugShortage
	Split     model.Split
}

//go:embed bugs.md.tmpl
var bugCard string

// Files are the set's files, the card among them.
func (s BugSet) Files() ([]File, error) {
	questions, err := canonicalLines(s.Questions)
	if err != nil {
		return nil, err
	}
	answers, err := canonicalLines(s.Answers)
	if err != nil {
		return nil, err
	}
	options, err := Canonical(s.Options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", FileBugOptions, err)
	}
	split, err := Canonical(s.Split)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", FileBugSplit, err)
	}
	out := []File{memoryFile(FileBugQuestions, questions), memoryFile(FileBugAnswers, answers), memoryFile(FileBugOptions, options), memoryFile(FileBugSplit, split)}
	for i, e := range s.Evidence {
		if s.Questions[i].QuestionID != e.QuestionID || s.Answers[i].QuestionID != e.QuestionID {
			return nil, fmt.Errorf("question %d, its answer and its evidence differ in their ids", i+1)
		}
		if err := CheckQuestionID(e.QuestionID); err != nil {
			return nil, err
		}
		b, err := Canonical(e)
		if err != nil {
			return nil, fmt.Errorf("evidence of %s: %w", e.QuestionID, err)
		}
		out = append(out, memoryFile(FileBugEvidence(e.QuestionID), b))
	}
	card, err := s.card()
	if err != nil {
		return nil, err
	}
	return append(out, memoryFile(FileCard, card)), nil
}

func canonicalLines[T any](values []T) ([]byte, error) {
	var b bytes.Buffer
	for i := range values {
		line, err := CanonicalLine(values[i])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		b.Write(line)
	}
	return b.Bytes(), nil
}

func memoryFile(path string, data []byte) File {
	return File{Path: path, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// card writes README.md.
func (s BugSet) card() ([]byte, error) {
	t, err := template.New(FileCard).Parse(bugCard)
	if err != nil {
		return nil, fmt.Errorf("read the card's template: %w", err)
	}
	repos := map[string]bool{}
	controls := 0
	licenses := map[string]bool{}
	for _, a := range s.Answers {
		repos[a.Repo] = true
		if a.Fault == nil {
			controls++
		}
		if a.License != nil {
			licenses[*a.License] = true
		}
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Title": s.Card.Title, "Manifest": s.Manifest, "Mode": s.Mode, "Questions": len(s.Questions) - controls, "Controls": controls,
		"Repositories": sortedKeys(repos), "Licenses": sortedKeys(licenses), "Short": s.Short, "Split": s.Split,
		"Kinds":  s.counts(func(a model.BugAnswer) string { return a.Kind }),
		"Levels": s.counts(func(a model.BugAnswer) string { return model.LevelName(a.Level) }),
		"Canary": "prforge-bugs-canary " + s.Manifest.ConfigSHA256,
	})
	return b.Bytes(), err
}

// counts counts questions with a fault by some property.
func (s BugSet) counts(of func(model.BugAnswer) string) []BugCount {
	by := map[string]*BugCount{}
	names := map[string]bool{}
	for _, a := range s.Answers {
		if a.Fault == nil {
			continue
		}
		name := of(a)
		if by[name] == nil {
			by[name], names[name] = &BugCount{Name: name}, true
		}
		by[name].Questions++
		by[name].Chance += a.Chance
	}
	var out []BugCount
	for _, name := range sortedKeys(names) {
		c := *by[name]
		c.Chance /= float64(c.Questions)
		out = append(out, c)
	}
	return out
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
