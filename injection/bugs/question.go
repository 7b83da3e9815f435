package bugs

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
)

// Family and kinds of controls.
const (
	FamilyNone = "none"
	Untouched  = "untouched" // the file as it is
)

// Controls are a file's drafts without a fault: the file unchanged, and with an edit that looks like a slip and
// changes nothing.
func Controls(f *File, o Options, modules injection.Modules) []Draft {
	d := f.draft(Untouched, nil, f.Head, o, modules)
	d.Answer.Family, d.Answer.Chance = FamilyNone, 0
	out := []Draft{d}
	for _, op := range injection.Harmless {
		for _, m := range f.drawn(op.Find(f.source), o) {
			edited, err := f.source.ProveHarmless(m)
			if err != nil {
				continue
			}
			d := f.draft(op.Kind, m.Edits, edited, o, modules)
			d.Answer.Family, d.Answer.Chance = FamilyNone, 0
			out = append(out, d)
			break
		}
	}
	return out
}

// draft is the common part of a question, its key and its evidence.
func (f *File) draft(kind string, edits []injection.Edit, shown []byte, o Options, modules injection.Modules) Draft {
	id := "q" + rank(o.Seed, o.Mode, f.Pull, f.Path, f.HeadBlob, kind, edits)[:20]
	added := addedAfter(f.Head, f.Added, edits)
	source := f.source // a wrong indentation has no tree; its lines are where they were
	if after, err := injection.Read(shown); err == nil {
		source = after
	}
	status := "modified"
	if f.BaseBlob == nil {
		status = "added"
	}
	return Draft{
		Pull: f.Pull,
		Question: model.BugQuestion{
			QuestionID: id, Mode: o.Mode, Prompt: prompt, Path: f.Path,
			View:     View(o.Mode, f.Path, shown, added, f.Title, f.Body),
			Contexts: contexts(source, f.Path, f.Pull, modules, o.ContextBytes),
		},
		Answer: model.BugAnswer{
			QuestionID: id, Path: f.Path, Status: status, Mode: o.Mode, BaseBlob: f.BaseBlob, HeadBlob: f.HeadBlob,
			Kind: kind, Edits: slices.Clone(append([]injection.Edit{}, edits...)),
			CandidateLines: candidates(source, o.Mode, added),
			LogicalLines:   f.source.LogicalLines(), AddedLines: slices.Sorted(maps.Keys(added)),
			DecidableIn: decidable(FamilyNone),
		},
		Evidence: model.BugEvidence{QuestionID: id, BoundNames: f.source.Bound(), Refused: map[string]string{},
			Files: map[string]string{}},
	}
}

// fault adds what was proven.
func (d *Draft) fault(f *File, k injection.Kind, m injection.Mutation, p *injection.Proof, refused map[string]string) {
	fault := p.Fault
	a, e := &d.Answer, &d.Evidence
	a.Family, a.Level, a.Fault, a.DecidableIn = string(k.Family), k.Level, &fault, decidable(string(k.Family))
	a.Chance = Chance(a.CandidateLines, &fault)
	e.Rule, e.Refused = string(p.Rule), refused
	e.Behavior = p.Behavior
	if p.Module != nil {
		e.Module, d.Module = p.Module.Path, p.Module
	}
	total := bytes.Count(p.Faulty, []byte("\n")) + 1
	e.Place = float64(fault.CauseLine) / float64(total)
	e.Distance = fault.ReportLine - fault.CauseLine
	e.SpelledElsewhere = fault.Intended != "" && f.source.InText(lastName(fault.Intended))
	old := strings.TrimSpace(lineOf(f.Head, m.Edits[0].Line))
	e.OldLineElsewhere = old != "" && slices.ContainsFunc(strings.Split(string(p.Faulty), "\n"),
		func(l string) bool { return strings.TrimSpace(l) == old })
}

// lastName is the name behind the last dot.
func lastName(s string) string { return s[strings.LastIndex(s, ".")+1:] }

func lineOf(src []byte, n int) string {
	lines := strings.Split(string(src), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

// accepted are the lines that count as the fault's: the edited line, the one that CPython reports and those that use
// the name.
func accepted(f *model.BugFault) []int {
	out := append([]int{f.CauseLine, f.ReportLine}, f.EffectLines...)
	slices.Sort(out)
	return slices.Compact(out)
}

// tolerance is how many lines off a claim may be: models that see line numbers
// hit or miss.
const tolerance = 1

// Chance is the share of the candidate lines that lie within Tolerance of an
// accepted one: how often a guesser is right about the line.
func Chance(candidates []int, f *model.BugFault) float64 {
	if len(candidates) == 0 {
		return 0
	}
	hits := 0
	for _, n := range candidates {
		if slices.ContainsFunc(accepted(f), func(a int) bool { return n-a <= tolerance && a-n <= tolerance }) {
			hits++
		}
	}
	return float64(hits) / float64(len(candidates))
}

// addedAfter are the added lines of the edited file. An edit that changes the
// number of lines moves those behind it; what it writes counts as added where
// the line it is on does.
func addedAfter(head []byte, added map[int]bool, edits []injection.Edit) map[int]bool {
	mark := func(line int) byte {
		if added[line] {
			return '+'
		}
		return ' '
	}
	var marks []byte // one for each byte of the edited file
	line, at := 1, 0
	copyTo := func(to int, keep bool) {
		for ; at < to; at++ {
			if keep {
				marks = append(marks, mark(line))
			}
			if head[at] == '\n' {
				line++
			}
		}
	}
	var text []byte
	for _, e := range edits {
		text = append(text, head[at:e.Offset]...)
		copyTo(e.Offset, true)
		text = append(text, e.New...)
		for range len(e.New) {
			marks = append(marks, mark(e.Line))
		}
		copyTo(e.Offset+len(e.Old), false)
	}
	text = append(text, head[at:]...)
	copyTo(len(head), true)
	out := map[int]bool{}
	line = 1
	for i := range min(len(text), len(marks)) {
		if marks[i] == '+' {
			out[line] = true
		}
		if text[i] == '\n' {
			line++
		}
	}
	return out
}

// maxBody is the longest description, in bytes, that is shown.
const maxBody = 4_000

// View is the text for a reviewer: the file with numbered lines; in ModeChange the added lines are marked, and title
// and description give the purpose of the change. Nothing in it leads to the original.
func View(mode, path string, src []byte, added map[int]bool, title, body string) string {
	var b strings.Builder
	if mode == ModeChange {
		fmt.Fprintf(&b, "A pull request changes the file %s. Lines marked with + are added by it.\n\n", path)
		fmt.Fprintf(&b, "Title: %s\n", strings.Join(strings.Fields(withoutSources(title)), " "))
		if body = withoutSources(body); body != "" && len(body) <= maxBody {
			fmt.Fprintf(&b, "Description:\n> %s\n", strings.ReplaceAll(body, "\n", "\n> "))
		}
	} else {
		fmt.Fprintf(&b, "A pull request adds the file %s.\n", path)
	}
	b.WriteString("\n")
	for i, l := range strings.Split(strings.TrimSuffix(string(src), "\n"), "\n") {
		mark := " "
		if mode == ModeChange && added[i+1] {
			mark = "+"
		}
		fmt.Fprintf(&b, "%5d %s| %s\n", i+1, mark, l)
	}
	return b.String()
}

// sources are what could lead to the original: addresses, numbers of issues and
// pull requests, ids of commits, accounts.
var sources = regexp.MustCompile(`(?im)(https?://|www\.)\S+|[\w.+-]+@[\w.-]+|@[a-z0-9][a-z0-9-]*|\b[\w.-]+/[\w.-]+#\d+|#\d+|\bGH-\d+|\b[0-9a-f]{7,40}\b|^(co-authored|signed-off)-by:.*$|<!--[\s\S]*?-->`)

// withoutSources removes from a text what could lead to the original.
func withoutSources(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD")
	return strings.TrimSpace(sources.ReplaceAllString(s, "[...]"))
}

// Shown is the source that a view shows.
func Shown(view string) []byte {
	var b bytes.Buffer
	for _, l := range strings.SplitAfter(view, "\n") {
		if m := numbered.FindString(l); m != "" {
			b.WriteString(l[len(m):])
		}
	}
	return b.Bytes()
}

// numbered is what View writes before a line of the source.
var numbered = regexp.MustCompile(`^ *\d+ [ +]\| `)
