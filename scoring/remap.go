package scoring

import (
	"github.com/prforge/prforge/internal/model"
)

// remap maps the surviving commented lines from the original commit to the final head. It returns false if there is
// no map, if the last line did not survive, or if the final diff shows another text at the position.
func (l *locator) remap() (line int, start *int, ok bool) {
	carry := l.carrier()
	if !l.ranged || carry == nil {
		return 0, nil, false
	}
	line, ok = carry(l.last)
	if !ok || !l.agrees(line) {
		return 0, nil, false
	}
	for n := l.first; n < l.last; n++ {
		if s, survived := carry(n); survived && s < line {
			return line, &s, true
		}
	}
	return line, nil, true
}

// carrier is the map from the original commit's lines to the final ones; nil
// if there is none. Lines of the left side belong to the fork point, which
// stays where it is unless the branch was rebased; agrees finds that out.
func (l *locator) carrier() func(int) (int, bool) {
	same := func(n int) (int, bool) { return n, true }
	switch {
	case l.thread.Side == model.Left, l.atHead:
		return same
	case l.change == nil:
		return nil
	case l.moved == nil:
		return same // the file did not change since
	case l.moved.NewPath != l.file.NewPath:
		return nil // it became another file than the one in the diff
	}
	return l.moved.ToNew
}

// agrees reports whether the final diff has the commented text at the line. A line outside every hunk cannot
// disagree; then only a revision confirms it.
func (l *locator) agrees(line int) bool {
	text, shown := textAt(l.file, l.thread.Side, line)
	if !shown {
		return l.change != nil && l.thread.Side == model.Right
	}
	return !l.target.trusted || sameCode(text, l.target.text())
}

// changed reports whether a commented line was changed between the original commit and the head, as far as a revision
// shows.
func (l *locator) changed() bool {
	if !l.ranged || l.moved == nil || l.thread.Side == model.Left {
		return false
	}
	if l.moved.NewPath == "" {
		return l.file == nil
	}
	for n := l.first; n <= l.last; n++ {
		if _, survived := l.moved.ToNew(n); !survived {
			return true
		}
	}
	return false
}
