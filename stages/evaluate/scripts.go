package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/bugs"
	"github.com/prforge/prforge/evaluation/debugging"
	"github.com/prforge/prforge/evaluation/dsdbench"
)

// ScriptTables are the published tables of one model in one configuration, over
// all repeats.
type ScriptTables struct {
	Model  string `json:"model"`
	Config string `json:"config"`
	debugging.Tables
}

// RescoreScripts scores the stored answers of a run on a debugging dataset by the protocol of DSDBench and writes the
// tables to the run's folder. With officialIDs only the records count that the published scripts keep. It asks no
// model.
func (e *Evaluation) RescoreScripts(ctx context.Context, officialIDs bool) (tables []ScriptTables, err error) {
	s, err := e.reopen()
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	if s.benchmark.Name() != (debugging.Benchmark{}).Name() {
		return nil, planErrorf("protocol %s is for scripts with injected errors; this run is of the benchmark %s", dsdbench.Name, s.benchmark.Name())
	}
	results, _, err := s.offline(ctx)
	if err != nil {
		return nil, err
	}
	type key struct{ model, config string }
	answers := map[key][]debugging.Answered{}
	var order []key
	for _, r := range results {
		a, err := answered(s.items[r.Task], r)
		if err != nil {
			return nil, err
		}
		k := key{r.Model, r.Config}
		if answers[k] == nil {
			order = append(order, k)
		}
		answers[k] = append(answers[k], a)
	}
	for _, k := range order {
		t, err := debugging.Published(answers[k], officialIDs)
		if err != nil {
			return nil, fmt.Errorf("score %s by %s: %w", k.model, dsdbench.Name, err)
		}
		tables = append(tables, ScriptTables{Model: k.model, Config: k.config, Tables: t})
	}
	return tables, s.folder.write("tables."+dsdbench.Name+".json", map[string]any{"protocol": dsdbench.Name + "/" + dsdbench.Version, "tables": tables})
}

// answered is a result as input of the published protocol.
func answered(it evaluation.Item, r evaluation.Result) (debugging.Answered, error) {
	sample, err := debugging.SampleOf(it)
	if err != nil {
		return debugging.Answered{}, err
	}
	a := debugging.Answered{Sample: sample}
	if r.Reading != nil && len(r.Reading.Answer) > 0 {
		if err := json.Unmarshal(r.Reading.Answer, &a.Named); err != nil {
			return a, fmt.Errorf("answer to %s: %w", it.ID, err)
		}
	}
	return a, nil
}

// RescorePaper scores the stored answers of a run on files with one fault by the protocol of "Pull Requests with
// Bugs". It writes the table, and the questions and answers in the published form, to the run's folder. It asks no
// model.
func (e *Evaluation) RescorePaper(ctx context.Context) ([]bugs.PaperCount, error) {
	s, err := e.reopen()
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	if s.benchmark.Name() != (bugs.Benchmark{}).Name() {
		return nil, planErrorf("protocol %s is for files with one fault; this run is of the benchmark %s", bugs.Paper, s.benchmark.Name())
	}
	results, _, err := s.offline(ctx)
	if err != nil {
		return nil, err
	}
	counts, answers, err := bugs.PaperScore(s.items, results, s.plan.Statistics().Confidence)
	if err != nil {
		return nil, err
	}
	return counts, errors.Join(writeLines(s.folder, "answers."+bugs.Paper+".jsonl", answers),
		s.folder.write("tables."+bugs.Paper+".json", map[string]any{"protocol": bugs.Paper, "tables": counts}))
}
