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

// source is a parsed file of the base commit with its normalized text.
type source struct {
	path  string
	file  *syntax.File
	text  []byte
	lines []string // of text
	inner []int    // see enclosing; nil before it was asked for
}

func newSource(path string, file *syntax.File, text []byte) *source {
	return &source{path: path, file: file, text: text, lines: strings.Split(string(text), "\n")}
}

// enclosing is what file.Enclosing answers, for code that asks for many lines.
func (s *source) enclosing(n int) int {
	if s.inner == nil {
		s.inner = s.file.EnclosingByLine()
	}
	if n < 0 || n >= len(s.inner) {
		return -1
	}
	return s.inner[n]
}

// line is line n of the source, from 1; "" outside it.
func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// join is the lines of a span, each with a line feed.
func (s *source) join(span syntax.Span) string {
	if span.Start < 1 || span.End > len(s.lines) || span.Start > span.End {
		return ""
	}
	return strings.Join(s.lines[span.Start-1:span.End], "\n") + "\n"
}

// words goes through the identifiers on some lines.
func (s *source) words(span syntax.Span) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := span.Start; n <= span.End; n++ {
			for word := range wordsIn(s.line(n)) {
				if !yield(word) {
					return
				}
			}
		}
	}
}

// has reports whether an identifier is on some lines.
func (s *source) has(span syntax.Span, word string) bool {
	for w := range s.words(span) {
		if w == word {
			return true
		}
	}
	return false
}

// wordsIn goes through the identifiers in a text.
func wordsIn(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return !isWord(r) })
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f
}

// snippet is one fragment that a layer may show: a definition in some form, an
// import, a top-level statement, or a window of lines.
type snippet struct {
	*source
	tier int    // relevance, best first
	why  string // shown beside the path, from the first snippet taken of the file
	// Exactly one of these is what is offered. Definitions count from 0 and have
	// a form; the others are lines.
	def       int // -1 if it is none
	form      syntax.Form
	reduction syntax.Reduction // of the form Reduced
	imports   syntax.Span
	statement syntax.Span
	window    syntax.Span
	note      string // shown as a comment above the file's fragments; "" for none
	// atMost is the most tokens that taking it may cost; 0 is no bound.
	atMost int
	places []int // of a definition's narrowest forms: the changed lines
	heads  bool  // shows no more than what is around those
	size   int   // see estimate; 0 before it was asked for
}

// leastTokens is fewer tokens than the snippet can cost, so that most of those
// that do not fit need not be rendered.
func (o *snippet) leastTokens(m *measure) int {
	if o.def >= 0 && o.form < syntax.Reduced {
		return 1 + o.estimate(m)/2
	}
	return 1 + o.estimate(m)*3/4 // joined, words may share tokens
}

// estimate is about how many tokens the snippet costs.
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

// shows goes through the lines that the snippet shows: of a definition without
// its body those above it, else those that its reduction leaves.
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

// span is the lines of what the snippet is of.
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

// excerpt is what is shown of one file.
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

// with is the excerpt with one more fragment; nil when that shows no more than
// before.
func (e *excerpt) with(o *snippet) *excerpt {
	n := &excerpt{source: e.source, why: e.why, picks: maps.Clone(e.picks),
		imports: slices.Clone(e.imports), statements: slices.Clone(e.statements), windows: slices.Clone(e.windows), notes: slices.Clone(e.notes)}
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
		more = !e.holds(o.def) && (!ok || old.Form < o.form || old.Form == o.form && o.reduction.Omitted() < old.Reduction.Omitted())
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

// holds reports whether a definition is shown already as part of one around it.
func (e *excerpt) holds(def int) bool {
	for def = e.file.Definitions[def].Parent; def >= 0; def = e.file.Definitions[def].Parent {
		if pick, ok := e.picks[def]; ok && pick.Form >= syntax.Whole {
			return true
		}
	}
	return false
}

// pieces are the fragments that have to parse, each on its own: imports,
// statements, and all definitions as one.
func (e *excerpt) pieces() []string {
	var out []string
	for _, s := range e.imports {
		out = append(out, importText(e.source, s))
	}
	for _, s := range e.statements {
		out = append(out, e.join(s))
	}
	if len(e.picks) > 0 {
		picks := make([]syntax.Pick, 0, len(e.picks))
		for _, def := range slices.Sorted(maps.Keys(e.picks)) {
			picks = append(picks, e.picks[def])
		}
		out = append(out, e.file.Compose(e.text, picks...))
	}
	return out
}

// legal reports whether all pieces parse.
func (e *excerpt) legal() bool {
	return !slices.ContainsFunc(e.pieces(), func(piece string) bool { return !syntax.Parses(e.file.Language, piece) })
}

// render is the excerpt's block; "" when it could be mistaken for a part of our
// own layout.
func (e *excerpt) render() string {
	var b strings.Builder
	comment := e.file.Language.LineComment() + " "
	for _, note := range e.notes {
		b.WriteString(comment + note + "\n")
	}
	for i, piece := range e.pieces() {
		if i > 0 && i == len(e.imports) {
			b.WriteString("\n")
		}
		b.WriteString(piece)
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
	return block(title, string(e.file.Language), b.String())
}

// importText is an import statement as written, moved to the left margin.
// One spec of a Go import group gets the keyword that it lacks.
func importText(s *source, span syntax.Span) string {
	text := strings.TrimLeft(s.join(span), " \t")
	if s.file.Language == syntax.Go && !strings.HasPrefix(text, "import") {
		text = "import " + text
	}
	return text
}

// codeLayer is a layer made of excerpts: layers 3 and 5.
type codeLayer struct {
	measure
	number   int
	snippets []*snippet
	excerpts []*excerpt
	files    map[string]int // order of the excerpts: that of the best snippets of their files
	taken    map[*snippet]bool
	skip     func(*snippet) bool // what the diff shows already
	order    func()              // what is offered, again; nil leaves it
	last     []*snippet          // shown only when there is nothing else
	cache    blocks
	base     int // size of the section without excerpts
	imported int // tokens that imports take
}

// importShare is the most of the room that imports take: lists of them say less
// than the code that they push out.
const importShare = 0.15

func newCodeLayer(m measure, number int, snippets []*snippet, cache blocks, skip func(*snippet) bool) *codeLayer {
	base := m.size(section(number, "\n-")) // "-" takes the place of the excerpts
	files := map[string]int{}
	for i, o := range snippets {
		if _, ok := files[o.path]; !ok {
			files[o.path] = i
		}
	}
	return &codeLayer{measure: m, number: number, snippets: snippets, cache: cache, base: base, taken: map[*snippet]bool{}, skip: skip, files: files}
}

// fill takes snippets in order as long as they fit. What the diff shows already
// is only taken when the layer would otherwise be empty.
func (l *codeLayer) fill(limit int) {
	l.last = nil
	if l.order != nil {
		l.order()
	}
	for _, o := range l.snippets {
		if l.taken[o] {
			continue
		}
		if l.skip(o) {
			l.last = append(l.last, o)
			continue
		}
		l.take(o, limit)
	}
	for _, o := range l.last {
		if len(l.excerpts) > 0 {
			break
		}
		l.take(o, limit)
	}
	l.set(l.render())
}

// take shows one snippet if it fits.
func (l *codeLayer) take(o *snippet, limit int) {
	i := slices.IndexFunc(l.excerpts, func(e *excerpt) bool { return e.path == o.path })
	if o.imports.Start > 0 && !l.showsCode(o.path) {
		return // an import says nothing without what uses it
	}
	if least := o.leastTokens(&l.measure); l.total()+least > limit && !l.replaces(o) || o.atMost > 0 && least > o.atMost {
		return
	}
	old := &excerpt{source: o.source, why: o.why}
	if i >= 0 {
		old = l.excerpts[i]
	} else {
		old.picks = map[int]syntax.Pick{}
	}
	e := old.with(o)
	if e == nil {
		l.taken[o] = true // shown as part of something else
		return
	}
	e.rendered = l.cache.render(e, &l.measure)
	grown := e.size - old.size
	if e.block == "" || l.total()+grown > limit || o.atMost > 0 && grown > o.atMost {
		return
	}
	if o.imports.Start > 0 && float64(l.imported+grown) > importShare*float64(limit) || !e.parses() {
		return
	}
	if o.imports.Start > 0 {
		l.imported += grown
	}
	l.taken[o] = true
	if i >= 0 {
		l.excerpts[i] = e
	} else {
		l.excerpts = append(l.excerpts, e)
	}
}

// showsCode reports whether definitions or statements of a file are shown.
func (l *codeLayer) showsCode(path string) bool {
	return slices.ContainsFunc(l.excerpts, func(e *excerpt) bool { return e.path == path && len(e.picks)+len(e.statements) > 0 })
}

// replaces reports whether a snippet is a longer form of what is shown, which
// then costs less than all of it.
func (l *codeLayer) replaces(o *snippet) bool {
	i := slices.IndexFunc(l.excerpts, func(e *excerpt) bool { return e.path == o.path })
	if i < 0 || o.def < 0 {
		return false
	}
	if _, shown := l.excerpts[i].picks[o.def]; shown {
		return true
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(l.excerpts[i].picks)), func(def int) bool {
		return o.file.Definitions[def].Parent == o.def
	})
}

// blocks keeps what was rendered, since the three texts of a pull request try
// much the same excerpts.
type blocks map[string]rendered

// rendered is an excerpt as it is shown.
type rendered struct {
	block  string
	size   int         // of the block, in tokens
	parses func() bool // see legal; asked of what fits, since it takes longer than the rest
}

// render is the excerpt's block with what is known of it.
func (c blocks) render(e *excerpt, m *measure) rendered {
	key := fmt.Sprint(e.path, e.why, e.picks, e.imports, e.statements, e.windows, e.notes) // maps print sorted
	known, ok := c[key]
	if !ok {
		block := e.render()
		known = rendered{block, m.size(block), sync.OnceValue(e.legal)}
		c[key] = known
	}
	return known
}

func (l *codeLayer) total() int {
	n := l.base
	for _, e := range l.excerpts {
		n += e.size
	}
	return n
}

func (l *codeLayer) render() string {
	if len(l.excerpts) == 0 {
		return ""
	}
	excerpts := slices.Clone(l.excerpts)
	slices.SortStableFunc(excerpts, func(a, b *excerpt) int { return l.files[a.path] - l.files[b.path] })
	body := "\n"
	for _, e := range excerpts {
		body += e.block
	}
	return section(l.number, body)
}

func (l *codeLayer) hasMore() bool { return len(l.taken)+len(l.last) < len(l.snippets) }

func (l *codeLayer) report() (shown, left int) {
	for _, e := range l.excerpts {
		shown += len(e.picks) + len(e.imports) + len(e.statements) + len(e.windows)
	}
	return shown, len(l.snippets) - len(l.taken)
}
