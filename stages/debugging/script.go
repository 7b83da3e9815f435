package debugging

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors/python"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// scriptItem is a script on its way through the stages.
type scriptItem struct {
	pipeline.Trail
	source model.ScriptSource

	script   *scripts.Script
	run      *model.ScriptRun // the baseline's
	faults   []*fault         // in the order of the plan, then those that were not drawn
	composed []*composition
}

// fault is one change of a script.
type fault struct {
	pipeline.Trail
	candidate scripts.Candidate
	group     scripts.Group
	injector  string

	code  []byte
	found *model.ScriptRun // the searching run
	kept  *model.ScriptRun // the accepting runs
	label scripts.Label
	name  string // "s1", once it is a sample
}

// composition is several faults of a script at once.
type composition struct {
	pipeline.Trail
	members []*fault // in the order in which they show
	code    []byte
	run     *model.ScriptRun
	steps   []peelStep
	name    string // "m1", once it is a sample
}

// peelStep is what one run of a composition showed.
type peelStep struct {
	shows  *fault
	code   []byte
	effect int
	kind   string
}

// newScriptItem is a script at the start.
func newScriptItem(source model.ScriptSource) *scriptItem {
	it := &scriptItem{source: source}
	it.Trail = it.trail(source.ID)
	return it
}

// task is what the script is for: by its own words, else by those of where it
// was found. A notebook's own words are in its cells of text.
func (it *scriptItem) task() string {
	title := scripts.ClipTask(it.source.Title)
	if task := it.script.Task(); task != "" && (title == "" || !isNotebook(it.source.Path)) {
		return task
	}
	return title
}

// trail begins the decisions about the script, or about something of it.
func (it *scriptItem) trail(id string) pipeline.Trail {
	t := pipeline.Trail{Kind: string(artifacts.KindScript), Repo: it.source.Repo, Item: id}
	if it.source.PRNumber != nil {
		t.Number = *it.source.PRNumber
	}
	return t
}

// note keeps what the engine decided about the script itself: the stages after
// the baseline decide about faults. A script that failed in one of those takes
// its faults with it, and counts as failed at the baseline.
func (it *scriptItem) note(r *pipeline.Result[*scriptItem]) {
	for _, d := range r.Decisions {
		switch {
		case d.Stage == verdict.StageScript || d.Stage == verdict.StageBaseline:
			it.Decisions = append(it.Decisions, d)
		case d.Outcome == verdict.OutcomeFailed:
			last := len(it.Decisions) - 1
			it.Decisions[last].Verdict = d.Verdict
			it.faults, it.composed = nil, nil
		}
	}
	if r.Err != nil {
		it.Error = r.Err.Error()
	}
}

// decide notes a decision about a fault and reports whether it passed.
func (f *fault) decide(stage string, v verdict.Verdict) bool {
	f.Decide(stage, v)
	return f.Alive()
}

// live calls fn for every fault that is still on its way.
func (it *scriptItem) live(fn func(*fault) error) error {
	for _, f := range it.faults {
		if f.Alive() {
			if err := fn(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// add makes a fault of a candidate.
func (it *scriptItem) add(c scripts.Candidate, group scripts.Group, injector string) *fault {
	sum := sha256.Sum256([]byte(c.Key()))
	f := &fault{
		Trail: it.trail(fmt.Sprintf("%s/%s@%d.%s", it.source.ID, c.Operator, it.script.Statements[c.Statement].Span.First,
			hex.EncodeToString(sum[:4]))),
		candidate: c, group: group, injector: injector,
	}
	it.faults = append(it.faults, f)
	return f
}

// job is a run of some code instead of the script.
func (it *scriptItem) job(code []byte, seeds []int, warm []byte) python.Job {
	s := python.Script{Path: scriptFile(it.source.Path), Code: code}
	for _, f := range it.source.Inputs {
		s.Inputs = append(s.Inputs, python.File(f))
	}
	return python.Job{Script: s, Seeds: seeds, Warm: warm}
}

// has reports whether a path is one of the script's own files: it existed before the run, or the run made it.
func (it *scriptItem) has(path string) bool {
	for _, f := range it.source.Inputs {
		if f.Path == path {
			return true
		}
	}
	return it.run.Made[path] != ""
}

// member is a fault as composing sees it.
func (f *fault) member() scripts.Member {
	return scripts.Member{ID: f.Item, Edits: f.candidate.Edits, Label: f.label}
}

// scriptFile is a script's name in its work folder: the last part of its path.
func scriptFile(p string) string {
	return strings.TrimSuffix(path.Base(p), path.Ext(p)) + ".py"
}
