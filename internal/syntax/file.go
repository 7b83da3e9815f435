package syntax

import "slices"

// Enclosing is the index of the innermost definition whose lines, doc comment
// included, hold the line; -1 if there is none.
func (f *File) Enclosing(line int) int {
	best := -1
	for i := range f.Definitions {
		if f.Definitions[i].withDoc().Contains(line) && f.isWithin(i, best) {
			best = i
		}
	}
	return best
}

// isWithin reports whether definition i is the inner one of two around a line, the
// other of which may be none, -1. Of two of a size it is the later.
func (f *File) isWithin(i, other int) bool {
	return other < 0 || f.Definitions[i].withDoc().size() <= f.Definitions[other].withDoc().size()
}

// EnclosingByLine lists the result of Enclosing for each line from 0 to the last one
// of any definition. Its time is in proportion to the lines of all definitions, not
// to lines times definitions.
func (f *File) EnclosingByLine() []int {
	last := 0
	for i := range f.Definitions {
		last = max(last, f.Definitions[i].Lines.End)
	}
	out := slices.Repeat([]int{-1}, last+1)
	for i := range f.Definitions {
		span := f.Definitions[i].withDoc()
		for n := max(span.Start, 0); n <= span.End; n++ {
			if f.isWithin(i, out[n]) {
				out[n] = i
			}
		}
	}
	return out
}

// Children are the indices of the definitions directly inside definition i, in
// source order; -1 asks for the top level.
func (f *File) Children(i int) []int {
	var out []int
	for j := range f.Definitions {
		if f.Definitions[j].Parent == i {
			out = append(out, j)
		}
	}
	return out
}

// StatementAt is the top-level statement, outside any definition and import,
// that holds the line; the zero Span if there is none.
func (f *File) StatementAt(line int) Span {
	for _, s := range f.Statements {
		if s.Contains(line) {
			return s
		}
	}
	return Span{}
}

// Window is the line window that holds the line: for every file, degraded or
// not, the lines are cut into windows of equal height from the top. It is the zero
// Span for a line outside the file.
func (f *File) Window(line int) Span {
	if line < 1 || line > f.Lines {
		return Span{}
	}
	start := (line-1)/f.windowLines*f.windowLines + 1
	return Span{start, min(start+f.windowLines-1, f.Lines)}
}
