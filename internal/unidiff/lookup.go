package unidiff

import (
	"slices"
)

// New finds the file that has the path after the change; nil if there is none.
func (d *Diff) New(path string) *File {
	return d.find(func(f *File) bool { return f.NewPath == path && path != "" })
}

// Old finds the file that had the path before the change; nil if there is
// none. A copy's source is not changed by the copy, so a copy is not found by
// it.
func (d *Diff) Old(path string) *File {
	return d.find(func(f *File) bool { return f.OldPath == path && path != "" && !f.IsCopy })
}

// Lookup finds a file by its path after the change, or else before it.
func (d *Diff) Lookup(path string) *File {
	if f := d.New(path); f != nil {
		return f
	}
	return d.Old(path)
}

func (d *Diff) find(match func(*File) bool) *File {
	if i := slices.IndexFunc(d.Files, match); i >= 0 {
		return d.Files[i]
	}
	return nil
}

// Paths lists the distinct paths of the diff's files (File.Path), sorted. A
// file that becomes a symbolic link stands twice in a diff and once here.
func (d *Diff) Paths() []string {
	paths := make([]string, 0, len(d.Files))
	for _, f := range d.Files {
		paths = append(paths, f.Path())
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Added returns the numbers of the added lines, on the new side.
func (f *File) Added() map[int]bool { return f.numbers(Added, func(l Line) int { return l.New }) }

// Deleted returns the numbers of the deleted lines, on the old side.
func (f *File) Deleted() map[int]bool { return f.numbers(Deleted, func(l Line) int { return l.Old }) }

func (f *File) numbers(kind Kind, number func(Line) int) map[int]bool {
	set := make(map[int]bool)
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Kind == kind {
				set[number(l)] = true
			}
		}
	}
	return set
}

// ToNew carries a line of the old file over to the new one; false when the
// change deleted it.
func (f *File) ToNew(old int) (int, bool) {
	return f.carry(old, func(h Hunk) (int, int) { return h.OldStart, h.OldLines }, func(h Hunk) int { return h.NewLines - h.OldLines },
		func(l Line) (int, int) { return l.Old, l.New })
}

// ToOld carries a line of the new file back to the old one; false when the
// change added it.
func (f *File) ToOld(line int) (int, bool) {
	return f.carry(line, func(h Hunk) (int, int) { return h.NewStart, h.NewLines }, func(h Hunk) int { return h.OldLines - h.NewLines },
		func(l Line) (int, int) { return l.New, l.Old })
}

// carry moves a line number from one side to the other: by the line itself
// inside a hunk, by the growth of all earlier hunks outside.
func (f *File) carry(line int, span func(Hunk) (int, int), growth func(Hunk) int, sides func(Line) (int, int)) (int, bool) {
	shift := 0
	for _, h := range f.Hunks {
		start, count := span(h)
		if line < first(start, count) {
			break
		}
		if line <= last(start, count) {
			for _, l := range h.Lines {
				if from, to := sides(l); from == line {
					return to, to > 0
				}
			}
		}
		shift += growth(h)
	}
	return line + shift, line > 0
}
