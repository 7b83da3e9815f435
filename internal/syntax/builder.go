package syntax

import (
	"strings"
	"sync"
)

// builders holds the emptied builders of earlier files, so that their maps and
// slices are reused.
var builders = sync.Pool{New: func() any {
	return &Builder{
		known: map[boundIn]string{}, useSeen: map[usedIn]bool{}, names: map[string]string{},
		bound: map[boundIn]string{}, allUses: map[Use]bool{},
	}
}}

func newBuilder(t *tree, f *File) *Builder {
	b := builders.Get().(*Builder)
	b.t, b.File = t, f
	for i := range t.nodes {
		if IsComment(t.kind(int32(i))) {
			b.comments = append(b.comments, int32(i))
		}
	}
	return b
}

// giveBack makes the memory of a Builder free for a later one. This one must not be
// used again.
func (b *Builder) giveBack() {
	clear(b.known)
	clear(b.useSeen)
	clear(b.names)
	clear(b.bound)
	clear(b.allUses)
	clear(b.bindings)
	clear(b.uses)
	clear(b.calls)
	clear(b.used)
	*b = Builder{
		comments: b.comments[:0], bindings: b.bindings[:0], known: b.known, useSeen: b.useSeen, uses: b.uses[:0],
		names: b.names,
		bound: b.bound, allUses: b.allUses, calls: b.calls[:0], used: b.used[:0],
	}
	builders.Put(b)
}

// Intern copies a name out of the source, once: the File must not keep the
// source alive.
func (b *Builder) Intern(s string) string {
	if v, ok := b.names[s]; ok {
		return v
	}
	v := strings.Clone(s)
	b.names[v] = v
	return v
}

// Spec describes a definition to add.
type Spec struct {
	Kind   Kind
	Name   string
	Parent int  // index of the definition around it, or -1
	Outer  Node // the whole statement, with decorators and export keyword
	Body   Node // none if there is nothing to leave out
	Start  Node // the first decorator, when it is before Outer
	End    Node // punctuation that ends it, when it follows Outer
	Head   int  // offset behind decorators and annotations; 0 if there are none
	// Exported is what the language says of the definition alone: one in another that
	// is not exported is not either.
	Exported bool
	Type     string // as in Definition
	Wrap     Wrapping
	Lead     string // keyword that a member of a group lacks: "const "
	Lines    Node   // gives the lines, when it is not Outer
	BodyFrom int    // offset where the body begins when that is before Body
}

// Define adds a definition and returns its index.
func (b *Builder) Define(s Spec) int {
	o := b.t.nodes[s.Outer.i]
	d := Definition{
		Kind: s.Kind, Name: b.Intern(s.Name), Parent: s.Parent, Exported: s.Exported,
		Type: b.Intern(s.Type), Broken: o.broken, from: o.from, to: o.to, wrap: s.Wrap, lead: s.Lead,
	}
	if s.Start.Exists() {
		d.from = b.t.nodes[s.Start.i].from
	}
	if s.End.Exists() {
		d.to = b.t.nodes[s.End.i].to
	}
	d.to = b.t.trimEnd(d.from, d.to)
	d.head = min(max(d.from, uint32(s.Head)), d.to)
	d.bodyFrom, d.bodyTo = d.to, d.to
	if s.Body.Exists() && !b.shortValue(s) {
		body := b.t.nodes[s.Body.i]
		d.bodyFrom, d.bodyTo = body.from, b.t.trimEnd(body.from, body.to)
		if s.BodyFrom > 0 {
			d.bodyFrom = uint32(s.BodyFrom)
		}
		// A body that the parser made up, having found none, may lie outside.
		d.bodyFrom = min(max(d.bodyFrom, d.head), d.to)
		d.bodyTo = min(max(d.bodyTo, d.bodyFrom), d.to)
		d.Body = b.t.span(d.bodyFrom, d.bodyTo)
	}
	lines := [2]uint32{d.from, d.to}
	if s.Lines.Exists() {
		lines = [2]uint32{b.t.nodes[s.Lines.i].from, b.t.nodes[s.Lines.i].to}
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
	if s.Parent >= 0 {
		d.InTests = b.Definitions[s.Parent].InTests
		d.Qualified = b.Definitions[s.Parent].Qualified + "." + d.Name
	}
	d.Signature = b.signatureOf(&d)
	b.Definitions = append(b.Definitions, d)
	return len(b.Definitions) - 1
}

// SetBody makes the bytes from one node to the end of another the body of a
// definition, for a body that has no node of its own.
func (b *Builder) SetBody(def int, open, end Node) {
	d := &b.Definitions[def]
	d.bodyFrom, d.bodyTo = b.t.nodes[open.i].from, b.t.nodes[end.i].to
	d.Body = b.t.span(d.bodyFrom, d.bodyTo)
	d.Signature = b.signature(d.lead, d.head, d.bodyFrom)
}

// IsAllOf reports whether a definition is all that a statement holds.
func (b *Builder) IsAllOf(def int, statement Node) bool {
	d, n := &b.Definitions[def], b.t.nodes[statement.i]
	return d.from <= n.from && d.to >= b.t.trimEnd(n.from, n.to)
}

// Statement notes a top-level statement that is neither a definition nor an import.
func (b *Builder) Statement(n Node) { b.Statements = append(b.Statements, n.TrimmedLines()) }

// AfterSpace is the first offset behind a node that is not white space.
func (b *Builder) AfterSpace(n Node) int {
	at := n.To()
	for at < len(b.t.src) && strings.IndexByte(" \t\n", b.t.src[at]) >= 0 {
		at++
	}
	return at
}

// Root is the node of the file.
func (b *Builder) Root() Node { return Node{b.t, 0} }

// shortValue reports whether a variable's value is on one line: such a variable
// is shown whole. A value that other definitions lie in is none.
func (b *Builder) shortValue(s Spec) bool {
	if s.Kind != Variable && s.Kind != Constant && s.Kind != Field || s.Wrap == WrapObject {
		return false
	}
	body := b.t.nodes[s.Body.i]
	return b.t.line(body.from) == b.t.line(b.t.trimEnd(body.from, body.to))
}

// docAbove is where the comment that ends on the line above the offset begins,
// or the offset: comments on the lines directly above, each alone on its lines.
func (b *Builder) docAbove(at uint32) uint32 {
	if !b.startsLine(at) { // the comment above is that of what the line begins with
		return at
	}
	for i := b.commentBefore(at); i >= 0; i-- {
		c := b.t.nodes[b.comments[i]]
		end := b.t.trimEnd(c.from, c.to)
		if b.t.line(max(end, 1)-1)+1 != b.t.line(at) || !b.startsLine(c.from) {
			break
		}
		at = c.from
	}
	return at
}

// commentBefore is the index of the last comment that begins before the offset.
func (b *Builder) commentBefore(at uint32) int {
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
func (b *Builder) startsLine(at uint32) bool {
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
func (b *Builder) signatureOf(d *Definition) string {
	if n := len(b.Definitions); n > 0 {
		last := &b.Definitions[n-1]
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
func (b *Builder) signature(lead string, from, to uint32) string {
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
	if b.Language.Indented {
		return strings.TrimRight(text, ": ")
	}
	text = strings.TrimSuffix(text, " =>")
	return strings.TrimRight(text, " ;=")
}

// tidy closes the gaps that joining the lines of a parameter list leaves.
var tidy = strings.NewReplacer("( ", "(", ", )", ")", " )", ")")

// Call records a call; args is the argument list.
func (b *Builder) Call(name, receiver string, at Node, def int, args Node) {
	if name == "" {
		return
	}
	c := Call{Name: b.Intern(name), Receiver: b.Intern(receiver), Line: b.t.line(b.t.nodes[at.i].from), Def: def}
	args.Each(func(a Node) {
		if !a.IsComment() {
			c.Args++
		}
	})
	b.calls = append(b.calls, c)
}

// Use records a use.
func (b *Builder) Use(name, receiver string, at Node) {
	from := b.t.nodes[at.i].from
	u := Use{Name: name, Receiver: receiver}
	key := usedIn{u, b.innermost(from)}
	if name == "" || receiver == "?" || b.useSeen[key] {
		return
	}
	u = Use{Name: b.Intern(name), Receiver: b.Intern(receiver)}
	key.Use = u
	b.useSeen[key] = true
	u.Line = b.t.line(from)
	b.uses = append(b.uses, usedIn{u, key.def})
}

// innermost is the definition around an offset, as far as the walk has come: the
// last one defined or one around that.
func (b *Builder) innermost(at uint32) int {
	i := len(b.Definitions) - 1
	for i >= 0 && (at < b.Definitions[i].from || at >= b.Definitions[i].to) {
		i = b.Definitions[i].Parent
	}
	return i
}

// Test is the test part of a definition, made when first asked for.
func (b *Builder) Test(def int, role Role) *Test {
	d := &b.Definitions[def]
	if d.Test == nil {
		d.Test = &Test{Role: role}
	}
	return d.Test
}

// Assertion notes a statement of a test that checks something.
func (b *Builder) Assertion(def int, n Node) {
	from := b.t.nodes[n.i].from
	to := b.t.trimEnd(from, b.t.nodes[n.i].to)
	t := b.Definitions[def].Test
	t.Assertions = append(t.Assertions, Assertion{Lines: b.t.span(from, to), from: from, to: to})
}
