package unidiff

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// maxBytes is the longest text that Parse reads. GitHub refuses diffs over
// 1 MB and the largest diff made with git instead is a few dozen; beyond this
// a text is not a pull request that anyone reviewed.
const maxBytes = 64 << 20

// ErrTooLarge says that a text is longer than maxBytes.
var ErrTooLarge = errors.New("diff is too large to parse")

// Parse reads the output of git diff, byte for byte: hunks are as long as
// their headers say, only a line feed ends a line, and invalid UTF-8 stays.
// The empty text is a diff without files. A text that is not entirely a diff
// (a web page, a combined diff, junk between files, a hunk cut short) is an
// error that names the line.
func Parse(text string) (*Diff, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%w: %d bytes, limit %d", ErrTooLarge, len(text), maxBytes)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n" // some stores strip it; it belongs to the diff, not to a line of the file
	}
	parsed, _, err := gitdiff.Parse(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("parse diff: %w", err)
	}
	raw := &lines{text: text}
	diff := &Diff{}
	for _, p := range parsed {
		f, err := convert(p, raw)
		if err != nil {
			return nil, fmt.Errorf("parse diff: line %d: %w", raw.number, err)
		}
		diff.Files = append(diff.Files, f)
		diff.AddedLines += f.AddedLines
		diff.DeletedLines += f.DeletedLines
	}
	if line, ok := raw.peek(); ok {
		return nil, fmt.Errorf("parse diff: line %d: not part of a diff: %.60q", raw.number+1, line)
	}
	return diff, nil
}

// convert turns one parsed file into ours, reading its verbatim header and
// section texts from raw, which the library does not keep.
func convert(p *gitdiff.File, raw *lines) (*File, error) {
	header, err := raw.header()
	if err != nil {
		return nil, err
	}
	f := &File{
		OldPath: p.OldName, NewPath: p.NewName,
		OldOid: p.OldOIDPrefix, NewOid: p.NewOIDPrefix,
		OldMode: uint32(p.OldMode), NewMode: uint32(p.NewMode),
		IsRename: p.IsRename, IsCopy: p.IsCopy, IsBinary: p.IsBinary,
		Header: header,
	}
	switch {
	case p.IsNew:
		f.OldPath = ""
	case p.IsDelete:
		f.NewPath = ""
	case f.NewMode == 0:
		f.NewMode = f.OldMode // the index line states one mode for both sides
	}
	oldEnd, newEnd := 0, 0
	for _, fragment := range p.TextFragments {
		h, err := convertHunk(fragment, raw)
		if err != nil {
			return nil, err
		}
		if first(h.OldStart, h.OldLines) <= oldEnd || first(h.NewStart, h.NewLines) <= newEnd {
			return nil, errors.New("hunks overlap or are out of order")
		}
		oldEnd, newEnd = last(h.OldStart, h.OldLines), last(h.NewStart, h.NewLines)
		f.Hunks = append(f.Hunks, h)
		f.AddedLines += int(fragment.LinesAdded)
		f.DeletedLines += int(fragment.LinesDeleted)
	}
	return f, nil
}

// first is the number of a range's first line. An empty range is after the
// line it names.
func first(start, count int) int {
	if count == 0 {
		return start + 1
	}
	return start
}

// last is the number of a range's last line, or of the line before an empty one.
func last(start, count int) int { return first(start, count) + count - 1 }

// convertHunk numbers a hunk's lines on both sides.
func convertHunk(p *gitdiff.TextFragment, raw *lines) (Hunk, error) {
	for _, n := range []int64{p.OldPosition, p.OldLines, p.NewPosition, p.NewLines} {
		if n < 0 || n > math.MaxInt32 {
			return Hunk{}, fmt.Errorf("line number %d is impossible", n)
		}
	}
	if p.OldPosition == 0 && p.OldLines > 0 || p.NewPosition == 0 && p.NewLines > 0 {
		return Hunk{}, errors.New("lines are counted from 1, the hunk starts at 0")
	}
	section, err := raw.hunk(len(p.Lines))
	if err != nil {
		return Hunk{}, err
	}
	h := Hunk{
		OldStart: int(p.OldPosition), OldLines: int(p.OldLines),
		NewStart: int(p.NewPosition), NewLines: int(p.NewLines),
		Section: section,
		Lines:   make([]Line, 0, len(p.Lines)),
	}
	oldNo, newNo := h.OldStart, h.NewStart
	for _, l := range p.Lines {
		line := Line{Text: strings.TrimSuffix(l.Line, "\n"), NoNewline: l.NoEOL()}
		switch l.Op {
		case gitdiff.OpAdd:
			line.Kind = Added
		case gitdiff.OpDelete:
			line.Kind = Deleted
		default:
			line.Kind = Context
		}
		if line.Kind != Added {
			line.Old = oldNo
			oldNo++
		}
		if line.Kind != Deleted {
			line.New = newNo
			newNo++
		}
		h.Lines = append(h.Lines, line)
	}
	return h, nil
}
