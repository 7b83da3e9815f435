package syntax

import (
	"bytes"
	"regexp"
	"sort"
	"strings"
)

// Form is how much of a definition is shown.
type Form int

// The forms. A definition without a body has only one: it is shown whole.
const (
	// Stub is the signature, with a placeholder for the body that is legal in
	// the language: "..." in Python, a comment before Ruby's "end", "{ /* ... */ }" elsewhere.
	Stub Form = iota
	// Asserted is a stub with the assertions of a test in place of its body.
	Asserted
	// Reduced is the definition with its body, but for what Pick.Reduction leaves
	// out of it.
	Reduced
	// Whole is the definition with its body, without its doc comment.
	Whole
	// Documented is the definition with its body and doc comment.
	Documented
)

// Pick asks for definition Def, an index of File.Definitions, in a form.
type Pick struct {
	Def  int
	Form Form
	// Reduction is what a Reduced definition lacks.
	Reduction Reduction
}

// maxStubDecorators is how many lines of decorators and annotations a stub may
// begin with; a longer row of them (tables of test cases) is left out.
const maxStubDecorators = 3

// Compose renders the picked definitions of a file as one text that is made to
// parse on its own: members are inside the headers of the definitions around them,
// what was left out between them is a comment "...", and everything is moved to
// the left margin. Picks are rendered in source order; one inside another
// picked Whole is already shown, and one picked Reduced gives way to picks inside
// it. The text ends with a newline; it is "" when nothing was picked.
//
// src is the source that the file was parsed from. Parts that the grammar did not
// understand do not parse: ask Parses, which takes longer than all of this.
func (f *File) Compose(src []byte, picks ...Pick) string {
	if f.Degraded != "" || len(picks) == 0 {
		return ""
	}
	c := composer{f: f, src: Normalize(src), form: map[int]Form{}, cuts: map[int][]cut{}, shown: map[int]bool{}}
	for _, p := range picks {
		if old, ok := c.form[p.Def]; !ok || p.Form > old {
			c.form[p.Def], c.cuts[p.Def] = p.Form, p.Reduction.cuts
		}
		for d := p.Def; d >= 0; d = f.Definitions[d].Parent {
			c.shown[d] = true
		}
	}
	return c.inner(-1)
}

// Text returns the lines of the span as they are in the normalized source, with
// a final newline. It need not parse: it is for line windows.
func (f *File) Text(src []byte, s Span) string {
	if s.Start < 1 {
		return ""
	}
	lines := strings.SplitAfter(string(Normalize(src)), "\n")
	text := strings.Join(lines[min(s.Start-1, len(lines)):min(s.End, len(lines))], "")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// composer renders picks.
type composer struct {
	f     *File
	src   []byte
	form  map[int]Form
	cuts  map[int][]cut // of Reduced ones
	shown map[int]bool  // picked definitions and those around them
}

// inner renders the shown definitions directly inside def, each ending with a
// newline, from the left margin.
func (c *composer) inner(def int) string {
	members := c.members(def)
	var out strings.Builder
	at, end := uint32(0), uint32(0)
	if def >= 0 {
		at, end = c.inside(&c.f.Definitions[def])
	}
	for k, i := range members {
		d := &c.f.Definitions[i]
		switch {
		case def >= 0 && c.omits(at, min(d.doc, d.from)):
			out.WriteString(c.f.Language.LineComment + " ...\n")
		case def < 0 && k > 0 && (d.HasBody() || c.f.Definitions[members[k-1]].HasBody()):
			out.WriteByte('\n')
		}
		text := c.render(i)
		if def >= 0 && c.f.Definitions[def].wrap == WrapObject {
			text += ","
		}
		out.WriteString(text + "\n")
		at = max(at, d.to)
	}
	if def >= 0 && c.omits(at, end) {
		out.WriteString(c.f.Language.LineComment + " ...\n")
	}
	return out.String()
}

// members are the shown definitions directly inside def, by position; of several
// that share one text (a, b = 1, 2) only the first.
func (c *composer) members(def int) []int {
	var out []int
	for i := range c.f.Definitions {
		if c.shown[i] && c.f.Definitions[i].Parent == def {
			out = append(out, i)
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return c.f.Definitions[out[a]].from < c.f.Definitions[out[b]].from })
	kept := out[:0]
	for _, i := range out {
		if len(kept) > 0 {
			last := &c.f.Definitions[kept[len(kept)-1]]
			if last.from == c.f.Definitions[i].from && last.to == c.f.Definitions[i].to {
				continue
			}
		}
		kept = append(kept, i)
	}
	return kept
}

// inside are the offsets behind what opens the body and before the word that ends it.
func (c *composer) inside(d *Definition) (from, to uint32) {
	switch {
	case c.f.Language.Indented || !d.HasBody():
		return d.bodyFrom, d.bodyTo
	case c.f.Language.BodyEnd != "":
		return d.bodyFrom, d.bodyTo - uint32(len(c.closing(d)))
	}
	return d.bodyFrom + 1, d.bodyTo
}

// closing is what a body ends with in a language of Family.BodyEnd: that word, or a bracket.
func (c *composer) closing(d *Definition) string {
	if end := c.f.Language.BodyEnd; bytes.HasSuffix(c.src[d.bodyFrom:d.bodyTo], []byte(end)) {
		return end
	}
	return string(c.src[d.bodyTo-1 : d.bodyTo])
}

// omits reports whether there is anything but white space and punctuation
// between two offsets.
func (c *composer) omits(from, to uint32) bool {
	return from < to && len(bytes.Trim(c.src[from:to], " \t\n\r;,})")) > 0
}

// render renders one definition from the left margin, without a final newline.
func (c *composer) render(i int) string {
	d := &c.f.Definitions[i]
	form, picked := c.form[i]
	switch {
	case picked && form == Documented:
		return c.documented(d)
	case picked && form == Whole, picked && !d.HasBody():
		return d.lead + c.dedented(d.from, d.to)
	case form == Reduced && picked && len(c.members(i)) == 0:
		return d.lead + c.reduced(d, c.cuts[i])
	case len(c.members(i)) > 0:
		return c.around(d, c.inner(i))
	case form == Asserted && d.Test != nil && len(d.Test.Assertions) > 0:
		if !c.isBlock(d) { // the body is the assertion
			return d.lead + c.dedented(d.from, d.to)
		}
		return c.around(d, c.asserted(d))
	}
	return c.stub(d)
}

// documented is the doc comment, then the definition, each from the left margin:
// a member of a group lacks the group's keyword, which belongs between the two.
func (c *composer) documented(d *Definition) string {
	text := d.lead + c.dedented(d.from, d.to)
	if d.doc >= d.from {
		return text
	}
	end := d.from
	if d.Lines.Start != d.Doc.End+1 {
		return text
	}
	return strings.TrimRight(c.dedented(d.doc, end), " \t\n") + "\n" + text
}

// header is the definition up to its body.
func (c *composer) header(d *Definition) string {
	from := d.from
	if bytes.Count(c.src[d.from:d.head], []byte("\n")) > maxStubDecorators {
		from = d.head
	}
	return d.lead + strings.TrimRight(c.dedented(from, d.bodyFrom), " \t\n")
}

// isBlock reports whether the body is one of statements or members.
func (c *composer) isBlock(d *Definition) bool {
	if c.f.Language.Indented {
		return d.Kind == Function || d.Kind == Method || d.Kind == Constructor || d.Kind == Class
	}
	return d.HasBody() && (c.f.Language.BodyEnd != "" || c.src[d.bodyFrom] == '{')
}

// stub is the definition with a placeholder for its body.
func (c *composer) stub(d *Definition) string {
	tail := string(c.src[d.bodyTo:d.to])
	switch {
	case !d.HasBody():
		return d.lead + c.dedented(d.from, d.to)
	case c.f.Language.Indented && c.isBlock(d):
		return c.header(d) + "\n    ..."
	case c.f.Language.Indented:
		return c.header(d) + " ..." + tail
	case c.f.Language.BodyEnd != "":
		return c.around(d, c.f.Language.LineComment+" ...")
	case c.src[d.bodyFrom] == '[':
		return c.header(d) + " [ /* ... */ ]" + tail
	case c.src[d.bodyFrom] == '{' && (d.Kind == Variable || d.Kind == Constant) && c.f.Language.TightLiterals:
		return c.header(d) + "{ /* ... */ }" + tail
	}
	return c.header(d) + " { /* ... */ }" + tail
}

// around is the definition with the given text as the inside of its body.
func (c *composer) around(d *Definition, inner string) string {
	if !d.HasBody() {
		return strings.TrimRight(inner, "\n")
	}
	if c.f.Language.Indented {
		return c.header(d) + "\n" + c.indent(inner, c.f.Language.Indent)
	}
	unit := c.f.Language.Indent
	if c.f.Language.BodyEnd != "" {
		return c.header(d) + "\n" + c.indent(inner, unit) + "\n" + c.closing(d) + string(c.src[d.bodyTo:d.to])
	}
	open := " {\n"
	if d.wrap == WrapEnum {
		open += unit + ";\n"
	}
	return c.header(d) + open + c.indent(inner, unit) + "\n}" + string(c.src[d.bodyTo:d.to])
}

// snapshot matches recorded text of several lines in an assertion
// ("toMatchInlineSnapshot"), which would take the room of other tests.
var snapshot = regexp.MustCompile("(napshot\\(\\s*)`(?:[^`\\\\]|\\\\.)*\n(?:[^`\\\\]|\\\\.)*`")

// asserted is the assertions of a test, one below the other, with a comment for
// what is left out.
func (c *composer) asserted(d *Definition) string {
	var out strings.Builder
	at, _ := c.inside(d)
	for _, a := range d.Test.Assertions {
		if c.omits(at, a.from) {
			out.WriteString(c.f.Language.LineComment + " ...\n")
		}
		out.WriteString(snapshot.ReplaceAllString(c.dedented(a.from, a.to), "${1}`...`") + "\n")
		at = a.to
	}
	return out.String()
}

// indent puts the unit before each line that is not blank; the final newline is
// dropped.
func (c *composer) indent(text, unit string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = unit + line
		}
	}
	return strings.Join(lines, "\n")
}

// dedented is a piece of the source with the indentation of its first line taken
// off each line that has it.
func (c *composer) dedented(from, to uint32) string {
	return c.dedent(string(c.src[from:to]), from)
}

// reduced is the definition with placeholders for what is cut out of it.
func (c *composer) reduced(d *Definition, cuts []cut) string {
	var out strings.Builder
	at := d.from
	for _, cut := range cuts {
		out.Write(c.src[at:cut.from])
		out.WriteString(cut.filler)
		at = min(cut.to, d.to) // blanks at the end of its line may lie outside
	}
	out.Write(c.src[at:d.to])
	return c.dedent(out.String(), d.from)
}

// dedent takes the indentation of the line of an offset off each line of a text
// that has it.
func (c *composer) dedent(text string, from uint32) string {
	start := bytes.LastIndexByte(c.src[:from], '\n') + 1
	margin := string(c.src[start:from])
	margin = margin[:len(margin)-len(strings.TrimLeft(margin, " \t"))]
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		n := 0
		for n < len(margin) && n < len(lines[i]) && lines[i][n] == margin[n] {
			n++
		}
		lines[i] = lines[i][n:]
	}
	return strings.Join(lines, "\n")
}
