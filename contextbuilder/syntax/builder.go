package syntax

import (
	"strings"
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
	// useSeen holds the uses already recorded.
	useSeen map[Use]bool
	names   map[string]string
}

// binding says that a name is bound, as a variable of the given type ("" if not
// known), inside a definition.
type binding struct {
	def        int
	name, kind string
}

func newBuilder(t *tree, f *File) *builder {
	b := &builder{t: t, f: f, lang: f.Language, useSeen: map[Use]bool{}, names: map[string]string{}}
	for i := range t.nodes {
		if isComment(t.nodes[i].kind) {
			b.comments = append(b.comments, int32(i))
		}
	}
	return b
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
	start    int32 // first decorator, when it stands before outer; else none
	head     uint32
	exported bool
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
		Broken: o.broken, from: o.from, to: o.to, wrap: s.wrap, lead: s.lead,
	}
	if s.start > 0 {
		d.from = b.t.nodes[s.start].from
	}
	d.to = b.trimEnd(d.from, d.to)
	d.head = max(d.from, s.head)
	d.bodyFrom, d.bodyTo = d.to, d.to
	if s.body > 0 {
		body := b.t.nodes[s.body]
		d.bodyFrom, d.bodyTo = body.from, b.trimEnd(body.from, body.to)
		if s.bodyFrom > 0 {
			d.bodyFrom = s.bodyFrom
		}
		d.Body = b.t.span(d.bodyFrom, d.bodyTo)
	}
	lines := [2]uint32{d.from, d.to}
	if s.lines > 0 {
		lines = [2]uint32{b.t.nodes[s.lines].from, b.t.nodes[s.lines].to}
	}
	d.Lines = b.t.span(lines[0], lines[1])
	d.doc = b.docAbove(lines[0], d.from)
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
	d.Signature = b.signature(d.lead, d.head, d.bodyFrom)
	b.f.Definitions = append(b.f.Definitions, d)
	return len(b.f.Definitions) - 1
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
func (b *builder) docAbove(at, from uint32) uint32 {
	i := b.commentBefore(at)
	for ; i >= 0; i-- {
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
	start := b.t.lines[b.t.line(at)-1]
	return strings.TrimSpace(string(b.t.src[start:at])) == ""
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
	text := strings.Join(strings.Fields(s.String()), " ")
	if b.lang == Python {
		return strings.TrimRight(text, ": ")
	}
	text = strings.TrimSuffix(text, " =>")
	return strings.TrimRight(text, " ;=")
}

// bind records a local name.
func (b *builder) bind(def int, name, kind string) {
	if def >= 0 && name != "" {
		b.bindings = append(b.bindings, binding{def, b.intern(name), b.intern(kind)})
	}
}

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
	b.f.Calls = append(b.f.Calls, c)
}

// use records a use.
func (b *builder) use(name, receiver string, at int32) {
	u := Use{Name: name, Receiver: receiver}
	if name == "" || receiver == "?" || b.useSeen[u] {
		return
	}
	u = Use{Name: b.intern(name), Receiver: b.intern(receiver)}
	b.useSeen[u] = true
	u.Line = b.t.line(b.t.nodes[at].from)
	b.f.Uses = append(b.f.Uses, u)
}

// finish settles what needs the whole file: which calls are of local names.
func (b *builder) finish() {
	type key struct {
		def  int
		name string
	}
	bound := make(map[key]string, len(b.bindings))
	for _, v := range b.bindings {
		k := key{v.def, v.name}
		if old, ok := bound[k]; ok && old != v.kind {
			bound[k] = ""
			continue
		}
		bound[k] = v.kind
	}
	for i := range b.f.Calls {
		c := &b.f.Calls[i]
		name := c.Name
		if c.Receiver != "" {
			name, _, _ = strings.Cut(c.Receiver, ".")
		} else if b.lang == Java {
			continue // methods and variables have names of their own
		}
		for def := c.Def; def >= 0; def = b.f.Definitions[def].Parent {
			if kind, ok := bound[key{def, name}]; ok {
				c.Local = true
				if c.Receiver == name {
					c.Type = kind
				}
				break
			}
		}
		if field, ok := selfField(c.Receiver); ok {
			for def := c.Def; def >= 0 && c.Type == ""; def = b.f.Definitions[def].Parent {
				c.Type = bound[key{def, field}]
				c.Local = c.Type != ""
			}
		}
	}
	for i := range b.f.Definitions {
		d := &b.f.Definitions[i]
		if d.Parent >= 0 && !b.f.Definitions[d.Parent].Exported {
			d.Exported = false
		}
	}
}

// selfField is the field of a receiver such as "this.loop" or "self.loop".
func selfField(receiver string) (string, bool) {
	object, field, ok := strings.Cut(receiver, ".")
	return field, ok && (object == "this" || object == "self") && !strings.Contains(field, ".")
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
