package unidiff

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"
)

// PatchID is equal for the same change wherever it is, whatever the lines
// around it, the blanks and the order of files: what git patch-id --stable
// prints for the diff without its context lines, so that anyone can redo it (git
// diff -U0 is that, but aligns the lines of about one diff in a hundred differently).
// Context is left out because a backport has the same change among other lines.
// Only files without text hunks differ from git's (git runs their headers into
// the next file's; here each counts by itself). It is "" for a diff without
// files.
func PatchID(d *Diff) string {
	if len(d.Files) == 0 {
		return ""
	}
	var sum [sha1.Size]byte
	for _, f := range d.Files {
		addDigest(&sum, sha1.Sum([]byte(patchText(f))))
	}
	return hex.EncodeToString(sum[:])
}

// patchText identifies a file's change: header without blob ids, hunks without line numbers and context, everything
// without blanks. For binary files it uses the blob ids.
func patchText(f *File) string {
	var b strings.Builder
	for line := range strings.Lines(f.Header) {
		switch {
		case strings.HasPrefix(line, "GIT binary patch"), strings.HasPrefix(line, "Binary files"):
			b.WriteString(f.OldOid + f.NewOid)
			return b.String()
		case !strings.HasPrefix(line, "index "):
			writeWithoutBlanks(&b, line)
		}
	}
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Kind != Context {
				b.WriteByte(byte(l.Kind))
				writeWithoutBlanks(&b, l.Text)
			}
		}
	}
	return b.String()
}

func writeWithoutBlanks(b *strings.Builder, s string) {
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\n', '\r':
		default:
			b.WriteByte(s[i])
		}
	}
}

// addDigest adds two digests as little-endian numbers, so that the order of
// files does not matter.
func addDigest(sum *[sha1.Size]byte, digest [sha1.Size]byte) {
	carry := 0
	for i := range sum {
		carry += int(sum[i]) + int(digest[i])
		sum[i] = byte(carry)
		carry >>= 8
	}
}
