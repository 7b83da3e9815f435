package bugs

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	modulesOf "github.com/prforge/prforge/internal/languages/python"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/run"
)

// bugTools is shared by the stages of the bugs benchmark.
type toolbox struct {
	s       *run.Session
	options bugs.Options
	tokens  func(string) int
	python  *python.Sandbox // nil where nothing is run, and of raw records, which have all runs
}

func newToolbox(ctx context.Context, s *run.Session) (*toolbox, error) {
	counter, err := tokens.NewCounter()
	if err != nil {
		return nil, fmt.Errorf("load the tokenizer: %w", err)
	}
	t := &toolbox{s: s, options: optionsOf(s), tokens: counter.Count}
	if s.From == "" && slices.Contains(t.options.Families, injection.Logic) {
		if t.python, err = python.New(ctx, python.DefaultOptions()); err != nil {
			return nil, fmt.Errorf("bugs.quotas.logic asks for a Python that calls functions; set it to 0 to do without: %w",
				err)
		}
	}
	return t, nil
}

// pullFaults is the facts of the bugs benchmark about a pull request.
type pullFaults struct {
	files    []*bugs.File // fit, in the order of drawing
	unfit    map[string]string
	drafts   []bugs.Draft // of one file
	controls []bugs.Draft
}

// faultsOf is what was learned of a pull request; nil before filesStage.
func faultsOf(it *run.Item) *pullFaults {
	f, _ := it.Own.(*pullFaults)
	return f
}

// filesStage looks for changed files that a fault can be put into.
type filesStage struct{ t *toolbox }

func (filesStage) Name() string { return verdict.StageFiles }

func (st filesStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	sources, err := it.Repo.Sources(it.Ref.Number)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if sources == nil || it.Candidate.Parsed == nil {
		return verdict.Undetermined(verdict.BaseMissing, "there are no sources to put a fault into"), nil
	}
	faults := &pullFaults{unfit: map[string]string{}}
	it.Own = faults
	var evidence []verdict.Evidence
	for _, f := range it.Candidate.Parsed.Files {
		file, code := st.t.file(it, sources, f)
		if code != "" {
			faults.unfit[f.Path()] = string(code)
			evidence = append(evidence, verdict.Evidence{What: f.Path(), Found: string(code)})
			continue
		}
		faults.files = append(faults.files, file)
	}
	if len(faults.files) == 0 {
		return verdict.Reject(verdict.NoFittingFile, "no changed file is fit", evidence...), nil
	}
	bugs.Sort(faults.files, st.t.options)
	return verdict.Pass(evidence...), nil
}

// file reads one changed file; code is why it is unfit.
func (t *toolbox) file(it *run.Item, sources model.Snapshot, f *unidiff.File) (*bugs.File, verdict.Code) {
	var base []byte
	if f.OldPath != "" {
		var err error
		if base, err = sources.Read(f.OldPath); err != nil {
			return nil, verdict.FileUnreadable
		}
	}
	file, code := bugs.Changed(it.Ref.String(), f, base, t.options)
	if code != "" {
		return nil, code
	}
	file.Title, file.Body = it.Candidate.Pull.Title, it.Candidate.Pull.Body
	return file, ""
}

// injectStage finds a fault of each wanted family in the first file that has all of them, or else in the one that has
// most.
type injectStage struct{ t *toolbox }

func (injectStage) Name() string { return verdict.StageInject }

func (st injectStage) Run(ctx context.Context, it *run.Item) (verdict.Verdict, error) {
	faults := faultsOf(it)
	sources, err := it.Repo.Sources(it.Ref.Number)
	if err != nil || sources == nil {
		return verdict.Verdict{}, errors.Join(err, errNoSources(sources))
	}
	license, err := st.t.s.Licenses.At(sources, it.Candidate.Repo)
	if err != nil {
		return verdict.Verdict{}, fmt.Errorf("find the license: %w", err)
	}
	modules := st.t.modules(ctx, it, sources)
	var best *bugs.File
	var runs []verdict.Evidence
	for _, f := range faults.files {
		key, err := st.t.run(ctx, it, f)
		if err != nil {
			return verdict.Verdict{}, err
		}
		if key != "" {
			runs = append(runs, verdict.Evidence{What: run.BehaviorsKey, Found: key})
		}
		if drafts := bugs.Draw(f, st.t.options, modules(f.Path)); bugs.FamiliesOf(drafts) > bugs.FamiliesOf(faults.drafts) {
			best, faults.drafts = f, drafts
		}
		if bugs.FamiliesOf(faults.drafts) == len(st.t.options.Families) {
			break
		}
	}
	if best == nil {
		return verdict.Reject(verdict.NoSite, "no slip of a wanted kind can be proven", runs...), nil
	}
	faults.controls = bugs.Controls(best, st.t.options, modules(best.Path))
	for _, list := range [][]bugs.Draft{faults.drafts, faults.controls} {
		for i := range list {
			d := &list[i]
			d.Pull, d.Question.Tokens, d.Evidence.Files = it.Ref.String(), st.t.tokens(d.Question.View), faults.unfit
			for at := range d.Question.Contexts {
				d.Question.Contexts[at].Tokens = st.t.tokens(d.Question.Contexts[at].Text)
			}
			d.Answer.Repo, d.Answer.PRNumber, d.Answer.License = it.Ref.Repo.String(), it.Ref.Number, license.SPDX
			d.Answer.MergedAt = it.Candidate.Pull.MergedAt.UTC().Format("2006-01-02T15:04:05Z")
		}
	}
	faults.files = nil // they are large, and every pull request waits for the slowest
	return verdict.Pass(runs...), nil
}

// run calls the functions of a file with slips of logic. It returns the key of the record; "" if there is nothing to
// run.
func (t *toolbox) run(ctx context.Context, it *run.Item, f *bugs.File) (string, error) {
	slips := f.Runs(t.options)
	if len(slips) == 0 {
		return "", nil
	}
	edited := make([]python.Edited, len(slips))
	for i, m := range slips {
		code, err := injection.Apply(f.Head, m.Edits)
		if err != nil {
			return "", fmt.Errorf("make slip %s in %s: %w", m.Kind, f.Path, err)
		}
		edited[i] = python.Edited{Code: code, Line: m.Edits[0].Line}
	}
	key, err := python.BehaviorsKey(f.Head, edited)
	if err != nil {
		return "", err
	}
	var call func() ([]model.Behavior, error)
	if t.python != nil {
		call = func() ([]model.Behavior, error) {
			return t.python.Behaviors(ctx, f.Head, edited)
		}
	}
	behaviors, err := it.Repo.Behaviors(key, call)
	if err != nil {
		return "", fmt.Errorf("call the functions of %s of %s: %w", f.Path, it.Ref, err)
	}
	f.Learn(slips, behaviors)
	return key, nil
}

func errNoSources(s model.Snapshot) error {
	if s == nil {
		return errors.New("the sources that were there are gone")
	}
	return nil
}

// modules gives, for a file, what is known of the modules that it imports from,
// by the import graph of the base. What the pull request changes besides is known
// by its path alone: a reader who is shown the base would be misled about it.
func (t *toolbox) modules(ctx context.Context, it *run.Item,
	sources model.Snapshot) func(file string) injection.Modules {
	graph := imports.Build(ctx, sources, t.s.Graphs, imports.DefaultOptions(languages.All()))
	known := map[string]*injection.Module{}
	read := func(at string) *injection.Module {
		src, err := sources.Read(at)
		if err != nil {
			return nil
		}
		m, err := injection.ReadModule(at, src, submodules(sources, at))
		if err != nil {
			return nil
		}
		m.Beside = besides(sources, at)
		return m
	}
	return func(file string) injection.Modules {
		return func(name string, level int) *injection.Module {
			at, ok := modulesOf.Module(graph, file, level, name)
			if !ok || at == file {
				return nil
			}
			if slices.ContainsFunc(it.Candidate.Parsed.Files,
				func(f *unidiff.File) bool { return f.OldPath == at || f.NewPath == at }) {
				return &injection.Module{Path: at, Open: "the pull request changes it"}
			}
			m, ok := known[at]
			if !ok {
				m = read(at)
				known[at] = m
			}
			return m
		}
	}
}

// besides are what the modules in a module's folder are called, sorted; none for a
// package.
func besides(sources model.Snapshot, at string) []string {
	var out []string
	for _, e := range sources.Entries() {
		name := strings.TrimSuffix(path.Base(e.Path), ".py")
		if e.Path != at && path.Dir(e.Path) == path.Dir(at) && path.Ext(e.Path) == ".py" && name[0] != '_' &&
			path.Base(at) != "__init__.py" && pathkind.IsProduction(e.Path) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// submodules are the names of what lies beside a package's __init__.py.
func submodules(sources model.Snapshot, at string) []string {
	if path.Base(at) != "__init__.py" {
		return nil
	}
	dir := path.Dir(at) + "/"
	var out []string
	for _, e := range sources.Entries() {
		if rest, ok := strings.CutPrefix(e.Path, dir); ok {
			name, _, _ := strings.Cut(rest, "/")
			name, _, _ = strings.Cut(name, ".")
			out = append(out, name)
		}
	}
	return out
}

// bugOptions are the configured limits; families without a quota are not looked
// for.
func optionsOf(s *run.Session) bugs.Options {
	o := s.Config.Bugs.Options
	quotas := quotasOf(s)
	o.EveryKind = quotas.MinPerKind > 0 || quotas.MinPerLevel > 0
	for _, f := range injection.Families {
		if quotas.Families[string(f)] > 0 {
			o.Families = append(o.Families, f)
		}
	}
	return o
}

// bugQuotas are the configured ones.
func quotasOf(s *run.Session) bugs.Quotas {
	b := s.Config.Bugs
	return bugs.Quotas{
		Seed: b.Seed, Families: map[string]int{
			string(injection.UndeclaredName): b.Quotas.UndeclaredName, string(injection.Indentation): b.Quotas.Indentation,
			string(injection.Import): b.Quotas.Import,
			string(injection.Logic):  b.Quotas.Logic,
		},
		PerKind: b.Quotas.PerKind, PerLevel: b.Quotas.PerLevel, PerRepository: b.Quotas.PerRepository,
		SharedFiles: b.Quotas.SharedFiles,
		MinPerKind:  b.Quotas.MinPerKind, MinPerLevel: b.Quotas.MinPerLevel, MinPerRepository: b.Quotas.MinPerRepository,
		ControlsEvery: b.ControlsEvery,
	}
}
