package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/providers"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/official"
	"github.com/prforge/prforge/internal/reviewer"
)

// The similarities for scoring by the published protocols.
const (
	SimilarityLexical = "lexical" // words in common
	SimilarityOpenAI  = "openai"  // vectors from an embeddings endpoint, kept like all answers
)

// Protocol says how stored answers are scored.
type Protocol struct {
	Name       string // prforge, or one of evaluation.Protocols
	Similarity string // of the published ones: lexical or openai; chosen, never switched
}

// Published is a run scored by a published protocol.
type Published struct {
	Report     evaluation.Report
	Similarity string
	Folder     string // where the files in the published form are
}

// RescorePublished scores a run's stored answers by a published protocol. It writes the scores, the report and a
// folder in the published form. With similarity by vectors it asks the configured endpoint only for vectors that are
// not stored.
func (e *Evaluation) RescorePublished(ctx context.Context, p Protocol) (*Published, error) {
	protocols := evaluation.Protocols()
	i := slices.IndexFunc(protocols, func(x evaluation.Protocol) bool { return x.Name == p.Name })
	if i < 0 {
		return nil, planErrorf("protocol is %q, want prforge, %s or %s", p.Name, protocols[0].Name, protocols[1].Name)
	}
	s, err := e.reopen()
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	if s.benchmark.Name() != (evaluation.Reviews{}).Name() {
		return nil, planErrorf("protocol %s is for reviews; this run is of the benchmark %s", p.Name, s.plan.Benchmark)
	}
	results, _, err := s.offline(ctx)
	if err != nil {
		return nil, err
	}
	similarity, name, err := s.similarity(ctx, p.Similarity, results)
	if err != nil {
		return nil, err
	}
	return s.publish(protocols[i], similarity, name, results)
}

// publish scores the results by a protocol, and writes scores, report and the
// files in the published form.
func (s *session) publish(p evaluation.Protocol, similarity official.Similarity, name string,
	results []evaluation.Result) (*Published, error) {
	scored := slices.Clone(results)
	var lines []scoreLine
	var records []evaluation.Published
	unasked := map[string][]evaluation.RecordKey{}
	for i, r := range scored {
		it := s.items[r.Task]
		record, err := p.Publish(s.plan, it, r, similarity)
		if err != nil {
			return nil, fmt.Errorf("score %s by %s: %w", r.RecordKey, p.Name, err)
		}
		if records = append(records, record); record.Unasked && r.Outcome == evaluation.Scored {
			unasked[r.Model] = append(unasked[r.Model], r.RecordKey)
		}
		score := record.Score()
		// The published protocols also give a failed call a score.
		scored[i].Outcome, scored[i].Code, scored[i].Score = evaluation.Scored, "", &score
		lines = append(lines, newScoreLine(scored[i], it.Groups))
	}
	plan := s.plan
	plan.Protocol = p.Name + "/" + p.Version
	report := evaluation.NewReport(plan, p.Metrics, scored, s.items, nil)
	report.Warnings = append(report.Warnings, "Similarity: "+name+".")
	if n := len(failuresOf(results)); n > 0 {
		report.Warnings = append(report.Warnings,
			fmt.Sprintf("%d records lack an answer and count as zero or half, as this protocol has it.", n))
	}
	if s.plan.Judge.Mode != evaluation.ModeOfficial {
		report.Warnings = append(report.Warnings,
			"The judge was asked our question, not the published one: its labels are put into the published form. For the published question, run with judge.mode official.")
	}
	report.Warnings = append(report.Warnings, unaskedWarnings(report, unasked)...)
	if err := writeLines(s.folder, "scores."+p.Name+".jsonl", lines); err != nil {
		return nil, err
	}
	if err := s.exportOfficial(p.Name, results, records); err != nil {
		return nil, err
	}
	return &Published{Report: report, Similarity: name, Folder: p.Name},
		errors.Join(s.folder.write("report."+p.Name+".json", report), s.writeReport("report."+p.Name, report))
}

// maxNamed is how many records a warning names.
const maxNamed = 5

// unaskedWarnings say, for each model, how many of its records the harness would have asked about again, and the
// range of its mean that follows.
func unaskedWarnings(r evaluation.Report, unasked map[string][]evaluation.RecordKey) []string {
	var out []string
	for _, m := range r.Models {
		keys := unasked[m.Model]
		if len(keys) == 0 {
			continue
		}
		var names []string
		for _, k := range keys[:min(len(keys), maxNamed)] {
			names = append(names, k.Config+"/"+k.Task)
		}
		mean := float64(m.Parts["overall_score"].Mean)
		out = append(out,
			fmt.Sprintf("%s: of %d records the harness would have put its second question about %d, which nobody was asked (%s%s): they count as zero. Whatever the answers, the mean of overall_score is from %.4f to %.4f.",
				m.Model, m.Scored, len(keys), strings.Join(names, ", "), map[bool]string{true: ", ..."}[len(keys) > maxNamed], mean,
				mean+official.MaxOverall*float64(len(keys))/float64(m.Scored)))
	}
	return out
}

// similarity is the chosen one, with its name for reports.
func (s *session) similarity(ctx context.Context, which string, results []evaluation.Result) (official.Similarity,
	string, error) {
	switch which {
	case SimilarityLexical:
		return official.Lexical, "lexical (words in common)", nil
	case SimilarityOpenAI:
	default:
		return nil, "", planErrorf("similarity is %q, want lexical or openai", which)
	}
	c := s.Config.Similarity
	if c.Model == "" {
		return nil, "", planErrorf("similarity openai needs similarity: {endpoint, model} in the configuration")
	}
	call := reviewer.Call{Endpoint: c.Endpoint, Model: c.Model}
	servers, err := s.servers([]reviewer.Call{call})
	if err != nil {
		return nil, "", err
	}
	provider, err := providers.Named(which)
	if err != nil {
		return nil, "", err
	}
	client := provider.Client(servers[c.Endpoint], call, models.Environment{Answers: s.folder.store.Answers()})
	texts, err := s.similarityTexts(results)
	if err != nil {
		return nil, "", err
	}
	vectors, err := client.Encode(ctx, texts)
	if err != nil {
		return nil, "", fmt.Errorf("similarity: %w", err)
	}
	byText := map[string][]float64{}
	for i, v := range vectors {
		wide := make([]float64, len(v))
		for j, x := range v {
			wide[j] = float64(x)
		}
		byText[texts[i]] = wide
	}
	return official.Vectors(byText), "cosine of vectors by " + c.Model, nil
}

// similarityTexts are the texts that need vectors, each once.
func (s *session) similarityTexts(results []evaluation.Result) ([]string, error) {
	seen := map[string]bool{}
	var texts []string
	for _, r := range results {
		p, err := evaluation.Publish(official.Harness(), s.plan, s.items[r.Task], r, official.Lexical)
		if err != nil {
			return nil, err
		}
		for _, t := range official.Texts(p.Task, p.Agent) {
			if !seen[t] && t != "" {
				seen[t] = true
				texts = append(texts, t)
			}
		}
	}
	return texts, nil
}

// exportOfficial writes the run in the form of the published harness, below a folder of the protocol's name, for the
// harness's own tools.
func (s *session) exportOfficial(protocol string, results []evaluation.Result, published []evaluation.Published) error {
	byFolder := map[string][]evaluation.Published{}
	for i, r := range results {
		if r.Repeat > 1 {
			continue // the published form has one review a record
		}
		record := published[i]
		folder := protocol + "/" + official.Folder(r.Model, s.plan.Judge.ID)
		byFolder[folder] = append(byFolder[folder], record)
		stem := official.Stem(record.Task)
		for name, v := range map[string]any{
			"agent_outputs/" + stem + "_agent.json": record.Agent, "judge_outputs/" + stem + "_judge.json": record.Judge,
			"eval_results/" + stem + "_eval.json": record.Result,
		} {
			if err := s.putOfficial(folder+"/"+name, v); err != nil {
				return err
			}
		}
	}
	for folder, records := range byFolder {
		slices.SortFunc(records, func(a, b evaluation.Published) int {
			return strings.Compare(official.Stem(a.Task)+"_eval.json", official.Stem(b.Task)+"_eval.json")
		})
		var rs []official.Result
		for _, r := range records {
			rs = append(rs, r.Result)
		}
		if err := s.putOfficial(folder+"/eval_report.json", official.NewReport(rs)); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) putOfficial(name string, v any) error {
	data, err := official.Encode(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return s.folder.put(name, data)
}
