package injection

import (
	"bytes"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// lineAt is the 1-based line of an offset, the end of the file included.
func (s *Source) lineAt(offset int) int { return 1 + bytes.Count(s.Source()[:offset], []byte{'\n'}) }

// removing is the edit that removes some bytes.
func (s *Source) removing(from, to int) Edit {
	return Edit{Offset: from, Line: s.lineAt(from), Old: string(s.Source()[from:to])}
}

// replacing is the edit that writes other text in the place of a node.
func replacing(n syntax.Node, with string) Edit {
	return Edit{Offset: n.From(), Line: n.Lines().Start, Old: n.Text(), New: with}
}

// lineStart is the offset of the first byte of the line.
func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

// lineEnd is the offset behind the line's line break.
func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

func trimmed(b []byte) string { return strings.TrimSpace(string(b)) }
