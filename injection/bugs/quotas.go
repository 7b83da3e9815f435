package bugs

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Candidate is the offer of one pull request.
type Candidate struct {
	Pull     string // OWNER/NAME#N
	Repo     string
	Path     string  // of the file that all drafts show
	Blob     string  // git's id of the original
	Drafts   []Draft // in the order of preference; at most one of each family is taken
	Controls []Draft
}

// file names the file that the drafts show.
func (c Candidate) file() string { return c.Repo + " " + c.Path }

// Selection is the drawn questions and controls.
type Selection struct {
	Drafts   []Draft // questions and controls, by question id
	Files    int     // files that the candidates show
	Verdicts []PullVerdict
}

// PullVerdict says whether a pull request has a question or a control.
type PullVerdict struct {
	Pull    string
	Verdict verdict.Verdict
}

// Quotas are the most and the fewest questions of each sort; 0 is no bound, but
// for families, of which those without a quota have no question.
type Quotas struct {
	Seed          uint64
	Families      map[string]int
	PerKind       int
	PerLevel      int
	PerRepository int
	// SharedFiles lets several questions and controls share a file. Without it, each
	// question and each control has a file of its own.
	SharedFiles bool
	// A shortfall is reported and never filled up. The minimums apply to the kinds and levels of the families that
	// have a quota.
	MinPerKind       int
	MinPerLevel      int
	MinPerRepository int
	// ControlsEvery is how many questions go with one untouched and one
	// harmlessly edited file; 0 for no controls.
	ControlsEvery int
}

// DefaultQuotas are the preset of 60 questions, as many of each level.
func DefaultQuotas() Quotas {
	return Quotas{
		Seed: DefaultOptions().Seed, Families: map[string]int{
			string(injection.UndeclaredName): 27, string(injection.Indentation): 3, string(injection.Logic): 15,
			string(injection.Import): 15,
		},
		PerLevel: 15, MinPerLevel: 15, ControlsEvery: 8,
	}
}

// Levels are those that the families with a quota have kinds of, lowest first.
func (q Quotas) Levels() []int {
	var out []int
	for _, k := range injection.Kinds {
		if q.Families[string(k.Family)] > 0 {
			out = append(out, k.Level)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// bounds are the most and the fewest questions of a group; 0 is no bound.
type bounds struct{ most, least int }

// groups are those that a question counts in, by what they are called.
func (q Quotas) groups(repo string, a *model.BugAnswer) map[string]bounds {
	return map[string]bounds{
		a.Family:                 {most: q.Families[a.Family]},
		"kind " + a.Kind:         {q.PerKind, q.MinPerKind},
		model.LevelName(a.Level): {q.PerLevel, q.MinPerLevel},
		"repository " + repo:     {q.PerRepository, q.MinPerRepository},
	}
}

// draw is a selection under way.
type draw struct {
	q     Quotas
	from  []Candidate        // in the order of drawing
	of    []map[string]Draft // what was taken of each, by family
	count map[string]int     // of questions taken, by group
	files map[string]int     // of questions and controls taken, by file
	taken int                // questions
	most  int                // questions of one file
	room  int                // the most questions
}

func newDraw(from []Candidate, q Quotas) *draw {
	d := &draw{q: q, from: from, of: make([]map[string]Draft, len(from)), count: map[string]int{}, files: map[string]int{},
		room: math.MaxInt}
	for i, c := range from {
		d.of[i], d.files[c.file()] = map[string]Draft{}, 0
	}
	return d
}

// controls are how many untouched files, and edited ones, go with so many
// questions.
func (q Quotas) controls(questions int) int {
	if q.ControlsEvery == 0 {
		return 0
	}
	return (questions + q.ControlsEvery - 1) / q.ControlsEvery
}

// fit bounds the questions where no two of them and of their controls share a file.
// What there are too few files for, each level has less of, and all levels as much.
func (d *draw) fit() {
	d.room = len(d.files)
	for d.room > 0 && d.room+2*d.q.controls(d.room) > len(d.files) {
		d.room--
	}
	level := max(1, d.room/max(1, len(d.q.Levels())))
	d.q.PerLevel, d.q.MinPerLevel = min(d.q.PerLevel, level), min(d.q.MinPerLevel, level)
}

// all takes one question of a file as long as files last, and then more where files
// are shared.
func (d *draw) all() {
	if !d.q.SharedFiles {
		d.fit()
	}
	for d.most = 1; ; d.most++ {
		before := d.taken
		d.minimums()
		d.rest()
		if !d.q.SharedFiles || d.taken == before {
			return
		}
	}
}

// take takes a question of a candidate, unless a quota is full, there is one of its
// family, or there are as many of the file as may be.
func (d *draw) take(i int, draft Draft) {
	a := &draft.Answer
	groups, file := d.q.groups(d.from[i].Repo, a), d.from[i].file()
	if _, has := d.of[i][a.Family]; has || d.q.Families[a.Family] == 0 || d.files[file] >= d.most || d.taken >= d.room {
		return
	}
	for name, b := range groups {
		if b.most > 0 && d.count[name] >= b.most {
			return
		}
	}
	for name := range groups {
		d.count[name]++
	}
	d.of[i][a.Family] = draft
	d.files[file]++
	d.taken++
}

// minimums takes questions of the groups that have a minimum, those first that
// the fewest questions can fill.
func (d *draw) minimums() {
	offers, least := map[string]int{}, map[string]int{}
	for _, c := range d.from {
		for _, draft := range c.Drafts {
			for name, b := range d.q.groups(c.Repo, &draft.Answer) {
				if b.least > 0 {
					offers[name]++
					least[name] = b.least
				}
			}
		}
	}
	scarcest := slices.SortedFunc(maps.Keys(offers),
		func(a, b string) int { return cmp.Or(cmp.Compare(offers[a], offers[b]), cmp.Compare(a, b)) })
	for _, name := range scarcest {
		for i, c := range d.from {
			for _, draft := range c.Drafts {
				if _, in := d.q.groups(c.Repo, &draft.Answer)[name]; in && d.count[name] < least[name] {
					d.take(i, draft)
				}
			}
		}
	}
}

// rest takes what the quotas leave room for.
func (d *draw) rest() {
	for i, c := range d.from {
		for _, draft := range c.Drafts {
			d.take(i, draft)
		}
	}
}

// Short lists the groups that have too few questions, those of which there is none
// among them, and the files where each is to have one question or control and there
// are too few. The repositories are all that were drawn from.
func (q Quotas) Short(s Selection, repos []string) []model.BugShortage {
	want, have := map[string]int{}, map[string]int{model.ShortOfFiles: s.Files}
	questions := 0
	for family, most := range q.Families {
		want[family] = most
		questions += most
	}
	if levels := q.PerLevel * len(q.Levels()); levels > 0 {
		questions = min(questions, levels)
	}
	if !q.SharedFiles {
		want[model.ShortOfFiles] = questions + 2*q.controls(questions)
	}
	for _, k := range injection.Kinds {
		if q.Families[string(k.Family)] > 0 {
			want["kind "+k.Kind], want[model.LevelName(k.Level)] = q.MinPerKind, q.MinPerLevel
		}
	}
	for _, repo := range repos {
		want["repository "+repo] = q.MinPerRepository
	}
	for _, d := range s.Drafts {
		if d.Answer.Family != FamilyNone {
			for name := range q.groups(d.Answer.Repo, &d.Answer) {
				have[name]++
			}
		}
	}
	out := []model.BugShortage{}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if have[name] < want[name] {
			out = append(out, model.BugShortage{Group: name, Want: want[name], Have: have[name]})
		}
	}
	return out
}
