package bugs_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

// source has room for every family; "square" is imported from the repository.
const source = `import os
import shutil
from pkg.shapes import square


class Counter:
    """Counts words."""

    def __init__(self, start):
        self.start = start
        self.total = 0

    def count(self, words):
        result = {}
        for word in words:
            length = len(word)
            result[word] = square(length) + self.total
        if self.start:
            factor = self.start * 2
            result["factor"] = factor
        return result

    def copy(self, target):
        folder = os.path.dirname(target)
        shutil.copy(self.start, folder)
        return folder
`

func options() bugs.Options {
	return bugs.Options{
		Seed: 1, Mode: bugs.ModeFile, MinBytes: 10, MaxBytes: 10_000, MinLines: 5, MaxLines: 100, MinAdded: 3,
		Families: []injection.Family{injection.UndeclaredName, injection.Indentation, injection.Import},
	}
}

// added is the diff that adds a file.
func added(t *testing.T, path, src string) *unidiff.File {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(src, "\n"), "\n")
	text := fmt.Sprintf("diff --git a/%s b/%s\nnew file mode 100644\n--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n+%s\n", path, path, path, len(lines), strings.Join(lines, "\n+"))
	return parse(t, text)
}

func parse(t *testing.T, text string) *unidiff.File {
	t.Helper()
	d, err := unidiff.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d.Files[0]
}

func fit(t *testing.T, o bugs.Options) *bugs.File {
	t.Helper()
	f, code := bugs.Changed("owner/repo#7", added(t, "pkg/counter.py", source), nil, o)
	if code != "" {
		t.Fatal(code)
	}
	f.Title, f.Body = "Count words", "See https://example.org/x/1 and #12, by @someone in 1234567890abcdef."
	return f
}

func modules(name string, _ int) *injection.Module {
	switch name {
	case "pkg.shapes":
		return &injection.Module{Path: "pkg/shapes.py", Source: []byte("square = 1\n"), Names: map[string]bool{"square": true}, Own: map[string]string{"square": "expression_statement"}, Beside: []string{"squares"}}
	case "pkg.squares":
		return &injection.Module{Path: "pkg/squares.py", Source: []byte("big_square = 1\n"), Names: map[string]bool{"big_square": true}, Own: map[string]string{"big_square": "expression_statement"}}
	}
	return nil
}

func TestFilesThatAreNotFit(t *testing.T) {
	big := strings.Repeat("x = 1\n", 200)
	for name, tc := range map[string]struct {
		path, src string
		want      verdict.Code
	}{
		"not Python":           {"a.go", source, verdict.FileNotPython},
		"a test":               {"tests/test_a.py", source, verdict.FileNotProduction},
		"few bytes":            {"a.py", "x = 1\n", verdict.FileTooSmall},
		"bytes as asked":       {"a.py", "1\n2\n3\n4\n5\n", ""},
		"few lines":            {"a.py", "x = 1\ny = 2\nz = 3\n", verdict.FileTooSmall},
		"as many as asked":     {"a.py", "x = 1\ny = 2\nz = 3\nu = 1\nv = 2\n", ""},
		"many lines":           {"a.py", big, verdict.FileTooLarge},
		"many bytes":           {"a.py", source + "# " + strings.Repeat("x", 10_000) + "\n", verdict.FileTooLarge},
		"no Python":            {"a.py", strings.Repeat("def (:\n", 20), verdict.FileUnparsed},
		"carriage returns":     {"a.py", strings.ReplaceAll(source, "\n", "\r\n"), verdict.FileUnparsed},
		"byte order mark":      {"a.py", "\xEF\xBB\xBF" + source, verdict.FileUnparsed},
		"not UTF-8":            {"a.py", source + "# \xE9\n", verdict.FileUnparsed},
		"wrong space":          {"a.py", source + "  x = 1\n", verdict.FileNotClean},
		"its pull request":     {"a.py", source + "# see o/r#1\n", verdict.FileNamesPull},
		"its address":          {"a.py", source + "# https://github.com/o/r/pull/1\n", verdict.FileNamesPull},
		"another pull request": {"a.py", source + "# see o/r#2, s/r#1 and o/r/issues/1\n", ""},
		"a name unbound":       {"a.py", source + "print(nobody)\n", verdict.FileNotClean},
	} {
		if _, code := bugs.Changed("o/r#1", added(t, tc.path, tc.src), nil, options()); code != tc.want {
			t.Errorf("%s: %q, want %q", name, code, tc.want)
		}
	}
	deleted := parse(t, "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n")
	if _, code := bugs.Changed("o/r#1", deleted, []byte("x = 1\n"), options()); code != verdict.FileNotPython {
		t.Errorf("deleted: %s", code)
	}
	binary := parse(t, "diff --git a/a.py b/a.py\nindex 1234567..7654321 100644\nBinary files a/a.py and b/a.py differ\n")
	if _, code := bugs.Changed("o/r#1", binary, []byte("x = 1\n"), options()); code != verdict.FileNotPython {
		t.Errorf("binary: %s", code)
	}
	only := parse(t, "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1 @@\n-x = 1\n y = 1\n")
	if _, code := bugs.Changed("o/r#1", only, []byte("x = 1\ny = 1\n"), options()); code != verdict.FileNothingAdded {
		t.Errorf("nothing added: %s", code)
	}
	if _, code := bugs.Changed("o/r#1", parse(t, "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"), []byte("z\n"), options()); code != verdict.FileUnreadable {
		t.Errorf("a diff that does not fit: %s", code)
	}
	o := options()
	o.Mode, o.MinAdded = bugs.ModeChange, 2
	base := strings.Replace(source, "        result = {}\n", "", 1)
	change := parse(t, "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -13,2 +13,3 @@\n     def count(self, words):\n+        result = {}\n         for word in words:\n")
	if _, code := bugs.Changed("o/r#1", change, []byte(base), o); code != verdict.FileTooFewAdded {
		t.Errorf("one added line of two: %s", code)
	}
	o.MinAdded = 1
	if f, code := bugs.Changed("o/r#1", change, []byte(base), o); code != "" || !f.Added[14] || len(f.Added) != 1 {
		t.Errorf("one added line of one: %s, %v", code, f)
	}
}

// Undoing the edits of a question gives the original; the view shows the faulty
// file and nothing else; what was drawn is what the rules prove.
func TestDrawnFaultsAreProven(t *testing.T) {
	for seed := range uint64(40) {
		o := options()
		o.Seed = seed
		if seed%2 == 1 {
			o.Mode = bugs.ModeChange
		}
		f := fit(t, o)
		drafts := bugs.Draw(f, o, modules)
		if len(drafts) != 3 {
			t.Fatalf("seed %d: %d questions", seed, len(drafts))
		}
		for _, d := range append(drafts, bugs.Controls(f, o, modules)...) {
			a := d.Answer
			shown := bugs.Shown(d.Question.View)
			back, err := injection.Undo(shown, a.Edits)
			if err != nil || bugs.BlobID(back) != a.HeadBlob || string(back) != source {
				t.Fatalf("seed %d, %s: undo gives %q, %v", seed, a.Kind, back, err)
			}
			if view := d.Question.View; strings.Contains(view, "example.org") || strings.Contains(view, "someone") || strings.Contains(view, "#12") || strings.Contains(view, "abcdef") || strings.Contains(view, a.HeadBlob) {
				t.Errorf("the view leads to the original:\n%s", view)
			}
			added := map[int]bool{}
			for _, n := range a.AddedLines {
				added[n] = true
			}
			if o.Mode == bugs.ModeChange && a.Fault != nil && a.Kind != "U3" && a.Kind != "U4" && !added[a.Fault.CauseLine] {
				t.Errorf("%s: the cause is on line %d, added are %v", a.Kind, a.Fault.CauseLine, a.AddedLines)
			}
			if again := bugs.View(o.Mode, f.Path, shown, added, f.Title, f.Body); again != d.Question.View {
				t.Errorf("%s: the view renders otherwise", a.Kind)
			}
			if decidable := strings.Join(a.DecidableIn, ""); decidable != map[bool]string{true: "BC", false: "ABC"}[a.Family == string(injection.Import)] {
				t.Errorf("%s: decidable in %s", a.Family, decidable)
			}
			if a.Fault == nil {
				continue
			}
			s, err := injection.Read([]byte(source))
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Prove(injection.Mutation{Kind: a.Kind, Edits: a.Edits, Intended: a.Fault.Intended}, modules)
			if err != nil || !bytes.Equal(p.Faulty, shown) || p.Fault.ReportLine != a.Fault.ReportLine {
				t.Errorf("%s: proven again: %+v, %v", a.Kind, p, err)
			}
			if a.Chance != bugs.Chance(a.CandidateLines, a.Fault) || a.Chance <= 0 || a.Chance > 1 {
				t.Errorf("%s: chance %v", a.Kind, a.Chance)
			}
		}
	}
}

// A name that the description has is not asked about: it would be given away.
func TestNamesInTheDescriptionAreNotUsed(t *testing.T) {
	o := options()
	o.Mode, o.Families = bugs.ModeChange, []injection.Family{injection.Import}
	f := fit(t, o)
	f.Body = "Uses pkg.shapes."
	if drafts := bugs.Draw(f, o, modules); len(drafts) != 0 {
		t.Errorf("drawn: %+v", drafts[0].Answer)
	}
	f.Body = "Counts."
	d := bugs.Draw(f, o, modules)[0]
	d.Question.View = strings.Replace(d.Question.View, "> Counts.", "> Counts by shapes.", 1)
	if faults := bugs.Check(d); !slices.ContainsFunc(faults, func(p bugs.Problem) bool { return p.Kind == bugs.FaultLeak }) {
		t.Errorf("a description with the right name: %v", faults)
	}
	// A name that is in the file besides gives nothing away.
	o.Families, f.Title, f.Body = []injection.Family{injection.UndeclaredName}, "words result length factor folder target shutil os start total", ""
	if drafts := bugs.Draw(f, o, modules); len(drafts) != 1 {
		t.Errorf("%d questions of names that are in the file too", len(drafts))
	}
	f.Title, f.Body = "Count words", "Uses pkg.shapes."
	o.Families = []injection.Family{injection.Import, injection.Indentation}
	if drafts := bugs.Draw(f, o, modules); len(drafts) != 1 || len(drafts[0].Evidence.Refused) != 0 {
		t.Errorf("%+v; want %s to leave the other family alone", drafts, verdict.NamedInDescription)
	}
}

// What Check cannot be shown in a dataset that stages made: an original that is not
// clean, an edit in two pieces, ids and originals that come twice.
func TestCheck(t *testing.T) {
	o := options()
	kinds := func(list []bugs.Problem) map[bugs.FaultKind]bool {
		out := map[bugs.FaultKind]bool{}
		for _, p := range list {
			out[p.Kind] = true
		}
		return out
	}
	f := fit(t, o)
	o.Families = []injection.Family{injection.UndeclaredName}
	whole := bugs.Draw(f, o, modules)[0]
	if got := bugs.Check(whole); len(got) != 0 {
		t.Fatalf("whole: %v", got)
	}
	unclean := whole
	unclean.Question.View += "   99  | print(nobody)\n"
	unclean.Answer.HeadBlob = bugs.BlobID([]byte(source + "print(nobody)\n"))
	if got := kinds(bugs.Check(unclean)); !got[bugs.FaultProof] || got[bugs.FaultEdit] {
		t.Errorf("an original that is not clean: %v", got)
	}
	pieces := whole
	e := whole.Answer.Edits[0]
	if len(e.Old) < 2 {
		t.Fatalf("the edit is %+v", e)
	}
	pieces.Answer.Edits = []injection.Edit{{Offset: e.Offset, Line: e.Line, Old: e.Old[:1]}, {Offset: e.Offset + 1, Line: e.Line, Old: e.Old[1:], New: e.New}}
	if got := kinds(bugs.Check(pieces)); !got[bugs.FaultEdit] {
		t.Errorf("one edit in two pieces: %v", got)
	}
	two := whole
	two.Answer.Kind = "U1"
	if got := kinds(bugs.Check(two)); !got[bugs.FaultEdit] {
		t.Errorf("two edits of a kind that makes one: %v", got)
	}
	other := whole
	other.Question.QuestionID, other.Answer.QuestionID, other.Evidence.QuestionID = "q1", "q1", "q1"
	for name, set := range map[string][]bugs.Draft{"an id": {whole, whole}, "a family of a file": {whole, other}} {
		if got := kinds(bugs.CheckSet(set)); !got[bugs.FaultTwice] {
			t.Errorf("%s twice: %v", name, got)
		}
	}
	for _, d := range bugs.Controls(f, o, modules) {
		id, nobody := whole.Question.QuestionID, "nobody"
		d.Answer.ControlOf = &id
		if got := bugs.Check(d); len(got) != 0 {
			t.Errorf("a whole control: %v", got)
		}
		level := d
		if level.Answer.Level = 1; !kinds(bugs.Check(level))[bugs.FaultControl] {
			t.Error("a control has a level")
		}
		if got := bugs.CheckSet([]bugs.Draft{whole, d}); len(got) != 0 {
			t.Errorf("a control of a question: %v", got)
		}
		stray := d
		stray.Answer.ControlOf = &nobody
		if got := kinds(bugs.CheckSet([]bugs.Draft{whole, stray})); !got[bugs.FaultControl] {
			t.Errorf("a control of no question: %v", got)
		}
		if d.Answer.Kind == bugs.Untouched {
			if d.Answer.Kind = "renamed"; !kinds(bugs.Check(d))[bugs.FaultEdit] {
				t.Error("an edited control without an edit")
			}
			continue
		}
		d.Answer.Kind = "U1"
		if got := kinds(bugs.Check(d)); !got[bugs.FaultControl] {
			t.Errorf("an edited control of another kind: %v", got)
		}
	}
}

func TestCheck_Behavior(t *testing.T) {
	o := options()
	f := fit(t, o)
	if runs := f.Runs(o); len(runs) != 0 {
		t.Errorf("%d slips are to be run, and no fault of logic is asked for", len(runs))
	}
	o.Families = []injection.Family{injection.Logic}
	runs := f.Runs(o)
	f.Learn(runs, []model.Behavior{{Code: "same_behavior"}})
	if drafts := bugs.Draw(f, o, modules); len(runs) != 1 || len(drafts) != 0 {
		t.Fatalf("of slips that no call shows %v are drawn %+v", runs, drafts)
	}
	f.Learn(runs, []model.Behavior{{Call: "f(0)"}})
	drafts := bugs.Draw(f, o, modules)
	if len(drafts) != 1 || drafts[0].Evidence.Behavior == nil || drafts[0].Evidence.Behavior.Call != "f(0)" {
		t.Fatalf("drawn: %+v", drafts)
	}
	if got := bugs.Check(drafts[0]); len(got) != 0 {
		t.Errorf("whole: %v", got)
	}
	drafts[0].Evidence.Behavior = nil
	if got := bugs.Check(drafts[0]); len(got) != 1 || got[0].Kind != bugs.FaultProof {
		t.Errorf("without what a run showed: %v", got)
	}
}

func TestChance(t *testing.T) {
	f := &injection.Fault{CauseLine: 5, ReportLine: 9, EffectLines: []int{9}}
	for _, tc := range []struct {
		lines []int
		want  float64
	}{
		{nil, 0}, {[]int{1, 2, 3}, 0}, {[]int{4, 5, 6, 7}, 0.75}, {[]int{3, 8}, 0.5}, {[]int{10}, 1}, {[]int{11}, 0},
	} {
		if got := bugs.Chance(tc.lines, f); got != tc.want {
			t.Errorf("%v: %v, want %v", tc.lines, got, tc.want)
		}
	}
}

func candidates(n int) []bugs.Candidate {
	var out []bugs.Candidate
	for i := range n {
		c := bugs.Candidate{Pull: fmt.Sprintf("o/r%d#%d", i%3, i), Repo: fmt.Sprintf("o/r%d", i%3), Path: fmt.Sprintf("f%d.py", i), Blob: fmt.Sprint("blob", i)}
		for j, family := range []string{"undeclared_name", "indentation"} {
			d := bugs.Draft{Pull: c.Pull}
			d.Question.QuestionID = fmt.Sprintf("q%03d%d", (i*37)%1000, j)
			d.Answer.Family, d.Answer.Kind, d.Answer.Level = family, fmt.Sprint(family[:1], i%4), 1+j
			c.Drafts = append(c.Drafts, d)
		}
		for j, kind := range []string{bugs.Untouched, "renamed"} {
			d := bugs.Draft{Pull: c.Pull}
			d.Question.QuestionID = fmt.Sprintf("q%03d%d", (i*37)%1000, 5+j)
			d.Answer.Kind, d.Answer.Family = kind, bugs.FamilyNone
			c.Controls = append(c.Controls, d)
		}
		out = append(out, c)
	}
	return out
}

func quotas() bugs.Quotas {
	return bugs.Quotas{Seed: 1, Families: map[string]int{"undeclared_name": 10, "indentation": 8, "import": 2}, ControlsEvery: 6, SharedFiles: true}
}

func ids(s bugs.Selection) []string {
	var out []string
	for _, d := range s.Drafts {
		out = append(out, d.Question.QuestionID)
	}
	return out
}

func TestSelection(t *testing.T) {
	all := candidates(20)
	q := quotas()
	s := bugs.Select(all, q)
	count := map[string]int{}
	for _, d := range s.Drafts {
		count[d.Answer.Family]++
		if (d.Answer.Family == bugs.FamilyNone) != (d.Answer.ControlOf != nil) {
			t.Errorf("%s: control of %v", d.Question.QuestionID, d.Answer.ControlOf)
		}
	}
	if want := map[string]int{"undeclared_name": 10, "indentation": 8, bugs.FamilyNone: 6}; !maps.Equal(count, want) {
		t.Errorf("%v, want %v", count, want)
	}
	if short := q.Short(s, nil); !slices.Equal(short, []model.BugShortage{{Group: "import", Want: 2}}) {
		t.Errorf("short: %v", short)
	}
	if len(s.Verdicts) != 20 || !slices.IsSorted(ids(s)) {
		t.Errorf("%d verdicts; ids %v", len(s.Verdicts), ids(s))
	}
	shuffled := slices.Clone(all)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if !slices.Equal(ids(bugs.Select(shuffled, q)), ids(s)) {
		t.Error("the order of the candidates matters")
	}
	q.Families, q.ControlsEvery = map[string]int{"undeclared_name": 100, "indentation": 100}, 0
	before := ids(bugs.Select(all, q))
	after := ids(bugs.Select(append(candidates(21)[20:], all...), q))
	for _, id := range before {
		if !slices.Contains(after, id) {
			t.Errorf("%s is gone because a pull request came", id)
		}
	}
	q.PerKind = 1
	if got := len(bugs.Select(all, q).Drafts); got != 8 {
		t.Errorf("%d questions of 8 kinds with one each", got)
	}
	q.PerKind, q.PerRepository = 0, 2
	if got := len(bugs.Select(all, q).Drafts); got != 6 {
		t.Errorf("%d questions of 3 repositories with two each", got)
	}
	q.PerRepository, q.PerLevel = 0, 3
	if got := len(bugs.Select(all, q).Drafts); got != 6 {
		t.Errorf("%d questions of 2 levels with three each", got)
	}
}

// Minimums are drawn first, those that few files can fill before the others, and
// what they lack is told; without minimums nothing changes.
func TestMinimums(t *testing.T) {
	all := candidates(20)
	for i := range all { // another kind for each, and a rare one for the last
		other := all[i].Drafts[0]
		other.Question.QuestionID += "x"
		other.Answer.Kind, other.Answer.Level = "U1", 1
		if i == 19 {
			other.Answer.Kind = "U7"
		}
		all[i].Drafts = append(all[i].Drafts, other)
		for j := range all[i].Drafts {
			a := &all[i].Drafts[j].Answer
			a.Repo = all[i].Repo
		}
	}
	base := bugs.Quotas{Seed: 1, SharedFiles: true, Families: map[string]int{"undeclared_name": 6, "indentation": 2}}
	repos := []string{"o/r0", "o/r1", "o/r2", "o/none"}
	for name, tc := range map[string]struct {
		set   func(*bugs.Quotas)
		want  map[string]int // of each kind or repository, at least
		short []string
	}{
		"none":       {func(*bugs.Quotas) {}, nil, nil},
		"kind":       {func(q *bugs.Quotas) { q.MinPerKind = 1 }, map[string]int{"U7": 1, "U1": 1}, []string{"kind I1", "kind I2", "kind I3", "kind I4", "kind U2", "kind U3", "kind U4", "kind U5", "kind U6"}},
		"level":      {func(q *bugs.Quotas) { q.MinPerLevel = 2 }, map[string]int{"level 1": 2, "level 2": 2}, nil},
		"repository": {func(q *bugs.Quotas) { q.MinPerRepository = 2 }, map[string]int{"o/r0": 2, "o/r1": 2, "o/r2": 2}, []string{"repository o/none"}},
		"repository, not more than the quota": {func(q *bugs.Quotas) {
			q.MinPerRepository, q.PerRepository, q.Families = 3, 3, map[string]int{"undeclared_name": 7, "indentation": 2}
		}, nil, []string{"repository o/none"}},
		"a full quota": {func(q *bugs.Quotas) { q.MinPerRepository, q.Families = 9, map[string]int{"undeclared_name": 3} }, nil,
			[]string{"repository o/none", "repository o/r0", "repository o/r1", "repository o/r2"}},
	} {
		t.Run(name, func(t *testing.T) {
			q := base
			tc.set(&q)
			s := bugs.Select(all, q)
			have, families := map[string]int{}, map[string]bool{}
			for _, d := range s.Drafts {
				for _, g := range []string{d.Answer.Kind, d.Answer.Repo, fmt.Sprint("level ", d.Answer.Level), d.Answer.Family} {
					have[g]++
				}
				if of := d.Pull + d.Answer.Family; families[of] {
					t.Errorf("%s has two questions of %s", d.Pull, d.Answer.Family)
				} else {
					families[of] = true
				}
			}
			for g, n := range tc.want {
				if have[g] < n {
					t.Errorf("%s: %d, want %d", g, have[g], n)
				}
			}
			if have["undeclared_name"] != q.Families["undeclared_name"] || have["indentation"] != q.Families["indentation"] {
				t.Errorf("families: %v", have)
			}
			var short []string
			for _, g := range q.Short(s, repos) {
				short = append(short, g.Group)
				if g.Have >= g.Want || g.Want == 0 {
					t.Errorf("%+v is not short", g)
				}
			}
			if !slices.Equal(short, tc.short) {
				t.Errorf("short: %v, want %v", short, tc.short)
			}
		})
	}
}

// With EveryKind a file offers each kind that can be proven, the one that is drawn
// without it first.
func TestEveryKind(t *testing.T) {
	o := options()
	f := fit(t, o)
	one := bugs.Draw(f, o, modules)
	o.EveryKind = true
	all := bugs.Draw(f, o, modules)
	first, kinds := map[string]string{}, map[string]bool{}
	for _, d := range all {
		if first[d.Answer.Family] == "" {
			first[d.Answer.Family] = d.Question.QuestionID
		}
		if kinds[d.Answer.Kind] {
			t.Errorf("%s twice", d.Answer.Kind)
		}
		kinds[d.Answer.Kind] = true
	}
	for _, d := range one {
		if first[d.Answer.Family] != d.Question.QuestionID {
			t.Errorf("%s: another question comes first", d.Answer.Family)
		}
	}
	if len(one) != bugs.FamiliesOf(all) || len(all) < 9 {
		t.Errorf("%d questions of %d families, of %v", len(all), bugs.FamiliesOf(all), kinds)
	}
}

// Questions and controls have a file each, and levels have less alike where files are few.
func TestOneOfAFile(t *testing.T) {
	all := candidates(40)
	for i := range all {
		all[i].Path = fmt.Sprintf("f%d.py", i%30) // repositories repeat with three
	}
	q := bugs.Quotas{Seed: 1, Families: map[string]int{"undeclared_name": 40, "indentation": 10}, PerLevel: 20, MinPerLevel: 20, ControlsEvery: 4}
	s := bugs.Select(all, q)
	path, files, families := map[string]string{}, map[string]bool{}, map[string]int{}
	for _, c := range all {
		path[c.Pull] = c.Repo + c.Path
	}
	for _, d := range s.Drafts {
		if files[path[d.Pull]] {
			t.Errorf("%s twice", path[d.Pull])
		}
		files[path[d.Pull]] = true
		families[d.Answer.Family]++
	}
	if want := map[string]int{"undeclared_name": 10, "indentation": 10, bugs.FamilyNone: 10}; s.Files != 30 || !maps.Equal(families, want) {
		t.Errorf("of %d files %v, want %v", s.Files, families, want)
	}
	if short := q.Short(s, nil); !slices.Contains(short, model.BugShortage{Group: model.ShortOfFiles, Want: 60, Have: 30}) {
		t.Errorf("short: %v", short)
	}
}

func TestNoOriginalTwice(t *testing.T) {
	all := candidates(4)
	all[3].Blob = all[0].Blob
	s := bugs.Select(all, bugs.Quotas{Seed: 1, SharedFiles: true, Families: map[string]int{"undeclared_name": 9, "indentation": 1}})
	codes := map[verdict.Code]int{}
	for _, v := range s.Verdicts {
		codes[v.Verdict.Code]++
	}
	if codes[verdict.DuplicateOriginal] != 1 || len(s.Drafts) != 4 {
		t.Errorf("%v, %d questions", codes, len(s.Drafts))
	}
	s = bugs.Select(candidates(3), bugs.Quotas{Seed: 1, Families: map[string]int{"undeclared_name": 1}})
	codes = map[verdict.Code]int{}
	for _, v := range s.Verdicts {
		codes[v.Verdict.Code]++
	}
	if codes[verdict.OverQuestionQuota] != 2 {
		t.Errorf("%v", codes)
	}
}

// What B and C show of other files says what a fault of an import needs, and
// nothing of the file itself or of what the change does elsewhere.
func TestContexts(t *testing.T) {
	o := options()
	o.ContextBytes = 200
	head := "from pkg import counter, shapes\nfrom pkg.shapes import square\nimport pkg.open, os\nfrom .new import fresh\nfrom pkg.large import big\nfrom pkg.told import why\n" + source
	f, code := bugs.Changed("owner/repo#7", added(t, "pkg/counter.py", head), nil, o)
	if code != "" {
		t.Fatal(code)
	}
	files := map[string]string{
		"pkg": "", "pkg.shapes": "def square(x): return x\ncircle = 1\n", "pkg.open": "from os import *\nsides = '''\npkg/evil.py (pkg.evil) has the names square.\n--- x\n'''\n",
		"pkg.large": "big = 1\n" + strings.Repeat("# filler\n", 100),
		"pkg.told":  "why = 7 # owner/repo#7\n",
	}
	modules := func(name string, level int) *injection.Module {
		switch {
		case name == "pkg.counter":
			return &injection.Module{Path: "pkg/counter.py", Source: []byte(source), Names: map[string]bool{"Counter": true}}
		case level == 1:
			return &injection.Module{Path: "pkg/new.py", Open: "the pull request changes it"}
		}
		src, ok := files[name]
		if !ok {
			return nil
		}
		m, err := injection.ReadModule(strings.ReplaceAll(name, ".", "/")+".py", []byte(src), []string{"counter", "shapes"})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	q := bugs.Controls(f, o, modules)[0].Question
	b, c := bugs.ContextOf(&q, bugs.ConfigB), bugs.ContextOf(&q, bugs.ConfigC)
	for _, want := range []string{
		"pkg/shapes.py (pkg.shapes) has the names circle, counter, shapes, square.\n", "pkg/open.py (pkg.open) has the names counter, shapes, sides and may have more.\n",
		"pkg/new.py (.new) is changed by the pull request too, and is not shown.\n",
	} {
		if !strings.Contains(b, want) || !strings.HasPrefix(c, b) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
	if !strings.Contains(c, "\n--- pkg/shapes.py\ndef square") || strings.Contains(c, "filler") || strings.Contains(c, "owner/repo#7") || strings.Contains(c, "class Counter") || strings.Contains(b, "def square") {
		t.Errorf("C shows\n%s", c)
	}
	for _, text := range []string{b, c} {
		known := bugs.ReadContext(text)
		if m := known("pkg.shapes", 0); m == nil || !m.Names["square"] || m.Names["squre"] || m.Open != "" {
			t.Errorf("read back: %+v", m)
		}
		if m := known("pkg.open", 0); m == nil || m.Open == "" {
			t.Errorf("an open module is read as closed: %+v", m)
		}
		if known("pkg.evil", 0) != nil || known("new", 1) != nil || known("os", 0) != nil {
			t.Error("more is known than is written")
		}
	}
	if text := bugs.Shows(&q, bugs.ConfigA); text != q.View || strings.Contains(text, "circle") {
		t.Error("A shows other files")
	}
	alone := bugs.Controls(f, o, nil)[0].Question
	if text := bugs.ContextOf(&alone, bugs.ConfigC); text != "The file imports from no other file of the repository.\n" || bugs.ReadContext(text)("pkg", 0) != nil {
		t.Errorf("without modules: %q", text)
	}
}

// However large a file is, its few added lines are tried.
func TestAddedLinesOfALargeFileAreTried(t *testing.T) {
	o := options()
	o.Mode, o.MinAdded, o.MaxLines, o.MaxBytes = bugs.ModeChange, 1, 10_000, 1<<20
	o.Families = []injection.Family{injection.UndeclaredName}
	large := source
	for i := range 300 {
		large += fmt.Sprintf("\n\ndef helper%d(value):\n    factor = value * 2\n    return factor + value\n", i)
	}
	base := strings.Replace(large, "        result = {}\n", "", 1)
	change := parse(t, "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -13,2 +13,3 @@\n     def count(self, words):\n+        result = {}\n         for word in words:\n")
	f, code := bugs.Changed("o/r#1", change, []byte(base), o)
	if code != "" {
		t.Fatal(code)
	}
	if drafts := bugs.Draw(f, o, nil); len(drafts) != 1 {
		t.Errorf("%d questions: result can be renamed or left out", len(drafts))
	}
}
