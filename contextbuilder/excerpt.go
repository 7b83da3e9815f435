package contextbuilder

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/prforge/prforge/internal/syntax"
)

// snippet is one fragment that a layer may show: a definition in some form, an
// import, a top-level statement, or a window of lines.
type snippet struct {
	*source
	tier int    // relevance, best first
	why  string // shown beside the path, from the first snippet taken of the file
	// Exactly one of these is set. Definitions count from 0 and have a form; the others are lines.
	def       int // -1 if it is none
	form      syntax.Form
	reduction syntax.Reduction // of the form Reduced
	imports   syntax.Span
	statement syntax.Span
	window    syntax.Span
	note      string // shown as a comment above the file's fragments; "" for none
	// atMost is the maximum cost in tokens; 0 is no bound.
	atMost int
	places []int // of a definition's narrowest forms: the changed lines
	heads  bool  // shows no more than what is around those
	size   int   // see estimate; 0 until it is needed
}

// leastTokens is a lower bound of the snippet's tokens, so that most snippets that do not fit need no rendering.
func (o *snippet) leastTokens(m *measure) int {
	if o.def >= 0 && o.form < syntax.Reduced {
		return 1 + o.estimate(m)/2
	}
	return leastJoined(o.estimate(m))
}

// leastJoined is a lower bound of the tokens of a line of n among others: joined, words may share tokens.
func leastJoined(n int) int { return 1 + n*3/4 }

// estimate is the approximate cost of the snippet in tokens.
func (o *snippet) estimate(m *measure) int {
	if o.size > 0 {
		return o.size
	}
	if o.def >= 0 && o.form < syntax.Reduced {
		o.size = m.size(o.file.Definitions[o.def].Signature)
	} else {
		for line := range o.shows() {
			o.size += m.size(strings.TrimSpace(o.line(line)))
		}
	}
	return o.size
}

// shows iterates over the lines that the snippet shows: for a definition without its body those above it, else those
// that its reduction keeps.
func (o *snippet) shows() iter.Seq[int] {
	span, gone := o.span(), o.reduction.Lines(o.text)
	if o.def >= 0 && o.form < syntax.Reduced {
		if body := o.file.Definitions[o.def].Body; body.Start > span.Start {
			span.End = body.Start
		}
	}
	return func(yield func(int) bool) {
		for n := span.Start; n <= span.End; n++ {
			if len(gone) > 0 && n > gone[0].End {
				gone = gone[1:]
			}
			if (len(gone) == 0 || n < gone[0].Start) && !yield(n) {
				return
			}
		}
	}
}

// span is the lines of the snippet's definition or statement.
func (o *snippet) span() syntax.Span {
	switch {
	case o.def >= 0:
		return o.file.Definitions[o.def].Lines
	case o.imports.Start > 0:
		return o.imports
	case o.statement.Start > 0:
		return o.statement
	default:
		return o.window
	}
}

// excerpt is the shown part of one file.
type excerpt struct {
	*source
	why        string
	picks      map[int]syntax.Pick
	imports    []syntax.Span
	statements []syntax.Span
	windows    []syntax.Span
	notes      []string
	rendered
}

// with returns the excerpt with one more fragment; nil if that adds nothing.
func (e *excerpt) with(o *snippet) *excerpt {
	n := &excerpt{source: e.source, why: e.why, picks: maps.Clone(e.picks),
		imports: slices.Clone(e.imports), statements: slices.Clone(e.statements), windows: slices.Clone(e.windows),
		notes: slices.Clone(e.notes)}
	add := func(to *[]syntax.Span, s syntax.Span) bool {
		if slices.Contains(*to, s) {
			return false
		}
		*to = append(*to, s)
		slices.SortFunc(*to, func(a, b syntax.Span) int { return a.Start - b.Start })
		return true
	}
	more := false
	switch {
	case o.def >= 0:
		old, ok := n.picks[o.def]
		more = !e.holds(o.def) &&
			(!ok || old.Form < o.form || old.Form == o.form && o.reduction.Omitted() < old.Reduction.Omitted())
		if more {
			n.picks[o.def] = syntax.Pick{Def: o.def, Form: o.form, Reduction: o.reduction}
		}
	case o.imports.Start > 0:
		more = add(&n.imports, o.imports)
	case o.statement.Start > 0:
		more = add(&n.statements, o.statement)
	default:
		more = add(&n.windows, o.window)
	}
	if o.note != "" && !slices.Contains(n.notes, o.note) {
		n.notes = append(n.notes, o.note)
		more = true
	}
	if !more {
		return nil
	}
	return n
}

// holds reports whether a definition is already shown as part of an enclosing one.
func (e *excerpt) holds(def int) bool {
	for def = e.file.Definitions[def].Parent; def >= 0; def = e.file.Definitions[def].Parent {
		if pick, ok := e.picks[def]; ok && pick.Form >= syntax.Whole {
			return true
		}
	}
	return false
}

// lines are the texts of imports and statements.
func (e *excerpt) lines() []string {
	var out []string
	for _, s := range e.imports {
		out = append(out, importText(e.source, s))
	}
	for _, s := range e.statements {
		out = append(out, e.join(s))
	}
	return out
}

// legal reports whether imports, statements and outermost definitions parse, each alone. An excerpt grows by one of
// them at a time, so that parsed knows the others.
func (e *excerpt) legal(parsed map[fragment]bool) bool {
	texts := e.lines()
	outermost := map[int][]syntax.Pick{}
	for def, pick := range e.picks {
		for e.file.Definitions[def].Parent >= 0 {
			def = e.file.Definitions[def].Parent
		}
		outermost[def] = append(outermost[def], pick)
	}
	for _, picks := range outermost {
		texts = append(texts, e.file.Compose(e.text, picks...))
	}
	return !slices.ContainsFunc(texts, func(text string) bool {
		f := fragment{e.file.Language, text}
		ok, known := parsed[f]
		if !known {
			ok = syntax.Parses(f.language, f.text)
			parsed[f] = ok
		}
		return !ok
	})
}

// definitions is the text of all picked definitions.
func (e *excerpt) definitions() string {
	if len(e.picks) == 0 {
		return ""
	}
	picks := make([]syntax.Pick, 0, len(e.picks))
	for _, def := range slices.Sorted(maps.Keys(e.picks)) {
		picks = append(picks, e.picks[def])
	}
	return e.file.Compose(e.text, picks...)
}

// render is the excerpt's block; "" if it could be mistaken for our own layout.
func (e *excerpt) render() string {
	var b strings.Builder
	comment, id := "// ", ""
	if l := e.file.Language; l != nil {
		comment, id = l.LineComment+" ", l.ID
	}
	for _, note := range e.notes {
		b.WriteString(comment + note + "\n")
	}
	for i, text := range append(e.lines(), e.definitions()) {
		if i > 0 && i == len(e.imports) && text != "" {
			b.WriteString("\n")
		}
		b.WriteString(text)
	}
	title := shownPath(e.path)
	if e.why != "" {
		title += " (" + e.why + ")"
	}
	for i, s := range e.windows {
		if i > 0 {
			b.WriteString("[...]\n")
		}
		b.WriteString(e.join(s))
		title += ", lines " + itoa(s.Start) + " to " + itoa(s.End)
	}
	if forges(b.String()) {
		return ""
	}
	return block(title, id, b.String())
}

// importText is an import statement at the left margin. A single import of a group gets the keyword that it lacks.
func importText(s *source, span syntax.Span) string {
	text := strings.TrimLeft(s.join(span), " \t")
	if keyword := s.file.Language.ImportKeyword; !strings.HasPrefix(text, keyword) {
		text = keyword + " " + text
	}
	return text
}

// blocks caches excerpts, since the three texts of a pull request try much the same ones.
type blocks struct {
	rendered map[string]rendered
	parsed   map[fragment]bool
}

func newBlocks() *blocks {
	return &blocks{rendered: map[string]rendered{}, parsed: map[fragment]bool{}}
}

// fragment is a text in a language.
type fragment struct {
	language *syntax.Language
	text     string
}

// rendered is an excerpt as it is shown.
type rendered struct {
	block  string
	size   int         // of the block, in tokens
	parses func() bool // see legal; computed only for what fits, since it is the slowest check
}

// render is the excerpt's block with its facts.
func (c *blocks) render(e *excerpt, m *measure) rendered {
	key := fmt.Sprint(e.path, e.why, e.picks, e.imports, e.statements, e.windows, e.notes) // maps print sorted
	known, ok := c.rendered[key]
	if !ok {
		block := e.render()
		known = rendered{block, m.size(block), sync.OnceValue(func() bool { return e.legal(c.parsed) })}
		c.rendered[key] = known
	}
	return known
}
