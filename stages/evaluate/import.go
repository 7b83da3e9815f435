package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/imported"
	"github.com/prforge/prforge/evaluation/official"
	"github.com/prforge/prforge/evaluation/sarif"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/text"
)

// importedReview is one review of a product, as imported.
type importedReview struct {
	Task   string `json:"task_id"`
	Config string `json:"config"` // "" for every configuration
	Repeat int    `json:"repeat"` // 0 for the first
	// Comments is an array in the form that models answer in; Answer is a raw
	// answer instead.
	Comments json.RawMessage `json:"comments"`
	Answer   *string         `json:"answer"`
}

// ImportReviews stores reviews of a model in a run folder, for the plan's model of that id with the provider
// imported. The source is a file with a JSON array or lines of {task_id, comments[]}, a SARIF log TASK.sarif or a
// folder of them, or a folder in the form of the published harness, whose raw answers it takes. It never replaces a
// stored review.
func (e *Evaluation) ImportReviews(model, source string) (kept int, err error) {
	reviews, err := readReviews(source)
	if err != nil {
		return 0, err
	}
	if len(reviews) == 0 {
		return 0, planErrorf("%s holds no review", source)
	}
	return e.keepReviews(model, source, reviews)
}

// keepReviews stores reviews of tasks of the run. The source is for messages.
func (e *Evaluation) keepReviews(model, source string, reviews []importedReview) (kept int, err error) {
	folder, err := openRun(e.Run, true)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, folder.close()) }()
	plan, found, err := folder.plan()
	if err != nil {
		return 0, err
	}
	answers := folder.store.Answers()
	err = answers.Batch(func(b *store.Batch) error {
		for _, r := range reviews {
			if found && !slices.Contains(plan.Tasks, r.Task) {
				continue
			}
			kept++
			if err := keepReview(answers, b, model, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && kept == 0 {
		err = planErrorf("none of the %d reviews in %s is of a task of this run", len(reviews), source)
	}
	return kept, err
}

func keepReview(answers *store.Shard, b *store.Batch, model string, r importedReview) error {
	if err := artifacts.CheckTaskID(r.Task); err != nil {
		return &planError{err}
	}
	answer := string(r.Comments)
	if r.Answer != nil {
		answer = *r.Answer
	}
	t := models.Task{ID: r.Task, Config: official.Short(strings.TrimSpace(r.Config)), Repeat: max(1, r.Repeat)}
	err := imported.Keep(answers, b, model, t, text.Valid(answer))
	if errors.Is(err, imported.ErrOther) {
		return planErrorf("another review of %s by %s is kept already; give the model another id", r.Task, model)
	}
	return err
}

// readReviews reads a file of reviews, or a folder of the published harness.
func readReviews(source string) ([]importedReview, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, &planError{err}
	}
	switch {
	case strings.HasSuffix(source, sarifEnd):
		review, err := readSARIF(source)
		return []importedReview{review}, err
	case !info.IsDir():
	case isHarness(source):
		return readHarness(source)
	default:
		return readLogs(source)
	}
	data, err := load.ReadBytes(filepath.Dir(source), filepath.Base(source))
	if err != nil {
		return nil, fmt.Errorf("read the reviews: %w", err)
	}
	var reviews []importedReview
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		err = json.Unmarshal(data, &reviews)
	} else {
		for line := range bytes.Lines(data) {
			var r importedReview
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if err = json.Unmarshal(line, &r); err != nil {
				break
			}
			reviews = append(reviews, r)
		}
	}
	if err != nil {
		return nil, planErrorf("%s: want a JSON array or lines of {task_id, comments}: %w", source, err)
	}
	for _, r := range reviews {
		if (len(r.Comments) == 0) == (r.Answer == nil) {
			return nil, planErrorf("%s: the review of %s needs either comments or answer", source,
				text.Clip(text.OneLine(r.Task), 100))
		}
	}
	return reviews, nil
}

// sarifEnd is the suffix of a SARIF log's name; the task comes before it.
const sarifEnd = ".sarif"

func readSARIF(file string) (importedReview, error) {
	data, err := load.ReadBytes(filepath.Dir(file), filepath.Base(file))
	if err != nil {
		return importedReview{}, fmt.Errorf("read the reviews: %w", err)
	}
	comments, err := sarif.Read(data)
	if err != nil {
		return importedReview{}, planErrorf("%s: %w", file, err)
	}
	text, err := json.Marshal(comments)
	return importedReview{Task: strings.TrimSuffix(filepath.Base(file), sarifEnd), Comments: text}, err
}

// readLogs reads a folder of SARIF logs, one a task.
func readLogs(dir string) ([]importedReview, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+sarifEnd))
	if err != nil || len(files) == 0 {
		return nil, planErrorf("%s is neither a run folder of the published harness nor has it files TASK%s", dir, sarifEnd)
	}
	var reviews []importedReview
	for _, file := range files {
		review, err := readSARIF(file)
		if err != nil {
			return nil, err
		}
		reviews = append(reviews, review)
	}
	return reviews, nil
}

func isHarness(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, harnessOutputs))
	return err == nil && info.IsDir()
}

// harnessOutputs is the folder in which the published harness stores agents' answers.
const harnessOutputs = "agent_outputs"

func readHarness(dir string) ([]importedReview, error) {
	files, err := os.ReadDir(filepath.Join(dir, harnessOutputs))
	if err != nil {
		return nil, planErrorf("%s is not a run folder of the published harness: %w", dir, err)
	}
	var reviews []importedReview
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), "_agent.json") {
			continue
		}
		out, err := load.ReadJSON[struct {
			Task   string `json:"task_id"`
			Config string `json:"config_name"`
			Raw    string `json:"raw_response"`
		}](dir, harnessOutputs+"/"+f.Name())
		if err != nil {
			return nil, planErrorf("%w", err)
		}
		if out.Raw == "" {
			continue // the call failed there: it is no answer
		}
		reviews = append(reviews, importedReview{Task: out.Task, Config: out.Config, Answer: &out.Raw})
	}
	return reviews, nil
}
