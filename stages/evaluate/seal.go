package evaluate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/evaluation"
)

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

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func sealedTask(it evaluation.Item) (sealed, error) {
	prompts, err := json.Marshal(it.Prompts)
	return sealed{Task: it.ID, Prompts: sha(prompts), Key: sha(it.Key)}, err
}

// seal lists the tasks of the plan, and the answers that a scoring used.
func (s *session) seal(a *askers, findings []evaluation.Finding) ([]byte, error) {
	var out bytes.Buffer
	add := func(l sealed) error {
		line, err := artifacts.CanonicalLine(l)
		out.Write(line)
		return err
	}
	for _, id := range s.plan.Tasks {
		l, err := sealedTask(s.items[id])
		if err != nil {
			return nil, err
		}
		if err := add(l); err != nil {
			return nil, err
		}
	}
	var at []usedKey
	for _, k := range s.records {
		at = append(at, usedKey{k, "reviewer"}, usedKey{k, "judge"})
	}
	for _, f := range findings {
		at = append(at, usedKey{s.poolKey(f), poolRole})
	}
	for _, k := range at {
		used := a.used[k]
		if len(used) == 0 {
			continue
		}
		l := sealed{Task: k.Task, Model: k.Model, Config: k.Config, Repeat: k.Repeat, Role: k.role}
		for _, u := range used {
			l.Keys, l.Answers = append(l.Keys, u.Key), append(l.Answers, sha([]byte(u.Text)))
		}
		if err := add(l); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
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
	if fresh, err := os.ReadFile(path + ".new"); err == nil && sha(fresh) == report.Seal {
		if err := os.Rename(path+".new", path); err != nil {
			return nil, nil, err
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || sha(data) != report.Seal {
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

// changes names what changed since the run was planned and scored: a part of the plan, a task or its ground truth, an
// answer.
func (s *session) changes() ([]string, error) {
	var out []string
	data, err := os.ReadFile(filepath.Join(s.folder.dir, runTasks))
	if err != nil {
		return nil, err
	}
	if sha(data) != s.plan.TasksSHA256 {
		out = append(out, runTasks+" is not the one that "+runPlan+" names")
	}
	lines, report, err := s.folder.readSeal()
	if err != nil {
		return append(out, err.Error()), nil
	}
	if report == nil {
		return out, nil
	}
	if part := fixed(report.Plan, s.plan); part != "" {
		out = append(out, fmt.Sprintf("%s has another %s than the scores were made with", runPlan, part))
	}
	for _, l := range lines {
		changed, err := s.changed(l)
		if err != nil {
			return nil, err
		}
		out = append(out, changed...)
	}
	return out, nil
}

func (s *session) changed(l sealed) ([]string, error) {
	if l.Role == "" {
		now, err := sealedTask(s.items[l.Task])
		switch {
		case err != nil:
			return nil, err
		case now.Key != l.Key:
			return []string{fmt.Sprintf("task %s: its ground truth was changed", l.Task)}, nil
		case now.Prompts != l.Prompts:
			return []string{fmt.Sprintf("task %s: what reviewers are shown was changed", l.Task)}, nil
		}
		return nil, nil
	}
	var out []string
	for i, key := range l.Keys {
		if key == "" {
			continue // a built-in reviewer's
		}
		a, found, err := models.Known(s.folder.store.Answers(), key)
		if err != nil || !found || sha([]byte(a.Text)) != l.Answers[i] {
			out = append(out, fmt.Sprintf("%s: answer %d of the %s was changed or is gone", l.record(), i+1, l.Role))
		}
	}
	return out, nil
}

// Verify names everything in a run folder that changed since the run was planned and scored, and the files that do
// not follow from its answers. It asks no model and writes nothing.
func (e *Evaluation) Verify(ctx context.Context) ([]string, error) {
	s, err := e.open()
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	out, err := s.changes()
	if err != nil || len(out) > 0 {
		return out, err
	}
	c, err := s.scored(ctx)
	if err != nil {
		return nil, err
	}
	_, files, err := s.files(c)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(s.folder.dir, filepath.FromSlash(f.name)))
		if err != nil || !bytes.Equal(data, f.data) {
			out = append(out, f.name+" is not what the plan and the answers give")
		}
	}
	return out, nil
}
