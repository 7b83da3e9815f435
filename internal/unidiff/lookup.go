package unidiff

import (
	"slices"
)

// New finds the file that has the path after the change; nil if there is none.
func (d *Diff) New(path string) *File {
	return d.find(func(f *File) bool { return f.NewPath == path && path != "" })
}

// Old finds the file that had the path before the change; nil if there is none. A copy does not change its source, so
// Old never returns a copy.
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
// file that becomes a symbolic link is twice in a diff and once here.
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

// ToNew maps a line of the old file to the new one: directly inside a hunk, by the growth of all earlier hunks
// outside; false if the change deleted it.
func (f *File) ToNew(old int) (int, bool) {
	shift := 0
	for _, h := range f.Hunks {
		if old < first(h.OldStart, h.OldLines) {
			break
		}
		if old <= last(h.OldStart, h.OldLines) {
			for _, l := range h.Lines {
				if l.Old == old {
					return l.New, l.New > 0
				}
			}
		}
		shift += h.NewLines - h.OldLines
	}
	return old + shift, old > 0
}
