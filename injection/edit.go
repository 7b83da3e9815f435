// Package injection puts one known fault into a source file, as a few bytes that can be reverted, and proves by rule
// what the fault does. It is pure: bytes in, edits and facts out.
//
// An Operator finds where one kind of slip can be made. It does not say what a slip
// does: rules decide that (names, indentation), or a run of the script (package
// stages, with collectors/python).
package injection

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// Edit replaces some bytes of a source by others.
type Edit = model.SourceEdit

// ErrEdit says that edits do not fit the bytes they are applied to or undone in.
var ErrEdit = errors.New("the edit does not fit the source")

// Apply makes the edits. They must be in the order of their offsets and must
// not overlap; their Old bytes and their Lines must be those of src. Errors are
// ErrEdit. src is not changed.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	return replace(src, edits, false)
}

// Undo gives back what Apply was called with.
func Undo(faulty []byte, edits []Edit) ([]byte, error) {
	return replace(faulty, edits, true)
}

func replace(src []byte, edits []Edit, undo bool) ([]byte, error) {
	out := make([]byte, 0, len(src))
	at, shift, line := 0, 0, 1 // shift is what earlier edits moved the source by
	for i, e := range edits {
		have, want, offset := e.Old, e.New, e.Offset
		if undo {
			have, want, offset = e.New, e.Old, e.Offset+shift
			shift += len(e.New) - len(e.Old)
		}
		if e.Old == e.New || offset < at || offset > len(src) || offset+len(have) > len(src) ||
			string(src[offset:offset+len(have)]) != have {
			return nil, fmt.Errorf("%w: edit %d at byte %d", ErrEdit, i+1, e.Offset)
		}
		out = append(out, src[at:offset]...)
		line += bytes.Count(src[at:offset], []byte{'\n'})
		if line != e.Line {
			return nil, fmt.Errorf("%w: edit %d is on line %d, not %d", ErrEdit, i+1, line, e.Line)
		}
		out = append(out, want...)
		line += strings.Count(e.Old, "\n") // lines are those of the original
		at = offset + len(have)
	}
	return append(out, src[at:]...), nil
}

// Mutation is one possible slip of an operator.
type Mutation struct {
	Kind  string `json:"kind"` // the operator's
	Edits []Edit `json:"edits"`
	// Intended is what the slip replaced, where that is a name: the right
	// spelling. "" where the kind has none.
	Intended string `json:"intended,omitempty"`
}

// Order sorts the edits by their offsets, which Apply asks for.
func (m *Mutation) Order() {
	slices.SortFunc(m.Edits, func(a, b Edit) int { return a.Offset - b.Offset })
}
