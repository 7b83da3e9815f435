package unidiff

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// errBinary says that a binary file's change cannot be applied: the diff does
// not hold its bytes.
var errBinary = errors.New("binary file")

// conflictError says where a diff does not fit its base.
type conflictError struct {
	Path        string
	Line        int    // 1-based, in the old file
	Want, Found string // the line as the diff has it, and as the base has it
}

func (e *conflictError) Error() string {
	return fmt.Sprintf("%s:%d: the diff has %.80q, the base %.80q", e.Path, e.Line, e.Want, e.Found)
}

// Apply turns the old file's bytes into the new file's. Every context and deleted line must match the base byte for
// byte at its number; a *conflictError names the first that does not. A file without hunks is returned unchanged, a
// binary one gives errBinary.
func Apply(base []byte, file *File) ([]byte, error) {
	if file.IsBinary {
		return nil, fmt.Errorf("apply %s: %w", file.Path(), errBinary)
	}
	var out bytes.Buffer
	rest, next := base, 1 // rest starts with line next
	for _, h := range file.Hunks {
		for start := first(h.OldStart, h.OldLines); next < start; next++ {
			line, ok := cutLine(&rest)
			if !ok {
				return nil,
					fmt.Errorf("apply: %w", &conflictError{Path: file.Path(), Line: next, Want: "a line before the hunk",
						Found: "end of file"})
			}
			out.Write(line)
		}
		for _, l := range h.Lines {
			want := l.Text
			if !l.NoNewline {
				want += "\n"
			}
			if l.Kind == Added {
				out.WriteString(want)
				continue
			}
			line, ok := cutLine(&rest)
			if !ok || string(line) != want {
				return nil, fmt.Errorf("apply: %w", &conflictError{Path: file.Path(), Line: next, Want: want, Found: string(line)})
			}
			if l.Kind == Context {
				out.Write(line)
			}
			next++
		}
	}
	out.Write(rest)
	return out.Bytes(), nil
}

// cutLine takes the first line with its line feed.
func cutLine(rest *[]byte) ([]byte, bool) {
	if len(*rest) == 0 {
		return nil, false
	}
	n := bytes.IndexByte(*rest, '\n') + 1
	if n == 0 {
		n = len(*rest)
	}
	line := (*rest)[:n]
	*rest = (*rest)[n:]
	return line, true
}

// Fits reports whether the file's hunks apply to the old file's bytes.
func Fits(base []byte, file *File) bool {
	_, err := Apply(base, file)
	return err == nil
}

// OldText is the old side of the hunk: its context and deleted lines, each
// with a line feed.
func (h Hunk) OldText() string { return h.side(Added) }

// NewText is the new side of the hunk: its context and added lines, each with
// a line feed.
func (h Hunk) NewText() string { return h.side(Deleted) }

func (h Hunk) side(without Kind) string {
	var b strings.Builder
	for _, l := range h.Lines {
		if l.Kind != without {
			b.WriteString(l.Text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
