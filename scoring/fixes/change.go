package fixes

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// noCode matches lines that say nothing of behavior: blank, comments,
// docstring quotes, imports and names of a list of them, lone braces.
var noCode = regexp.MustCompile(`^\s*(?:$|//|/\*|\*|#(?:[^\[!]|$)|"""|'''|(?:import|from|package|use|using|export \* from)\b.*|\w+,$|[\[\](){};,]+$|(?:end|else|try|pass|return|break)[\s:;{]*$)`)

// tooling matches files that a project runs on itself: fuzzers, benchmarks, scripts, checks, examples.
var tooling = regexp.MustCompile(`(?i)(?:^|/)(?:[\w-]*fuzz\w*|bench\w*|scripts?|\.github|hack|\.?ci|xtask|examples?|e2e)/`)

// Change is a commit's change with the lines whose origin may be a culprit: the deleted lines of code or, without
// any, the lines of code close to insertions. A change with more than 400 such lines has none.
func Change(d *unidiff.Diff, o Options) model.FixChange {
	out := model.FixChange{Lines: []model.OriginLine{}}
	var near []model.OriginLine
	added := map[string]bool{}
	for _, f := range d.Files {
		if pathkind.IsTest(f.Path()) {
			out.Tests = true
		}
		if !pathkind.IsProduction(f.Path()) || tooling.MatchString(f.Path()) || pathkind.IsGenerated(f.Path(), nil) ||
			f.OldPath == "" || f.IsBinary {
			continue
		}
		out.Files++
		for _, h := range f.Hunks {
			for i, l := range h.Lines {
				switch {
				case noCode.MatchString(l.Text):
				case l.Kind == unidiff.Added:
					out.Added++
					maps.Copy(added, tokens(l.Text))
				case l.Kind == unidiff.Deleted:
					out.Deleted++
					out.Lines = append(out.Lines, model.OriginLine{Path: f.OldPath, Line: l.Old, Text: l.Text})
				case isNear(h, i, o.NearLines):
					near = append(near, model.OriginLine{Path: f.OldPath, Line: l.Old, Text: l.Text, Near: true})
				}
			}
		}
	}
	out.Extends = !slices.ContainsFunc(out.Lines, func(l model.OriginLine) bool { return losesWord(l.Text, added) })
	if len(out.Lines) == 0 {
		out.Lines = append(out.Lines, near...)
	}
	if len(out.Lines) > maxLines {
		out.Lines = []model.OriginLine{}
	}
	return out
}

// maxLines is how many lines of a commit are traced, so that a large one costs
// little.
const maxLines = 400

// fits reports whether a change is small enough for its lines to be about one
// fault.
func fits(c model.FixChange, o Options) bool {
	return c.Files > 0 && c.Files <= o.MaxFiles && c.Deleted <= o.MaxDeleted && c.Added <= o.MaxAdded &&
		c.Deleted+c.Added > 0
}

// isNear reports whether an insertion is at most so many lines away.
func isNear(h unidiff.Hunk, i, reach int) bool {
	around := h.Lines[max(0, i-reach):min(len(h.Lines), i+reach+1)]
	return slices.ContainsFunc(around,
		func(l unidiff.Line) bool { return l.Kind == unidiff.Added && !noCode.MatchString(l.Text) })
}

// Place finds the lines of a fault among those that a change adds, each once, by
// path and text.
func Place(d *unidiff.Diff, lines []model.OriginLine) []model.FaultLine {
	var placed []model.FaultLine
	used := map[model.FaultLine]bool{}
	for _, want := range lines {
		f := d.New(want.From)
		if f == nil {
			continue
		}
		for _, h := range f.Hunks {
			i := slices.IndexFunc(h.Lines, func(l unidiff.Line) bool {
				return l.Kind == unidiff.Added && strings.TrimSpace(l.Text) == strings.TrimSpace(want.Text) &&
					!used[model.FaultLine{Path: want.From, Line: l.New, Text: l.Text}]
			})
			if i >= 0 {
				at := model.FaultLine{Path: want.From, Line: h.Lines[i].New, Text: h.Lines[i].Text}
				placed, used[at] = append(placed, at), true
				break
			}
		}
	}
	return placed
}

// Likeness is how much the lines of a fault are like lines that the introducing
// change deletes, from 0 to 1: the mean over the lines of the similarity to the line
// most like it. A change with a high one moved or reworked older code.
func Likeness(d *unidiff.Diff, lines []model.OriginLine) float64 {
	var deleted []map[string]bool
	for _, f := range d.Files {
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				if l.Kind == unidiff.Deleted && !noCode.MatchString(l.Text) {
					deleted = append(deleted, tokens(l.Text))
				}
			}
		}
	}
	sum := 0.0
	for _, l := range lines {
		mine, most := tokens(l.Text), 0.0
		for _, other := range deleted {
			most = max(most, text.Jaccard(mine, other))
		}
		sum += most
	}
	return sum / max(1, float64(len(lines)))
}

// losesWord reports whether a line has a word that is not among the given tokens.
func losesWord(line string, kept map[string]bool) bool {
	for t := range tokens(line) {
		if !kept[t] && word.MatchString(t) {
			return true
		}
	}
	return false
}

var word = regexp.MustCompile(`^\w`)

var token = regexp.MustCompile(`\w+|[^\w\s]+`)

func tokens(line string) map[string]bool {
	out := map[string]bool{}
	for _, t := range token.FindAllString(line, -1) {
		out[t] = true
	}
	return out
}
