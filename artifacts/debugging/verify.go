package debugging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Rules are the checks that other packages own.
type Rules struct {
	// Undo reverts an error's change.
	Undo func(code []byte, edits []Edit) ([]byte, error)
	// Leaks names what reveals a change; "" for nothing.
	Leaks func(original, code []byte, changes []Change, causes []Span) string
	// Normalize is the normalized form of a message.
	Normalize func(string) string
	// Prompt renders a sample's prompts by the configuration.
	Prompt func(s Sample) Prompt
	// Starts are the stages of the funnel at which items of a new kind enter.
	Starts []string
}

// Span is the lines of a statement.
type Span struct{ First, Last int }

// Kinds of faults of a dataset.
const (
	kindFiles    verify.Kind = "files"
	kindManifest verify.Kind = "manifest"
	kindSample   verify.Kind = "sample"
	kindLines    verify.Kind = "lines"
	kindChange   verify.Kind = "change"
	kindLeak     verify.Kind = "leak"
	kindRun      verify.Kind = "run"
	kindPeel     verify.Kind = "peel"
	kindData     verify.Kind = "data"
	kindPrompt   verify.Kind = "prompt"
	kindExport   verify.Kind = "export"
	kindAudit    verify.Kind = "audit"
	kindTwice    verify.Kind = "duplicate"
)

var datasetKinds = []verify.Fault{
	{Kind: kindFiles, Text: "every file is the one that the manifest lists"},
	{Kind: kindManifest, Text: "the manifest is of this benchmark and counts the samples"},
	{Kind: kindSample, Text: "a sample's fields agree with each other"},
	{Kind: kindLines, Text: "the lines of cause and effect are in the code, with the text that the sample gives"},
	{Kind: kindChange, Text: "undoing the change gives the original, and the change is within the cause"},
	{Kind: kindLeak, Text: "nothing gives the change away: no comment, no line more, no telling word"},
	{Kind: kindRun, Text: "the accepted run raises what the sample says, where it says, after the cause ran"},
	{Kind: kindPeel, Text: "the errors of a sample show one after the other, in the order that it gives"},
	{Kind: kindData, Text: "the data files are those that the script ran with"},
	{Kind: kindPrompt, Text: "the prompts are those that follow from the sample"},
	{Kind: kindExport, Text: "the export is the same samples in the published fields"},
	{Kind: kindAudit, Text: "the funnel adds up and agrees with the decisions"},
	{Kind: kindTwice, Text: "no two samples of a script show in the same way"},
}

// verifier is a running verification.
type verifier struct {
	*verify.Tally
	dir      string
	rules    Rules
	manifest *artifacts.Manifest
	tasks    []Task
	seen     map[string]bool
}

// Verify recomputes what a dataset's files allow. The error is about reading.
func Verify(ctx context.Context, dir string, rules Rules) (*verify.Report, error) {
	m, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	v := &verifier{Tally: verify.NewTally(datasetKinds), dir: dir, rules: rules, manifest: m, seen: map[string]bool{}}
	for _, step := range []func(context.Context) error{v.files, v.samples, v.export, v.audit} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("verify %s: %w", dir, err)
		}
	}
	return v.Report(dir, verify.FormatPrforge, len(v.tasks)), nil
}

func (v *verifier) files(context.Context) error {
	faults, _, err := load.CheckFiles(v.dir, v.manifest)
	for _, f := range faults {
		v.Check(kindFiles, false, "%s", f.String())
	}
	v.Check(kindFiles, true, "")
	v.Check(kindManifest, v.manifest.Benchmark == artifacts.Debugging, "benchmark %q", v.manifest.Benchmark)
	return err
}

// samples reads every sample with its evidence and prompts.
func (v *verifier) samples(ctx context.Context) error {
	for s, err := range Samples(v.dir) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return v.unreadable(err)
		}
		if !v.Check(kindSample, plainID(s.SampleID) && plainID(s.ScriptID), "sample_id %q", s.SampleID) {
			continue
		}
		t := Task{Sample: *s}
		evidence, err := load.ReadJSON[Evidence](v.dir, FileEvidence(s.SampleID))
		if err != nil {
			return v.unreadable(err)
		}
		prompt, err := load.ReadJSON[Prompt](v.dir, FilePrompt(s.SampleID))
		if err != nil {
			return v.unreadable(err)
		}
		t.Evidence, t.Prompt = *evidence, *prompt
		v.tasks = append(v.tasks, t)
		v.sample(t)
	}
	v.Check(kindManifest, v.manifest.Records == len(v.tasks), "records %d, samples %d", v.manifest.Records, len(v.tasks))
	split, err := load.ReadJSON[model.Split](v.dir, FileSplit)
	if err != nil {
		return v.unreadable(err)
	}
	v.Check(kindSample, reflect.DeepEqual(*split, OnePerScript(v.tasks)), "%s: not one sample of each script, or another",
		FileSplit)
	return nil
}

// unreadable turns a missing file or invalid JSON into a fault and returns other errors.
func (v *verifier) unreadable(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	v.Check(kindFiles, false, "%v", err)
	return nil
}

// plainID reports whether an id is safe in a path and as an argument that must not look like a flag.
func plainID(id string) bool {
	return id != "" && !strings.ContainsAny(id, "/\\\x00") && !strings.ContainsAny(id[:1], ".-") && len(id) < 200
}

func (v *verifier) sample(t Task) {
	s, id := t.Sample, t.Sample.SampleID
	v.Check(kindSample, s.CodeSHA256 == digest.Bytes([]byte(s.Code)), "%s: code_sha256", id)
	v.Check(kindSample, s.ErrorCount == len(s.Errors) && len(s.Errors) > 0 && (s.Kind == Single) == (len(s.Errors) == 1) &&
		(s.Kind == Single || s.Kind == Multi), "%s: kind %s with %d errors", id, s.Kind, len(s.Errors))
	v.Check(kindSample, strings.HasPrefix(id, s.ScriptID+"__") && t.Evidence.SampleID == id && t.Prompt.SampleID == id &&
		s.Track == Track && s.License != "", "%s: ids, track or license", id)
	v.Check(kindSample, v.manifest.Runtime != nil && reflect.DeepEqual(s.Runtime, *v.manifest.Runtime), "%s: runtime", id)
	for i, e := range s.Errors {
		v.errorFields(id, s, e, i+1)
	}
	v.change(t)
	v.run(t)
	v.data(s)
	v.Check(kindPrompt, s.Canary == "" || s.Canary == v.manifest.Canary(), "%s: the canary is another dataset's", id)
	v.Check(kindPrompt, reflect.DeepEqual(v.rules.Prompt(s), t.Prompt), "%s", id)
}

func (v *verifier) errorFields(id string, s Sample, e Error, order int) {
	lines := strings.Count(s.Code, "\n") + 1
	v.Check(kindSample, e.Order == order && e.ErrorType != "" && e.MessageNormalized == v.rules.Normalize(e.ErrorMessage),
		"%s: order, type or message of error %d", id, order)
	v.Check(kindLines, 1 <= e.CauseLine && e.CauseLine <= e.CauseEndLine && e.CauseEndLine <= lines &&
		lineText(s.Code, e.CauseLine) == e.CauseText && e.CauseText != "", "%s: cause on line %d", id, e.CauseLine)
	v.Check(kindLines, 1 <= e.EffectLine && e.EffectLine <= e.EffectEndLine && e.EffectEndLine <= lines &&
		lineText(s.Code, e.EffectLine) == e.EffectText && e.EffectText != "", "%s: effect on line %d", id, e.EffectLine)
	apart := e.EffectLine > e.CauseEndLine || e.CauseLine > e.EffectEndLine
	hops := 0
	if apart {
		hops = max(e.EffectLine-e.CauseLine, e.CauseLine-e.EffectLine)
	}
	v.Check(kindSample, e.HopLines == hops && (hops > 0 || e.HopExecuted == 0), "%s: hop_lines %d, want %d", id,
		e.HopLines, hops)
	for _, q := range e.EquivalentCauses {
		v.Check(kindLines, lineText(s.Code, q.Line) == q.Text, "%s: equivalent cause on line %d", id, q.Line)
	}
	if s.Kind == Single {
		key := fmt.Sprintf("%s %s %q %d", s.ScriptID, e.ErrorType, e.ErrorMessage, e.EffectLine)
		v.Check(kindTwice, !v.seen[key], "%s", id)
		v.seen[key] = true
	}
}

// change undoes everything that was changed.
func (v *verifier) change(t Task) {
	id, ev := t.Sample.SampleID, t.Evidence
	if !v.Check(kindChange, len(ev.Changes) == len(t.Sample.Errors), "%s: %d changes for %d errors", id, len(ev.Changes),
		len(t.Sample.Errors)) {
		return
	}
	var all []Edit
	var causes []Span
	for i, c := range ev.Changes {
		e := t.Sample.Errors[i]
		v.Check(kindChange, c.ErrorID == e.ErrorID && len(c.Edits) > 0, "%s: change of %s", id, c.ErrorID)
		for _, edit := range c.Edits {
			v.Check(kindChange, e.CauseLine <= edit.Line && edit.Line <= e.CauseEndLine, "%s: %s changes line %d", id, c.ErrorID,
				edit.Line)
		}
		all = append(all, c.Edits...)
		causes = append(causes, Span{e.CauseLine, e.CauseEndLine})
	}
	original, err := v.rules.Undo([]byte(t.Sample.Code), all)
	v.Check(kindChange, err == nil && string(original) == ev.OriginalCode, "%s: undoing does not give the original", id)
	leak := v.rules.Leaks([]byte(ev.OriginalCode), []byte(t.Sample.Code), ev.Changes, causes)
	v.Check(kindLeak, leak == "", "%s: %s", id, leak)
}

// run compares the sample with its accepted run.
func (v *verifier) run(t Task) {
	id, r, e := t.Sample.SampleID, t.Evidence.Run, t.Sample.Errors[0]
	ok := r.Exception != nil && r.Exception.Deepest() != nil
	if v.Check(kindRun, ok && len(t.Evidence.Seeds) > 0, "%s: no exception in the script", id) {
		f := r.Exception.Deepest()
		v.Check(kindRun, r.Exception.Type == e.ErrorType && r.Exception.Message == e.ErrorMessage &&
			f.First == e.EffectLine && f.Last == e.EffectEndLine, "%s: the run raises %s on line %d", id, r.Exception.Type,
			f.First)
		ran := false
		for _, x := range r.Statements {
			ran = ran || x.First <= e.CauseEndLine && e.CauseLine <= x.Last
		}
		v.Check(kindRun, ran, "%s: the cause did not run before the effect", id)
	}
	want := 0
	if t.Sample.Kind == Multi {
		want = len(t.Sample.Errors)
	}
	if !v.Check(kindPeel, len(t.Evidence.Peel) == want, "%s: %d steps for %d errors", id, len(t.Evidence.Peel), want) {
		return
	}
	for i, step := range t.Evidence.Peel {
		e := t.Sample.Errors[i]
		v.Check(kindPeel, step.Shows == e.ErrorID && step.ErrorType == e.ErrorType && step.EffectLine == e.EffectLine,
			"%s: step %d shows %s", id, i+1, step.Shows)
	}
}

func (v *verifier) data(s Sample) {
	for _, f := range s.DataFiles {
		content, err := load.ReadBytes(v.dir, FileData(s.ScriptID, f.Path))
		v.Check(kindData, err == nil && digest.Bytes(content) == f.SHA256, "%s: %s", s.SampleID, f.Path)
	}
}

func (v *verifier) export(context.Context) error {
	single, multi := export(v.tasks)
	for path, lines := range map[string]func() ([]byte, error){
		fileSingle: func() ([]byte, error) { return artifacts.CanonicalLines(single) },
		fileMulti:  func() ([]byte, error) { return artifacts.CanonicalLines(multi) },
	} {
		want, err := lines()
		if err != nil {
			return err
		}
		have, err := load.ReadBytes(v.dir, path)
		v.Check(kindExport, err == nil && bytes.Equal(have, want), "%s", path)
	}
	return nil
}

// audit adds up the funnel and compares it with the decisions.
func (v *verifier) audit(context.Context) error {
	funnel, err := load.ReadJSON[verdict.Funnel](v.dir, artifacts.FileFunnel)
	if err != nil {
		return v.unreadable(err)
	}
	if err := funnel.Check(v.rules.Starts...); err != nil {
		v.Check(kindAudit, false, "%v", err)
	}
	ended := map[string]map[string]int{}
	for d, err := range load.ReadLines[artifacts.Decision](v.dir, artifacts.FileDecisions) {
		if err != nil {
			return v.unreadable(err)
		}
		if d.Code != "" {
			if ended[d.Stage] == nil {
				ended[d.Stage] = map[string]int{}
			}
			ended[d.Stage][string(d.Code)]++
		}
	}
	for _, s := range funnel.Stages {
		for code, n := range s.Reasons {
			v.Check(kindAudit, ended[s.Stage][code] == n, "%s: %d %s in the funnel, %d in the decisions", s.Stage, n, code,
				ended[s.Stage][code])
		}
	}
	return nil
}
