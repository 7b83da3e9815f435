package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/store"
)

// The files of a run folder. All others except the plan, the tasks and the state are made from these three.
const (
	runPlan    = "run.json"
	runTasks   = "tasks.jsonl"
	runState   = "state.db"
	runScores  = "scores.jsonl"
	runReport  = "report.json"
	runUsage   = "usage.json"
	runReviews = "reviews"
	runJudged  = "verdicts"
)

// runFolder is an open run folder. The state's lock keeps a second process out.
type runFolder struct {
	dir   string
	store *store.Store
}

// openRun opens a run folder, and creates it if create is true.
func openRun(dir string, create bool) (*runFolder, error) {
	if _, err := os.Stat(filepath.Join(dir, runState)); err != nil && !create {
		return nil, fmt.Errorf("%s is not a run folder: %w", dir, err)
	}
	o := store.DefaultOptions()
	o.Answers = runState
	s, err := store.Open(dir, o)
	switch {
	case errors.Is(err, store.ErrLocked), errors.Is(err, store.ErrNewer):
		return nil, fmt.Errorf("open the run folder: %w", err)
	case err != nil:
		return nil, damaged(dir, err)
	}
	return &runFolder{dir: dir, store: s}, nil
}

func (f *runFolder) close() error { return f.store.Close() }

// plan reads run.json; found is false where there is none yet.
func (f *runFolder) plan() (p evaluation.Plan, found bool, err error) {
	read, err := load.ReadJSON[evaluation.Plan](f.dir, runPlan)
	if errors.Is(err, fs.ErrNotExist) {
		return p, false, nil
	}
	if err != nil {
		return p, true, err
	}
	if read.Version != evaluation.PlanVersion {
		return p, true, fmt.Errorf("%s has version %d; this prforge reads version %d", runPlan, read.Version,
			evaluation.PlanVersion)
	}
	return *read, true, nil
}

// items reads tasks.jsonl by task.
func (f *runFolder) items() (map[string]evaluation.Item, error) {
	items := map[string]evaluation.Item{}
	for it, err := range load.ReadLines[evaluation.Item](f.dir, runTasks) {
		if err != nil {
			return nil, err
		}
		items[it.ID] = *it
	}
	return items, nil
}

// runPrompts is the folder of the prompt texts, so that a reader does not need the prforge version of the run.
const runPrompts = "prompts"

// writePlan writes the tasks and the prompts, then the plan that names them.
func (f *runFolder) writePlan(p evaluation.Plan, items []evaluation.Item, prompts map[string]string) error {
	if err := writeLines(f, runTasks, items); err != nil {
		return err
	}
	for name, text := range prompts {
		if err := f.put(runPrompts+"/"+name, []byte(text)); err != nil {
			return err
		}
	}
	return f.write(runPlan, p)
}

// tasksDigest is the SHA-256 of tasks.jsonl.
func tasksDigest(items []evaluation.Item) (string, error) {
	data, err := artifacts.CanonicalLines(items)
	return digest.Bytes(data), err
}

// write writes a value in its canonical form, whole or not at all.
func (f *runFolder) write(name string, v any) error {
	data, err := artifacts.Canonical(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return f.put(name, data)
}

// writeLines writes values as lines.
func writeLines[T any](f *runFolder, name string, values []T) error {
	data, err := artifacts.CanonicalLines(values)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return f.put(name, data)
}

// put writes a file through a temporary one beside it. It leaves a file with the same bytes alone.
func (f *runFolder) put(name string, data []byte) error {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.WriteFile(path+".tmp", data, 0o644); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// recordFile is the path of a record's file below a folder of the run. Callers check that model ids and task ids are
// safe as file names.
func recordFile(folder string, k evaluation.RecordKey) string {
	name := k.Task
	if k.Repeat > 1 {
		name += "." + strconv.Itoa(k.Repeat)
	}
	return folder + "/" + k.Model + "/" + k.Config + "/" + name + ".json"
}

// scoreLine is one line of scores.jsonl.
type scoreLine struct {
	evaluation.RecordKey
	Groups  map[string]string  `json:"groups"`
	Outcome string             `json:"outcome"`
	Code    string             `json:"code"`
	Review  string             `json:"review"` // review, nothing, unusable; "" where the call failed
	Counts  map[string]int     `json:"counts"`
	Rates   map[string]rateOut `json:"rates"`
	Parts   map[string]float64 `json:"parts"`
	Weight  *float64           `json:"weight"`
}

// rateOut is a rate with its value; null if the denominator is zero.
type rateOut struct {
	evaluation.Rate
	Value *float64 `json:"value"`
}

func newScoreLine(r evaluation.Result, groups map[string]string) scoreLine {
	l := scoreLine{RecordKey: r.RecordKey, Groups: groups, Outcome: r.Outcome, Code: r.Code}
	if r.Reading != nil {
		l.Review = r.Reading.Outcome
	}
	if s := r.Score; s != nil {
		l.Counts, l.Parts, l.Weight, l.Rates = s.Counts, s.Parts, &s.Weight, map[string]rateOut{}
		for name, rate := range s.Rates {
			out := rateOut{Rate: rate}
			if v, ok := rate.Value(); ok {
				out.Value = &v
			}
			l.Rates[name] = out
		}
	}
	return l
}

// reviewFile and judgedFile are the files that people read in a run folder.
type reviewFile struct {
	evaluation.RecordKey
	Answers []string            `json:"answers"` // SHA-256 of each, the last one read
	Reading *evaluation.Reading `json:"reading"`
}

type judgedFile struct {
	evaluation.RecordKey
	*evaluation.Judgement
}

// same reports whether two plans are equal.
func same(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

// runSeal lists the digest of every task and of every answer that the scores are
// made from. Its own digest is in report.json, and that of the tasks in run.json.
const runSeal = "digests.jsonl"

// sealed is one line of it: a task, or the answers about a record in the order in
// which they were asked for.
type sealed struct {
	Task string `json:"task_id"`
	// For a task: the SHA-256 of what reviewers see, and of the ground truth with all else that only scoring sees.
	Prompts string `json:"prompts_sha256,omitempty"`
	Key     string `json:"key_sha256,omitempty"`
	// For a record: the keys of its answers, and their SHA-256.
	Model   string   `json:"model,omitempty"`
	Config  string   `json:"config,omitempty"`
	Repeat  int      `json:"repeat,omitempty"`
	Role    string   `json:"role,omitempty"` // reviewer, judge, pool
	Keys    []string `json:"keys,omitempty"`
	Answers []string `json:"answers_sha256,omitempty"`
}

func (l sealed) record() evaluation.RecordKey {
	return evaluation.RecordKey{Model: l.Model, Config: l.Config, Task: l.Task, Repeat: l.Repeat}
}

// readSeal reads the digests that report.json is sealed by. A run without scores has none.
func (f *runFolder) readSeal() (lines []sealed, report *evaluation.Report, err error) {
	report, err = load.ReadJSON[evaluation.Report](f.dir, runReport)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(f.dir, runSeal)
	// A run that was killed between the two files left the new one.
	if fresh, err := os.ReadFile(path + ".new"); err == nil && digest.Bytes(fresh) == report.Seal {
		if err := os.Rename(path+".new", path); err != nil {
			return nil, nil, err
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || digest.Bytes(data) != report.Seal {
		return nil, report, errors.New(runSeal + " is missing or was changed")
	}
	for line := range bytes.Lines(data) {
		var l sealed
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, report, fmt.Errorf("read %s: %w", runSeal, err)
		}
		lines = append(lines, l)
	}
	return lines, report, nil
}

// damaged explains a state that cannot be read, so that nobody removes answers that cost money.
func damaged(dir string, err error) error {
	return fmt.Errorf("the paid answers in %s cannot be read (%s): restore the file from a copy, and do not remove it",
		filepath.Join(dir, runState),
		strings.ReplaceAll(err.Error(), store.ErrDamaged.Error(), "damaged"))
}
