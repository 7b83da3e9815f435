package unidiff

import (
	"strconv"
	"strings"
)

// String is the diff as git writes it: Parse and String are inverse for what
// git made.
func (d *Diff) String() string {
	var b strings.Builder
	for _, f := range d.Files {
		f.write(&b)
	}
	return b.String()
}

// String is the file's header and hunks. A file whose Hunks were replaced by
// parts of them (see Hunk.Slice) still applies.
func (f *File) String() string {
	var b strings.Builder
	f.write(&b)
	return b.String()
}

func (f *File) write(b *strings.Builder) {
	b.WriteString(f.Header)
	for _, h := range f.Hunks {
		h.write(b)
	}
}

// Names are the two header lines, from "--- " on, that name the file on both sides: a reader of a file with hunks
// needs no more of the header.
func (f *File) Names() string {
	if i := strings.Index("\n"+f.Header, "\n--- "); i >= 0 {
		return f.Header[i:]
	}
	return f.Header
}

// WithHeader gives a diff of one file that begins with the lines of File.Names the
// header lines that Parse wants before them. Any other text is returned as it is.
func WithHeader(diff string) string {
	was, rest, _ := strings.Cut(diff, "\n")
	is, _, _ := strings.Cut(rest, "\n")
	before, isOld := strings.CutPrefix(was, "--- ")
	after, isNew := strings.CutPrefix(is, "+++ ")
	if !isOld || !isNew {
		return diff
	}
	before, after = strings.TrimSuffix(before, "\t"), strings.TrimSuffix(after, "\t")
	mode := ""
	switch devNull := "/dev/null"; devNull {
	case before:
		before, mode = strings.Replace(after, "b/", "a/", 1), "new file mode 100644\n"
	case after:
		after, mode = strings.Replace(before, "a/", "b/", 1), "deleted file mode 100644\n"
	}
	return fileMark + before + " " + after + "\n" + mode + diff
}

// Header is the hunk's first line with its line feed.
func (h Hunk) Header() string {
	s := "@@ -" + span(h.OldStart, h.OldLines) + " +" + span(h.NewStart, h.NewLines) + " @@"
	if h.Section != "" {
		s += " " + h.Section
	}
	return s + "\n"
}

// String is the hunk with its header, ending in a line feed.
func (h Hunk) String() string {
	var b strings.Builder
	h.write(&b)
	return b.String()
}

func (h Hunk) write(b *strings.Builder) {
	b.WriteString(h.Header())
	for _, l := range h.Lines {
		b.WriteByte(byte(l.Kind))
		b.WriteString(l.Text)
		b.WriteByte('\n')
		if l.NoNewline {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}

// span writes a range as git does: the count is left out when it is one.
func span(start, count int) string {
	if count == 1 {
		return strconv.Itoa(start)
	}
	return strconv.Itoa(start) + "," + strconv.Itoa(count)
}

// Slice is the hunk of the lines [from, to) of h.Lines with a header that is
// right for them, so that it applies to the old file by itself or together
// with other slices of the same hunk. The section stays.
func (h Hunk) Slice(from, to int) Hunk {
	part := Hunk{Section: h.Section, Lines: h.Lines[from:to]}
	before := Hunk{Lines: h.Lines[:from]}
	before.count()
	part.count()
	part.OldStart = first(h.OldStart, h.OldLines) + before.OldLines
	part.NewStart = first(h.NewStart, h.NewLines) + before.NewLines
	if part.OldLines == 0 {
		part.OldStart-- // an empty range names the line before it
	}
	if part.NewLines == 0 {
		part.NewStart--
	}
	return part
}

// count sets the numbers of lines from the lines.
func (h *Hunk) count() {
	h.OldLines, h.NewLines = 0, 0
	for _, l := range h.Lines {
		if l.Kind != Added {
			h.OldLines++
		}
		if l.Kind != Deleted {
			h.NewLines++
		}
	}
}
