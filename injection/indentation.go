package injection

import "strings"

// indentError is what CPython raises for a file's indentation.
type indentError struct {
	line  int    // physical line that it reports
	class string // IndentationError or TabError
}

// tabWidth is how far CPython's tokenizer moves at a tab; the second count takes
// a tab for one column (Parser/tokenizer.c, TABSIZE and ALTTABSIZE).
const tabWidth = 8

// columns counts white space in both ways.
func columns(indent string) (col, alt int) {
	for _, c := range indent {
		switch c {
		case '\t':
			col = (col/tabWidth + 1) * tabWidth
			alt++
		case '\f':
			col, alt = 0, 0
		default:
			col++
			alt++
		}
	}
	return col, alt
}

// checkIndentation runs CPython's own procedure over logical lines: a stack of
// columns, and a second one that must agree with it; after a line that opens
// comes a deeper one, and only then. It gives the first error, or nil. It says
// nothing about what CPython's grammar refuses later.
func checkIndentation(lines []line) *indentError {
	type level struct{ col, alt int }
	stack := []level{{}}
	opened := false
	for _, l := range lines {
		col, alt := columns(l.indent)
		top := stack[len(stack)-1]
		switch {
		case col == top.col:
			if alt != top.alt {
				return &indentError{l.first, "TabError"}
			}
		case col > top.col:
			if alt <= top.alt {
				return &indentError{l.first, "TabError"}
			}
			if !opened {
				return &indentError{l.first, "IndentationError"}
			}
			stack = append(stack, level{col, alt})
			opened = l.opens
			continue
		default:
			for len(stack) > 1 && col < stack[len(stack)-1].col {
				stack = stack[:len(stack)-1]
			}
			top = stack[len(stack)-1]
			if col != top.col {
				return &indentError{l.first, "IndentationError"}
			}
			if alt != top.alt {
				return &indentError{l.first, "TabError"}
			}
		}
		if opened {
			return &indentError{l.first, "IndentationError"}
		}
		opened = l.opens
	}
	return nil
}

// reindented is the lines with another indentation of line i; the source itself
// is not read again, since a wrong indentation has no tree.
func reindented(lines []line, i int, indent string) []line {
	out := append([]line(nil), lines...)
	out[i].indent = indent
	return out
}

// indentUnit is the white space of one level: that of the first block.
func indentUnit(lines []line) string {
	for i := 1; i < len(lines); i++ {
		if outer := lines[i-1].indent; lines[i-1].opens && len(lines[i].indent) > len(outer) {
			return lines[i].indent[len(outer):]
		}
	}
	return "    "
}

// reindent makes a mutation for every logical line of one physical line for
// which indent gives other white space. Nobody moves a docstring alone.
func reindent(kind string, s *Source, indent func(lines []line, i int) (string, bool)) []Mutation {
	var out []Mutation
	lines := s.lines()
	for i, l := range lines {
		after, ok := indent(lines, i)
		if !ok || l.joined() || after == l.indent || strings.ContainsRune("\"'", rune(s.Source()[l.start])) {
			continue
		}
		out = append(out,
			Mutation{Kind: kind, Edits: []Edit{{Offset: l.start - len(l.indent), Line: l.first, Old: l.indent, New: after}}})
	}
	return out
}
