package syntax

import (
	"strings"
	"sync"
)

// builder fills a File from a tree. Extraction recurses, to no more than the
// depth that copyTree kept.
type builder struct {
	t    *tree
	f    *File
	lang Language
	// comments are the comment nodes in source order.
	comments []int32
	// bindings are the names bound inside definitions.
	bindings []binding
	// known are the types among them so far.
	known map[boundIn]string
	// useSeen holds the uses already recorded.
	useSeen map[usedIn]bool
	uses    []usedIn
	names   map[string]string
	// What finish needs of the whole file, and what it copies into the file.
	bound   map[boundIn]string
	allUses map[Use]bool
	calls   []Call
	used    []Use
}

// builders holds builders that were given back, emptied: what they have room for
// need not be made again for every file.
var builders = sync.Pool{New: func() any {
	return &builder{
		known: map[boundIn]string{}, useSeen: map[usedIn]bool{}, names: map[string]string{},
		bound: map[boundIn]string{}, allUses: map[Use]bool{},
	}
}}

func newBuilder(t *tree, f *File) *builder {
	b := builders.Get().(*builder)
	b.t, b.f, b.lang = t, f, f.Language
	for i := range t.nodes {
		if isComment(t.kind(int32(i))) {
			b.comments = append(b.comments, int32(i))
		}
	}
	return b
}

// giveBack lets a later builder have the room of this one, which is not used
// again.
func (b *builder) giveBack() {
	clear(b.known)
	clear(b.useSeen)
	clear(b.names)
	clear(b.bound)
	clear(b.allUses)
	clear(b.bindings)
	clear(b.uses)
	clear(b.calls)
	clear(b.used)
	*b = builder{
		comments: b.comments[:0], bindings: b.bindings[:0], known: b.known, useSeen: b.useSeen, uses: b.uses[:0], names: b.names,
		bound: b.bound, allUses: b.allUses, calls: b.calls[:0], used: b.used[:0],
	}
	builders.Put(b)
}

// intern copies a name out of the source, once: the File must not keep the
// source alive.
func (b *builder) intern(s string) string {
	if v, ok := b.names[s]; ok {
		return v
	}
	v := strings.Clone(s)
	b.names[v] = v
	return v
}

// spec describes a definition to add.
type spec struct {
	kind     Kind
	name     string
	parent   int
	outer    int32 // the whole statement, with decorators and export keyword
	body     int32 // 0 or none if there is none
	start    int32 // first decorator, when it is before outer; else 0
	end      int32 // punctuation that ends it, when it follows outer; else 0
	head     uint32
	exported bool
	typ      string
	wrap     wrapping
	lead     string
	lines    int32  // node that gives the lines, when it is not outer
	bodyFrom uint32 // where the body begins when that is before the body's node
}

// define adds a definition and returns its index.
func (b *builder) define(s spec) int {
	o := b.t.nodes[s.outer]
	d := Definition{
		Kind: s.kind, Name: b.intern(s.name), Parent: s.parent, Exported: s.exported,
		Type: b.intern(s.typ), Broken: o.broken, from: o.from, to: o.to, wrap: s.wrap, lead: s.lead,
	}
	if s.start > 0 {
		d.from = b.t.nodes[s.start].from
	}
	if s.end > 0 {
		d.to = b.t.nodes[s.end].to
	}
	d.to = b.trimEnd(d.from, d.to)
	d.head = min(max(d.from, s.head), d.to)
	d.bodyFrom, d.bodyTo = d.to, d.to
	if s.body > 0 && !b.shortValue(s) {
		body := b.t.nodes[s.body]
		d.bodyFrom, d.bodyTo = body.from, b.trimEnd(body.from, body.to)
		if s.bodyFrom > 0 {
			d.bodyFrom = s.bodyFrom
		}
		// A body that the parser made up, having found none, may lie outside.
		d.bodyFrom = min(max(d.bodyFrom, d.head), d.to)
		d.bodyTo = min(max(d.bodyTo, d.bodyFrom), d.to)
		d.Body = b.t.span(d.bodyFrom, d.bodyTo)
	}
	lines := [2]uint32{d.from, d.to}
	if s.lines > 0 {
		lines = [2]uint32{b.t.nodes[s.lines].from, b.t.nodes[s.lines].to}
	}
	d.Lines = b.t.span(lines[0], lines[1])
	d.doc = b.docAbove(lines[0])
	if d.doc < lines[0] {
		d.Doc = Span{b.t.line(d.doc), d.Lines.Start - 1}
		if d.Doc.End < d.Doc.Start {
			d.Doc = Span{}
		}
	}
	d.doc = min(d.doc, d.from)
	d.Qualified = d.Name
	if s.parent >= 0 {
		d.Qualified = b.f.Definitions[s.parent].Qualified + "." + d.Name
	}
	d.Signature = b.signatureOf(&d)
	b.f.Definitions = append(b.f.Definitions, d)
	return len(b.f.Definitions) - 1
}

// shortValue reports whether a variable's value is on one line: such a variable
// is shown whole. A value that other definitions lie in is none.
func (b *builder) shortValue(s spec) bool {
	if s.kind != Variable && s.kind != Constant && s.kind != Field || s.wrap == wrapObject {
		return false
	}
	body := b.t.nodes[s.body]
	return b.t.line(body.from) == b.t.line(b.trimEnd(body.from, body.to))
}

// trimEnd drops white space at the end of a node: Python's blocks may run into
// the next line.
func (b *builder) trimEnd(from, to uint32) uint32 {
	for to > from && (b.t.src[to-1] == '\n' || b.t.src[to-1] == ' ' || b.t.src[to-1] == '\t' || b.t.src[to-1] == '\r') {
		to--
	}
	return to
}

// docAbove is where the comment that ends on the line above the offset begins,
// or the offset: comments on the lines directly above, each alone on its lines.
func (b *builder) docAbove(at uint32) uint32 {
	if !b.startsLine(at) { // the comment above is that of what the line begins with
		return at
	}
	for i := b.commentBefore(at); i >= 0; i-- {
		c := b.t.nodes[b.comments[i]]
		end := b.trimEnd(c.from, c.to)
		if b.t.line(max(end, 1)-1)+1 != b.t.line(at) || !b.startsLine(c.from) {
			break
		}
		at = c.from
	}
	return at
}

// commentBefore is the index of the last comment that begins before the offset.
func (b *builder) commentBefore(at uint32) int {
	lo, hi := 0, len(b.comments)
	for lo < hi {
		mid := (lo + hi) / 2
		if b.t.nodes[b.comments[mid]].from < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// startsLine reports whether there is only white space before the offset on its
// line.
func (b *builder) startsLine(at uint32) bool {
	for at > 0 && (b.t.src[at-1] == ' ' || b.t.src[at-1] == '\t') {
		at--
	}
	return at == 0 || b.t.src[at-1] == '\n'
}

// maxSignature is how many bytes of a declaration are made into a signature;
// beyond, as in a list of a thousand variables, the name alone must do.
const maxSignature = 4_000

// signatureOf is the signature of a definition, computed once for names that
// share one declaration.
func (b *builder) signatureOf(d *Definition) string {
	if n := len(b.f.Definitions); n > 0 {
		last := &b.f.Definitions[n-1]
		if last.head == d.head && last.bodyFrom == d.bodyFrom && last.lead == d.lead && d.bodyFrom-d.head <= maxSignature {
			return last.Signature
		}
	}
	if d.bodyFrom-d.head > maxSignature {
		return d.lead + d.Name
	}
	return b.signature(d.lead, d.head, d.bodyFrom)
}

// signature is the text on one line, without comments and what only joins it to
// a body.
func (b *builder) signature(lead string, from, to uint32) string {
	var s strings.Builder
	s.WriteString(lead)
	at := from
	for i := b.commentBefore(from) + 1; i < len(b.comments); i++ {
		c := b.t.nodes[b.comments[i]]
		if c.from >= to {
			break
		}
		if c.from >= at {
			s.Write(b.t.src[at:c.from])
			s.WriteByte(' ')
			at = min(c.to, to)
		}
	}
	s.Write(b.t.src[at:to])
	text := tidy.Replace(strings.Join(strings.Fields(s.String()), " "))
	if b.lang == Python {
		return strings.TrimRight(text, ": ")
	}
	text = strings.TrimSuffix(text, " =>")
	return strings.TrimRight(text, " ;=")
}

// tidy closes the gaps that joining the lines of a parameter list leaves.
var tidy = strings.NewReplacer("( ", "(", ", )", ")", " )", ")")

// call records a call; args is the argument list, for its first literal.
func (b *builder) call(name, receiver string, at int32, def int, args int32) {
	if name == "" {
		return
	}
	c := Call{Name: b.intern(name), Receiver: b.intern(receiver), Line: b.t.line(b.t.nodes[at].from), Def: def}
	b.t.children(args, func(a int32) {
		if !isComment(b.t.kind(a)) {
			c.Args++
		}
	})
	if s, ok := b.t.literal(b.t.firstNamed(args)); ok {
		c.Literal = b.intern(s)
	}
	b.calls = append(b.calls, c)
}

// use records a use.
func (b *builder) use(name, receiver string, at int32) {
	u := Use{Name: name, Receiver: receiver}
	key := usedIn{u, b.innermost(b.t.nodes[at].from)}
	if name == "" || receiver == "?" || b.useSeen[key] {
		return
	}
	u = Use{Name: b.intern(name), Receiver: b.intern(receiver)}
	key.Use = u
	b.useSeen[key] = true
	u.Line = b.t.line(b.t.nodes[at].from)
	b.uses = append(b.uses, usedIn{u, key.def})
}

// usedIn is a use with the definition around it.
type usedIn struct {
	Use
	def int
}

// innermost is the definition around an offset, as far as the walk has come: the
// last one defined or one around that.
func (b *builder) innermost(at uint32) int {
	i := len(b.f.Definitions) - 1
	for i >= 0 && (at < b.f.Definitions[i].from || at >= b.f.Definitions[i].to) {
		i = b.f.Definitions[i].Parent
	}
	return i
}

// test is the test part of a definition, made when first asked for.
func (b *builder) test(def int, role Role) *Test {
	d := &b.f.Definitions[def]
	if d.Test == nil {
		d.Test = &Test{Role: role}
	}
	return d.Test
}

func (b *builder) assertion(def int, n int32) {
	from := b.t.nodes[n].from
	to := b.trimEnd(from, b.t.nodes[n].to)
	t := b.f.Definitions[def].Test
	t.Assertions = append(t.Assertions, Assertion{Lines: b.t.span(from, to), from: from, to: to})
}
