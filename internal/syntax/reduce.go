package syntax

import (
	"bytes"
	"slices"
)

// Reduction is the omitted parts of a definition in the form Reduced: runs of whole statements, members or elements
// of literals, each with its placeholder. The zero Reduction omits nothing.
type Reduction struct{ cuts []cut }

// cut is a run of the normalized source that a placeholder replaces.
type cut struct {
	from, to uint32
	filler   string
}

// Omitted is how many bytes of the source are left out.
func (r Reduction) Omitted() int {
	n := 0
	for _, c := range r.cuts {
		n += int(c.to - c.from)
	}
	return n
}

// Lines are the lines of the normalized source, from 1, with omitted parts.
func (r Reduction) Lines(src []byte) []Span {
	var out []Span
	at, line := uint32(0), 1
	for _, c := range r.cuts { // in source order
		line += bytes.Count(src[at:c.from], []byte("\n"))
		start := line
		line += bytes.Count(src[c.from:c.to], []byte("\n"))
		at = c.to
		out = append(out, Span{start, line})
	}
	return out
}

// Reducer reduces the definitions of one file. It holds a tree of the file, so
// it is made where it is needed and closed afterwards.
type Reducer struct {
	f *File
	t *tree
}

// ParseReducer is Parse with a Reducer; nil for a degraded file.
func ParseReducer(lang *Language, path string, src []byte, opts Options) (*File, *Reducer) {
	f, t := parse(lang, path, src, opts)
	if f.Degraded != "" {
		return f, nil
	}
	return f, &Reducer{f, t}
}

// NewReducer parses the source of a file once more; false for a degraded one.
func (f *File) NewReducer(src []byte, opts Options) (*Reducer, bool) {
	if f.Degraded != "" {
		return nil, false
	}
	src = Normalize(src)
	t, err := f.Language.Grammar.get().parse(src, opts)
	return &Reducer{f, t}, err == nil
}

// Close releases the tree. The Reducer, which may be nil, must not be used again.
func (r *Reducer) Close() {
	if r != nil {
		r.t.giveBack()
	}
}

// The widths of a reduction beyond the statements that enclose a line: how many
// neighbors are kept on either side of the innermost and of the outermost one.
const (
	nearStatements = 2
	wideStatements = 5
)

// Reduce returns reductions of a definition to the surroundings of some of its
// lines, narrowest first: the statement of each line (of a compound one only its
// head); the same with its neighbors; the whole innermost block around it; the next
// block outwards, and so on; at last the neighbors of the outermost statement. The
// heads of the blocks around a line are always kept, so that each reduction parses
// as far as the definition does. A line above the body, or of its documentation,
// keeps nothing of it. There is no reduction of a definition without a body, of one
// that the grammar did not understand, or of one with nothing to leave out.
func (r *Reducer) Reduce(def int, lines []int) []Reduction {
	d := &r.f.Definitions[def]
	if d.Broken || !d.HasBody() {
		return nil
	}
	body := r.listsBelow(0, d)
	paths, deepest := r.paths(body, lines)
	var out []Reduction
	for width := range deepest + 4 {
		next := r.reduction(body, paths, width)
		omitted := next.Omitted()
		if omitted == 0 {
			break
		}
		if n := len(out); n == 0 || omitted < out[n-1].Omitted() {
			out = append(out, next)
		}
	}
	return out
}

// Heads is narrower than any result of Reduce: it leaves out the statements of the
// lines, too, and keeps only the heads of the blocks around them. It is false if
// Reduce has no result, or nothing is left out.
func (r *Reducer) Heads(def int, lines []int) (Reduction, bool) {
	d := &r.f.Definitions[def]
	if d.Broken || !d.HasBody() {
		return Reduction{}, false
	}
	body := r.listsBelow(0, d)
	paths, _ := r.paths(body, lines)
	for i, path := range paths {
		for n := len(path); n > 0; n-- {
			paths[i] = path[:n-1]
			if n == 1 || !r.isOnOneLine(path[n-2]) {
				break
			}
		}
	}
	heads := r.reduction(body, paths, 0)
	return heads, len(heads.cuts) > 0
}

func (r *Reducer) isOnOneLine(p place) bool {
	lines := r.lines(p.elements[p.at])
	return lines.Start == lines.End
}

// paths are the ways to some lines, and the length of the longest.
func (r *Reducer) paths(body []int32, lines []int) (paths [][]place, deepest int) {
	for _, line := range lines {
		if path := r.path(body, line); len(path) > 0 {
			paths = append(paths, path)
			deepest = max(deepest, len(path))
		}
	}
	return paths, deepest
}

// reduction leaves out what a width does not keep.
func (r *Reducer) reduction(body []int32, paths [][]place, width int) Reduction {
	k := keep{whole: map[int32]bool{}, part: map[int32]bool{}}
	for _, path := range paths {
		k.widen(path, width)
	}
	var out Reduction
	for _, list := range body {
		out.cuts = r.elide(out.cuts, list, &k)
	}
	return out
}

// place is the position of a line in a list: the element at an index.
type place struct {
	elements []int32
	at       int
}

// keep says which elements a reduction shows whole, and which in part.
type keep struct{ whole, part map[int32]bool }

// widen keeps what a width asks for on the way down to a line.
func (k *keep) widen(path []place, width int) {
	for _, p := range path {
		k.part[p.elements[p.at]] = true
	}
	last := len(path) - 1
	switch {
	case width == 0:
	case width == 1:
		k.neighbors(path[last], nearStatements)
	case width <= last+1:
		k.neighbors(path[last], nearStatements)
		k.neighbors(path[max(last-width+1, 0)], 0)
	case width == last+2:
		k.neighbors(path[0], nearStatements)
	default:
		k.neighbors(path[0], wideStatements)
	}
}

func (k *keep) neighbors(p place, n int) {
	for i := max(0, p.at-n); i <= min(len(p.elements)-1, p.at+n); i++ {
		k.whole[p.elements[i]] = true
	}
}

// listsBelow are the outermost lists below a node; of a definition only those in
// its body.
func (r *Reducer) listsBelow(n int32, d *Definition) []int32 {
	var out []int32
	for c := r.t.nodes[n].first; c != none; c = r.t.nodes[c].next {
		node := &r.t.nodes[c]
		inside := d == nil || r.opens(c) >= d.bodyFrom && node.from < node.to && r.trimmed(c) <= d.bodyTo
		if d != nil && (node.to <= d.bodyFrom || node.from >= d.bodyTo) {
			continue
		}
		if r.isList(c) && inside {
			out = append(out, c)
		} else {
			out = append(out, r.listsBelow(c, d)...)
		}
	}
	return out
}

// opens is where a list begins: Go's interfaces have their keyword before the
// brace.
func (r *Reducer) opens(list int32) uint32 {
	if r.t.kind(list) == "interface_type" {
		if elements := r.elements(list); len(elements) > 0 {
			return r.t.nodes[elements[0]].from
		}
	}
	return r.t.nodes[list].from
}

// trimmed is the end of a node with its tails, without white space: Python's blocks may run into
// the next line.
func (r *Reducer) trimmed(n int32) uint32 {
	node := &r.t.nodes[n]
	to := node.to
	for c := node.next; r.isTail(c); c = r.t.nodes[c].next {
		to = r.t.nodes[c].to
	}
	return r.t.trimEnd(node.from, to)
}

func (r *Reducer) isTail(n int32) bool { return slices.Contains(r.f.Language.Tails, r.t.kind(n)) }

func (r *Reducer) lines(n int32) Span { return Node{r.t, n}.TrimmedLines() }

// leads reports whether nodes of a kind belong to what follows them: comments, decorators and Rust's attributes.
func leads(kind string) bool {
	return IsComment(kind) || kind == "decorator" || kind == "attribute_item"
}

// elements are what a list holds, without what leads them and without tails.
func (r *Reducer) elements(list int32) []int32 {
	var out []int32
	for c := r.t.nodes[list].first; c != none; c = r.t.nodes[c].next {
		if r.t.nodes[c].named && !leads(r.t.kind(c)) && !r.isTail(c) &&
			!(r.f.Language.Lists[r.t.kind(list)] && r.isLabel(c)) {
			out = append(out, c)
		}
	}
	return out
}

// isLabel reports whether a node of a case says what it is the case of.
func (r *Reducer) isLabel(n int32) bool {
	switch r.t.field(n) {
	case "value", "type", "communication":
		return true
	}
	return slices.Contains(r.f.Language.Labels, r.t.kind(n))
}

// path leads from the outermost of some lists to the innermost element that a
// line lies in, or is nearest to.
func (r *Reducer) path(below []int32, line int) []place {
	for _, list := range below {
		elements, span := r.elements(list), r.lines(list)
		if len(elements) == 0 || !span.Contains(line) {
			continue
		}
		inside := Span{r.lines(elements[0]).Start, r.lines(elements[len(elements)-1]).End}
		if !inside.Contains(line) && (line == span.Start || line == span.End) {
			continue // on the brace: the head or the end of the statement around
		}
		at, nearest := 0, -1
		for i, e := range elements {
			s := r.lines(e)
			if far := max(s.Start-line, line-s.End, 0); nearest < 0 || far < nearest {
				at, nearest = i, far
			}
		}
		p := place{elements, at}
		if nearest == 0 && r.isDocstring(elements[at]) {
			return nil
		}
		if nearest > 0 {
			return []place{p}
		}
		return append([]place{p}, r.path(r.listsBelow(elements[at], nil), line)...)
	}
	return nil
}

// isDocstring reports whether a statement is nothing but a string.
func (r *Reducer) isDocstring(e int32) bool {
	node := &r.t.nodes[e]
	return r.f.Language.Indented && r.t.kind(e) == "expression_statement" && node.first != none &&
		r.t.kind(node.first) == "string"
}

// elide adds the cuts of a list: the runs of elements that are not kept, and
// those inside the elements that are kept in part.
func (r *Reducer) elide(cuts []cut, list int32, k *keep) []cut {
	elements := r.elements(list)
	for i := 0; i < len(elements); {
		e := elements[i]
		if k.whole[e] {
			i++
			continue
		}
		if k.part[e] {
			for _, inner := range r.inner(e) {
				cuts = r.elide(cuts, inner, k)
			}
			i++
			continue
		}
		j := i
		for j+1 < len(elements) && !k.whole[elements[j+1]] && !k.part[elements[j+1]] {
			j++
		}
		all := i == 0 && j == len(elements)-1
		if c, ok := r.run(e, elements[j], all); ok {
			cuts = append(cuts, c)
		}
		i = j + 1
	}
	return cuts
}

// inner are the lists of an element: the element itself, if it is one.
func (r *Reducer) inner(e int32) []int32 {
	if r.isList(e) {
		return []int32{e}
	}
	return r.listsBelow(e, nil)
}

// isList reports whether elements of a node may be left out.
func (r *Reducer) isList(n int32) bool {
	_, ok := r.f.Language.Lists[r.t.kind(n)]
	return ok
}

// shortRun is the length in bytes up to which a run on one line is kept: the
// placeholder would say as little in nearly as much room.
const shortRun = 60

// run is the cut of the elements from first to last, which must be alone on their
// lines; all says that nothing of their list is left.
func (r *Reducer) run(first, last int32, all bool) (cut, bool) {
	src := r.t.src
	from, to := r.t.nodes[first].from, r.trimmed(last)
	for _, c := range slices.Backward(r.before(first)) { // what leads it
		from = r.t.nodes[c].from
	}
	for to < uint32(len(src)) && (src[to] == ',' || src[to] == ';') {
		to++
	}
	comment := r.f.Language.LineComment
	rest, _, _ := bytes.Cut(src[to:], []byte("\n"))
	if tail := bytes.TrimSpace(rest); len(tail) > 0 && !bytes.HasPrefix(tail, []byte(comment)) {
		return cut{}, false
	}
	to += uint32(len(rest))
	short := to-from <= shortRun && bytes.IndexByte(src[from:to], '\n') < 0
	if !r.alone(from) || short {
		return cut{}, false
	}
	filler := comment + " ..."
	if all && r.f.Language.Indented && r.t.kind(r.t.nodes[first].parent) == "block" {
		if r.t.kind(first) == "case_clause" {
			return cut{}, false // a match needs one
		}
		filler = "..."
	}
	return cut{from, to, filler}, true
}

// alone reports whether nothing is before an offset on its line.
func (r *Reducer) alone(at uint32) bool {
	line := r.t.src[:at]
	return len(bytes.TrimSpace(line[bytes.LastIndexByte(line, '\n')+1:])) == 0
}

// before are the nodes that lead an element, directly before it, in source order, each on
// lines of its own.
func (r *Reducer) before(e int32) []int32 {
	var out []int32
	for c := r.t.nodes[r.t.nodes[e].parent].first; c != e && c != none; c = r.t.nodes[c].next {
		switch {
		case leads(r.t.kind(c)) && (len(out) > 0 || r.alone(r.t.nodes[c].from)):
			out = append(out, c)
		default:
			out = nil
		}
	}
	return out
}
