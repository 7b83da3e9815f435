package debugging

import (
	"context"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/cheats"
	scoring "github.com/prforge/prforge/evaluation/debugging"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// trails are the decisions about everything that was searched for scripts, about
// every script, then its faults and compositions.
func (b *openBuild) trails(items []*scriptItem) iter.Seq[*pipeline.Trail] {
	return func(yield func(*pipeline.Trail) bool) {
		for _, t := range b.searched {
			if !yield(t) {
				return
			}
		}
		for _, it := range items {
			if !yield(&it.Trail) {
				return
			}
			for _, f := range it.faults {
				if !yield(&f.Trail) {
					return
				}
			}
			for _, c := range it.composed {
				if !yield(&c.Trail) {
					return
				}
			}
		}
	}
}

// tasks are the samples: those of one script together, single ones first.
func (b *openBuild) tasks(items []*scriptItem) []debugging.Task {
	var out []debugging.Task
	for _, it := range items {
		for _, f := range it.faults {
			if f.name != "" {
				out = append(out, b.task(it, f.name, f.code, f.kept, []*fault{f}, nil))
			}
		}
		for _, c := range it.composed {
			if c.name != "" {
				out = append(out, b.task(it, c.name, c.code, c.run, c.members, c.steps))
			}
		}
	}
	return out
}

// underCeilings holds the samples to the configured ceilings. The error is a
// *cheats.TooEasyError where a reviewer that reads no meaning gets too many causes: of
// all samples, or where it compares samples of one script, of one of each.
func (b *openBuild) underCeilings(ctx context.Context, tasks []debugging.Task) error {
	split := debugging.OnePerScript(tasks)
	var all, one []evaluation.Item
	for _, t := range tasks {
		it, err := newItem(&t.Sample, &t.Prompt)
		if err != nil {
			return err
		}
		all = append(all, it)
		if slices.Contains(split.TaskIDs, it.ID) {
			one = append(one, it)
		}
	}
	for _, c := range scoring.Cheats().List {
		set, items := cheats.Set{Metric: scoring.Cheats().Metric, List: []cheats.Cheat{c}}, all
		if c.Name == scoring.CheatSiblings || c.Name == scoring.CheatPair {
			items = one
		}
		results, err := set.Measure(ctx, scoring.Benchmark{}, items, []string{configNumbered})
		if err == nil {
			err = b.Config.Ceilings.Check(set.Metric, results)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// task is everything that the dataset holds of one sample.
func (b *openBuild) task(it *scriptItem, name string, code []byte, run *model.ScriptRun, members []*fault,
	steps []peelStep) debugging.Task {
	id := it.source.ID + "__" + name
	s := debugging.Sample{Question: debugging.Question{
		SampleID: id, Track: debugging.Track, ScriptID: it.source.ID, Task: text.Valid(it.task()), Code: string(code),
		CodeSHA256: digest.Bytes(code),
		DataFiles:  dataFiles(it.source), Runtime: b.runtime, Repo: it.source.Repo, Commit: it.source.Commit,
		Path:    it.source.Path,
		License: it.source.License, PRNumber: it.source.PRNumber, Canary: b.manifest(0).Canary(),
	}, Answer: debugging.Answer{Of: id, Kind: debugging.Single, ErrorCount: len(members)}}
	if len(members) > 1 {
		s.Kind = debugging.Multi
	}
	e := debugging.Evidence{SampleID: id, OriginalCode: string(it.source.Code), Run: *run, Seeds: b.Config.Seeds,
		Peel: []debugging.PeelStep{}}
	for i, f := range members {
		s.Errors = append(s.Errors, describeError(it, f, i+1, code))
		e.Changes = append(e.Changes, debugging.Change{ErrorID: it.source.ID + "__" + f.name, Edits: f.candidate.Edits})
	}
	for _, step := range steps {
		e.Peel = append(e.Peel, debugging.PeelStep{Shows: it.source.ID + "__" + step.shows.name, ErrorType: step.kind,
			EffectLine: step.effect, CodeSHA256: digest.Bytes(step.code)})
	}
	return debugging.Task{Sample: s, Evidence: e, Prompt: b.prompt(s)}
}

// describeError is a fault as a sample has it.
func describeError(it *scriptItem, f *fault, order int, code []byte) debugging.Error {
	l := f.label
	e := debugging.Error{
		ErrorID: it.source.ID + "__" + f.name, Order: order, Operator: f.candidate.Operator, Injector: f.injector,
		CauseLine: l.Cause.First, CauseEndLine: l.Cause.Last, CauseText: scripts.Line(code, l.Cause.First),
		EffectLine: l.Effect.First, EffectEndLine: l.Effect.Last, EffectText: scripts.Line(code, l.Effect.First),
		EffectFunction: l.Function, EffectDepth: l.Depth, OuterLine: l.Outer,
		ErrorType: l.Type, ErrorModule: l.Module, ErrorMessage: l.Message,
		MessageNormalized: scripts.NormalizeMessage(l.Message),
		HopLines:          l.HopLines, HopExecuted: l.HopExecuted, Library: l.Library,
		EquivalentCauses: []debugging.Equivalent{},
	}
	for _, s := range l.Equivalent {
		e.EquivalentCauses = append(e.EquivalentCauses,
			debugging.Equivalent{Line: s.First, EndLine: s.Last, Text: scripts.Line(code, s.First)})
	}
	return e
}

// dataFiles are the files beside a script.
func dataFiles(s model.ScriptSource) []debugging.DataFile {
	out := []debugging.DataFile{}
	for _, f := range s.Inputs {
		out = append(out, debugging.DataFile{Path: f.Path, SHA256: digest.Bytes(f.Content), Columns: columns(f)})
	}
	return out
}

// maxColumns is how many columns of a table are named.
const maxColumns = 50

// columns are the names in the first line of a table.
func columns(f model.ScriptFile) []string {
	separator := map[string]string{".csv": ",", ".tsv": "\t"}[f.Path[max(0, strings.LastIndexByte(f.Path, '.')):]]
	if separator == "" {
		return []string{}
	}
	first, _, _ := strings.Cut(text.Valid(string(f.Content)), "\n")
	out := strings.Split(strings.TrimRight(first, "\r"), separator)
	return out[:min(len(out), maxColumns)]
}

// prompt renders what a model is asked.
func (b *openBuild) prompt(s debugging.Sample) debugging.Prompt {
	in := scripts.PromptInput{Task: s.Task, Code: s.Code, Runtime: runtimeLine(s.Runtime), Canary: s.Canary}
	for _, f := range s.DataFiles {
		line := f.Path
		if len(f.Columns) > 0 {
			line += ": " + strings.Join(f.Columns, ", ")
		}
		in.Data = append(in.Data, line)
	}
	if b.Config.Prompts.ErrorCount {
		in.Errors = s.ErrorCount
	}
	return renderPrompt(s.SampleID, in, b.tokens)
}

func renderPrompt(id string, in scripts.PromptInput, counter *tokens.Counter) debugging.Prompt {
	p := debugging.Prompt{SampleID: id, Plain: scripts.Prompt(in, false), Numbered: scripts.Prompt(in, true)}
	p.PlainTokens, p.NumberedTokens = counter.Count(p.Plain), counter.Count(p.Numbered)
	return p
}

// runtimeLine names the interpreter and its libraries.
func runtimeLine(r model.Runtime) string {
	out := "Python " + r.Python
	for _, name := range slices.Sorted(maps.Keys(r.Libraries)) {
		out += ", " + name + " " + r.Libraries[name]
	}
	return out
}

// manifest is that of so many samples.
func (b *openBuild) manifest(records int) artifacts.Manifest {
	d := b.Config.Dataset
	return artifacts.Manifest{
		Benchmark: artifacts.Debugging, Name: d.Name, PipelineVersion: d.PipelineVersion, FreezeDate: d.FreezeDate.String(),
		ConfigSHA256: b.digest, Tokenizer: tokens.Name, Records: records, Runtime: &b.runtime,
	}
}

// freeze writes the dataset.
func (b *openBuild) freeze(ctx context.Context, items []*scriptItem, tasks []debugging.Task,
	funnel verdict.Funnel) error {
	c := b.Config
	contents := debugging.Contents{
		Tasks: tasks, Data: dataOf(items, tasks), Config: b.frozen,
		Card: debugging.CardFacts{Title: c.Dataset.Name, Runtime: b.runtime, Funnel: funnel, Canary: b.manifest(0).Canary()},
	}
	b.Progress.Phase("writing and checking", 0)
	return freeze.Freeze(ctx, b.Out, freeze.Dataset{
		Manifest:   b.manifest(len(tasks)),
		Files:      contents.Files(),
		Decisions:  run.AuditLines(b.trails(items)),
		Tombstones: b.takedowns.Tombstones(),
		Funnel:     funnel,
		Raw: freeze.Seq(freeze.File{Path: debugging.FileRuns,
			Open: run.Written(func(w io.Writer) error { return b.answers.Export(ctx, w, b.exported(items)) })}),
	})
}

// exported says which records the build rested on.
func (b *openBuild) exported(items []*scriptItem) func(store.Kind, string) bool {
	scripts := map[string]bool{scriptListKey: true, scriptPullsKey: true}
	for _, it := range items {
		scripts[scriptKeyPrefix+it.source.ID] = true
	}
	return func(kind store.Kind, key string) bool {
		return kind == store.Run && scripts[key] || b.kept.Used(kind, key) || kind == store.Answer && b.model != nil
	}
}

// dataOf are the data files of the scripts that have a sample.
func dataOf(items []*scriptItem, tasks []debugging.Task) []freeze.File {
	released := map[string]bool{}
	for _, t := range tasks {
		released[t.Sample.ScriptID] = true
	}
	var out []freeze.File
	for _, it := range items {
		for _, f := range it.source.Inputs {
			if released[it.source.ID] {
				out = append(out, freeze.FileOf(debugging.FileData(it.source.ID, f.Path), f.Content))
			}
		}
	}
	return out
}
