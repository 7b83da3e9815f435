package evaluation

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// The limits of the rules judge, by which a comment reports the same problem as a ground-truth comment. They are
// chosen for trials, not measured against people.
const (
	rulesNear      = 3    // lines apart at most, without a word in common
	rulesSameWords = 0.40 // share of common words, in the same file or without one
)

// rulesJudge labels comments by position and words, without a model:
//
//   - CONFIRMED for every ground-truth comment with the same text; with the same
//     file and a line in the same hunk of the diff or at most 3 lines away; or
//     with at least 40 % of the words in common, in the same file or where one
//     of the two names none.
//   - FABRICATED if it confirms nothing and names a line or file that is not in
//     the diff, only repeats a line of the diff, or says word for word what
//     another comment of the review says.
//   - PLAUSIBLE otherwise.
func rulesJudge(key Key, comments []Comment) []Opinion {
	diff, err := unidiff.Parse(key.Diff)
	if err != nil {
		diff = &unidiff.Diff{} // no position is in it; words still count
	}
	code := diffLines(diff)
	out := make([]Opinion, len(comments))
	said := map[string]int{}
	for _, c := range comments {
		said[c.Body]++
	}
	for i, c := range comments {
		out[i] = ruleFor(diff, code, key.Truth, c)
		if out[i].Label == plausible && said[c.Body] > 1 {
			out[i].Label, out[i].Reason = fabricated, "It says the same of several places."
		}
		out[i].Shown = i
	}
	return out
}

func ruleFor(diff *unidiff.Diff, code map[string]bool, truth []Truth, c Comment) Opinion {
	o := Opinion{Label: confirmed, Matches: []string{}, Claim: "cannot tell"}
	echo := code[strings.TrimSpace(c.Body)]
	for _, h := range truth {
		if why := sameByRule(diff, c, h, echo); why != "" {
			o.Matches = append(o.Matches, h.ID)
			o.Reason = why
		}
	}
	hunk, inFile := hunkAt(diff, c.File, c.Line)
	switch {
	case len(o.Matches) > 0:
	case echo:
		o.Label, o.Claim, o.Reason = fabricated, "no", "It only repeats a line of the diff."
	case c.File != "" && !inFile:
		o.Label, o.Reason = fabricated, "It names a file that is not in the diff."
	case c.Line != nil && hunk == nil:
		o.Label, o.Reason = fabricated, "It names a line that is not in the diff."
	default:
		o.Label, o.Reason = plausible, "No ground truth is near it or shares its words."
	}
	return o
}

// sameByRule says why a comment reports the problem of a truth, or "".
func sameByRule(diff *unidiff.Diff, c Comment, h Truth, echo bool) string {
	if strings.TrimSpace(c.Body) == strings.TrimSpace(h.Body) {
		return "It has the text of a ground-truth comment."
	}
	if echo {
		return ""
	}
	same := sameFile(c.File, h.File)
	if same && c.Line != nil && h.Line != nil {
		if abs(*c.Line-*h.Line) <= rulesNear {
			return fmt.Sprintf("It is at most %d lines from a ground-truth comment.", rulesNear)
		}
		a, _ := hunkAt(diff, c.File, c.Line)
		b, _ := hunkAt(diff, h.File, h.Line)
		if a != nil && a == b {
			return "It is in the hunk of a ground-truth comment."
		}
	}
	if (same || c.File == "" || h.File == "") && text.Jaccard(text.Words(c.Body), text.Words(h.Body)) >= rulesSameWords {
		return "It shares most words with a ground-truth comment."
	}
	return ""
}

// hunkAt is the hunk of a diff that holds a line, on the new side or else on
// the old one; nil if none does. inFile says whether the diff has the file.
func hunkAt(diff *unidiff.Diff, file string, line *int) (hunk *unidiff.Hunk, inFile bool) {
	for _, f := range diff.Files {
		if !sameFile(file, f.Path()) && !sameFile(file, f.OldPath) {
			continue
		}
		inFile = true
		for i := range f.Hunks {
			h := &f.Hunks[i]
			if line != nil && *line >= h.NewStart && *line < h.NewStart+h.NewLines {
				return h, true
			}
			if hunk == nil && line != nil && *line >= h.OldStart && *line < h.OldStart+h.OldLines {
				hunk = h
			}
		}
	}
	return hunk, inFile
}

// diffLines is the set of all lines of a diff that are not blank, trimmed.
func diffLines(diff *unidiff.Diff) map[string]bool {
	set := map[string]bool{}
	for _, f := range diff.Files {
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				if t := strings.TrimSpace(l.Text); t != "" {
					set[t] = true
				}
			}
		}
	}
	return set
}
