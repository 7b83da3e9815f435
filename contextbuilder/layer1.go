package contextbuilder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// summarize is the section of layer 1: the model's text if there is one, else
// the rules'.
func (b *Builder) summarize(p *pull) string {
	lines := modelLines(p.in.Summary)
	if len(lines) == 0 {
		return section(1, b.ruleSummary(p.changes))
	}
	kept := ""
	for _, line := range lines {
		if next := kept + line + "\n"; b.counter.Count(next) <= b.opts.SummaryTokens {
			kept = next
			continue
		}
		break
	}
	if kept == "" {
		return section(1, b.ruleSummary(p.changes))
	}
	return section(1, kept)
}

// modelLines are the lines of a model's summary, made harmless: one that could
// pass for a heading, a fence or a separator becomes a quotation.
func modelLines(text string) []string {
	var out []string
	for line := range strings.SplitSeq(plain(text), "\n") {
		line = strings.TrimRight(line, " \t")
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if strings.HasPrefix(trimmed, "#") || fenceMark(trimmed) != "" || strings.Trim(trimmed, "-=* ") == "" {
			line = quoted(line)
		}
		out = append(out, line)
	}
	return out
}

// ruleSummary says what changed in each file, best file first. Where that is
// more than SummaryTokens, files lose their details from the last one up, and
// what then still does not fit is counted.
func (b *Builder) ruleSummary(changes []*change) string {
	long, short := make([]string, len(changes)), make([]string, len(changes))
	for i, c := range changes {
		short[i] = fmt.Sprintf("- %s: %s", shownPath(c.path), scope(c.diff))
		long[i] = short[i] + details(c)
	}
	lines := slices.Clone(long)
	body := func(n int) string { return "Key changes:\n" + strings.Join(lines[:n], "") + rest(changes[n:]) }
	fits := func(n int) bool { return b.counter.Count(body(n)) <= b.opts.SummaryTokens }
	for i := range lines {
		lines[i] += "\n"
	}
	n := len(lines)
	for i := n - 1; i > 0 && !fits(n); i-- {
		lines[i] = short[i] + "\n"
	}
	for n > 1 && !fits(n) {
		n--
	}
	if n > 0 && !fits(n) {
		lines[0] = short[0] + "\n"
	}
	if n > 0 && !fits(n) {
		n = 0
	}
	for i := 1; i < n; i++ { // dropping whole lines may have made room for details again
		if kept := lines[i]; kept != long[i]+"\n" {
			lines[i] = long[i] + "\n"
			if !fits(n) {
				lines[i] = kept
			}
		}
	}
	return body(n)
}

// rest counts the files that have no line of their own.
func rest(changes []*change) string {
	if len(changes) == 0 {
		return ""
	}
	added, deleted := 0, 0
	for _, c := range changes {
		added += c.diff.AddedLines
		deleted += c.diff.DeletedLines
	}
	return fmt.Sprintf("- and %s (+%d -%d)\n", count(len(changes), "more file"), added, deleted)
}

// scope says what became of a file as a whole.
func scope(f *unidiff.File) string {
	lines := fmt.Sprintf("+%d -%d", f.AddedLines, f.DeletedLines)
	from := ""
	if f.IsRename || f.IsCopy {
		from = " from " + shownPath(f.OldPath)
	}
	switch {
	case f.IsBinary:
		return "binary file changed"
	case f.OldPath == "":
		return "new file, " + lines
	case f.NewPath == "":
		return "deleted, " + lines
	case f.IsCopy:
		return "copied" + from + ", " + lines
	case f.IsRename && len(f.Hunks) == 0:
		return "renamed" + from
	case f.IsRename:
		return "renamed" + from + ", " + lines
	case len(f.Hunks) == 0 && f.OldMode != f.NewMode:
		return fmt.Sprintf("mode changed from %o to %o", f.OldMode, f.NewMode)
	default:
		return lines
	}
}

// details lists definitions added, changed and removed, and new signatures.
func details(c *change) string {
	var b strings.Builder
	say := func(what string, names []string) {
		if len(names) > 0 {
			b.WriteString("; " + what + " " + strings.Join(names, ", "))
		}
	}
	d := compare(c)
	say("adds", d.added)
	say("removes", d.removed)
	say("changes", d.changed)
	for _, s := range d.signatures {
		b.WriteString("; signature `" + s[0] + "` becomes `" + s[1] + "`")
	}
	return b.String()
}

// difference lists definitions by what became of them, each in source order.
type difference struct {
	added, removed, changed []string
	signatures              [][2]string // before and after
}

// compare tells a file's definitions of before from those of after, by
// qualified name. A definition inside an added or removed one is not listed.
func compare(c *change) difference {
	var d difference
	if c.was == nil && c.is == nil || c.was == nil && c.diff.OldPath != "" || c.is == nil && c.diff.NewPath != "" {
		return d // one side is not known
	}
	before, after := signatures(c.was), signatures(c.is)
	d.added = onlyIn(c.is, after, before)
	d.removed = onlyIn(c.was, before, after)
	lines := changedNames(c)
	for _, name := range names(c.is) {
		old, ok := before[name]
		if !ok {
			continue
		}
		switch now := after[name]; {
		case len(old) == 1 && len(now) == 1 && old[0] != now[0]:
			d.signatures = append(d.signatures, [2]string{oneLine(old[0]), oneLine(now[0])})
		case lines[name]:
			d.changed = append(d.changed, oneLine(name))
		}
	}
	return d
}

// signatures maps qualified names to the signatures under them; several where
// a name is overloaded.
func signatures(f *syntax.File) map[string][]string {
	out := map[string][]string{}
	if f != nil {
		for i := range f.Definitions {
			out[f.Definitions[i].Qualified] = append(out[f.Definitions[i].Qualified], f.Definitions[i].Signature)
		}
	}
	return out
}

// names lists the qualified names of a file once each, in source order.
func names(f *syntax.File) []string {
	var out []string
	seen := map[string]bool{}
	if f != nil {
		for i := range f.Definitions {
			if name := f.Definitions[i].Qualified; !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// onlyIn lists the names of file that the other version lacks, leaving out
// those inside another that it lacks.
func onlyIn(file *syntax.File, here, there map[string][]string) []string {
	var out []string
	seen := map[string]bool{}
	if file == nil {
		return nil
	}
	for i := range file.Definitions {
		d := &file.Definitions[i]
		if there[d.Qualified] != nil || seen[d.Qualified] || here[d.Qualified] == nil {
			continue
		}
		if d.Parent >= 0 && there[file.Definitions[d.Parent].Qualified] == nil {
			continue
		}
		seen[d.Qualified] = true
		out = append(out, oneLine(d.Qualified))
	}
	return out
}

// changedNames is the set of definitions that changed lines innermost lie in.
func changedNames(c *change) map[string]bool {
	set := map[string]bool{}
	for _, h := range c.diff.Hunks {
		for _, l := range h.Lines {
			if l.Kind != unidiff.Context && strings.TrimSpace(l.Text) != "" {
				set[c.definitionAt(l)] = true
			}
		}
	}
	return set
}
