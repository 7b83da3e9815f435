package evaluate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/prompts"
	"github.com/prforge/prforge/internal/digest"
)

// changes names what changed since the run was planned and scored: a part of the plan, a task or its ground truth, an
// answer.
func (s *session) changes() ([]string, error) {
	var out []string
	data, err := os.ReadFile(filepath.Join(s.folder.dir, runTasks))
	if err != nil {
		return nil, err
	}
	if digest.Bytes(data) != s.plan.TasksSHA256 {
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
		if err != nil || !found || digest.Bytes([]byte(a.Text)) != l.Answers[i] {
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

// open opens a run folder without checking it.
func (e *Evaluation) open() (s *session, err error) {
	folder, err := openRun(e.Run, false)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.close())
		}
	}()
	plan, found, err := folder.plan()
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("%s holds no %s: it has not been run", e.Run, runPlan)
	}
	b, err := named(e.Benchmarks, plan.Benchmark)
	if err != nil {
		return nil, err
	}
	items, err := folder.items()
	if err != nil {
		return nil, err
	}
	if s, err = e.session(folder, b, plan, items, nil); err != nil || same(prompts.Digests(b.Prompts()), plan.Prompts) {
		return s, err
	}
	lines, _, err := folder.readSeal()
	if err == nil && lines == nil {
		err = fmt.Errorf("%s was made with other prompts than this prforge has, and was never scored", e.Run)
	}
	s.recorded = map[usedKey][]string{}
	for _, l := range lines {
		s.recorded[usedKey{l.record(), l.Role}] = l.Keys
	}
	return s, err
}

// reopen opens a run folder that has not changed since it was scored.
func (e *Evaluation) reopen() (*session, error) {
	s, err := e.open()
	if err != nil {
		return nil, err
	}
	if err := s.unchanged(); err != nil {
		return nil, errors.Join(err, s.folder.close())
	}
	return s, nil
}

// unchanged refuses a run folder that changed since it was planned and scored.
func (s *session) unchanged() error {
	changes, err := s.changes()
	if err == nil && len(changes) > 0 {
		err = fmt.Errorf("%s was changed: %s; prforge eval verify names everything (%d)", s.folder.dir, changes[0],
			len(changes))
	}
	return err
}

func (e *Evaluation) session(folder *runFolder, b Benchmark, plan evaluation.Plan, items map[string]evaluation.Item,
	hunks []evaluation.CleanHunk) (*session, error) {
	counter, err := tokens.NewCounter()
	if err != nil {
		return nil, fmt.Errorf("load the tokenizer: %w", err)
	}
	e.tokens = counter.Count
	if b, err = e.controlled(b, folder, plan, hunks); err != nil {
		return nil, err
	}
	s := &session{Evaluation: e, folder: folder, benchmark: b, plan: plan, items: items, records: plan.Records(items)}
	if len(s.records) == 0 {
		return nil, fmt.Errorf("the plan of %s has no record", e.Run)
	}
	return s, nil
}
