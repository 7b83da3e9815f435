// Package bugs makes questions from files and faults: which files of a pull request qualify, which fault is drawn,
// what a reviewer sees of it, and the key. It is pure and uses one pull request only: adding another changes no
// question.
package bugs

import (
	"bytes"
	"cmp"
	"crypto/sha1" // git's object ids
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

// Modes of a question.
const (
	ModeFile   = "file"   // the whole file as a new one, the fault anywhere
	ModeChange = "change" // the file with the change marked, the fault on an added line
)

// prompt is the name of the prompt for every view; package evaluation has it.
const prompt = "review"

// Options are the limits of drawing.
type Options struct {
	Mode     string `yaml:"mode" json:"mode" check:"file|change"` // ModeFile or ModeChange
	Seed     uint64 `yaml:"seed" json:"seed"`
	MinBytes int    `yaml:"min_bytes" json:"min_bytes" check:"1.."` // of a file
	MaxBytes int    `yaml:"max_bytes" json:"max_bytes"`
	MinLines int    `yaml:"min_lines" json:"min_lines" check:"1.."` // logical lines of a file
	MaxLines int    `yaml:"max_lines" json:"max_lines"`
	// logical lines that the change adds to, in ModeChange
	MinAdded int `yaml:"min_added_lines" json:"min_added_lines" check:"0.."`
	// ContextBytes bounds the sources of other files that configuration C shows.
	ContextBytes int `yaml:"context_bytes" json:"context_bytes" check:"0.."`
	// Families are the families of faults to search for.
	Families []injection.Family `yaml:"-" json:"-"`
	// EveryKind searches for a fault of each kind, not only of each family, so that minimums of kinds and levels can
	// be met.
	EveryKind bool `yaml:"-" json:"-"`
}

// DefaultOptions are those of spec section 14.
func DefaultOptions() Options {
	return Options{Seed: 1, Mode: ModeFile, MinBytes: 2 << 10, MaxBytes: 32 << 10, MinLines: 60, MaxLines: 600,
		MinAdded: 10, ContextBytes: 64 << 10}
}

// File is a changed file of a pull request.
type File struct {
	Pull     string // OWNER/NAME#N; draws depend on it
	Path     string
	BaseBlob *string // git's id; nil for an added file
	HeadBlob string
	Head     []byte
	Added    map[int]bool // lines of Head that the change adds
	Title    string       // of the pull request
	Body     string

	source *injection.Source
}

// Changed applies a file's part of a diff to its base, nil for an added file. It returns the reason if the file does
// not qualify.
func Changed(pull string, f *unidiff.File, base []byte, o Options) (*File, verdict.Code) {
	switch path := f.NewPath; {
	case pathkind.Language(path) != "Python" || f.IsBinary:
		return nil, verdict.FileNotPython
	case !pathkind.IsProduction(path):
		return nil, verdict.FileNotProduction
	case len(f.Hunks) == 0 || f.AddedLines == 0:
		return nil, verdict.FileNothingAdded
	}
	head, err := unidiff.Apply(base, f)
	if err != nil {
		return nil, verdict.FileUnreadable
	}
	out := &File{Pull: pull, Path: f.NewPath, HeadBlob: BlobID(head), Head: head, Added: map[int]bool{}}
	if f.OldPath != "" {
		id := BlobID(base)
		out.BaseBlob = &id
	}
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Kind == unidiff.Added {
				out.Added[l.New] = true
			}
		}
	}
	return out, out.unfit(o)
}

// unfit is why a file does not qualify; "" if it does. It reads the source.
func (f *File) unfit(o Options) verdict.Code {
	switch {
	case pathkind.IsGenerated(f.Path, f.Head):
		return verdict.FileNotProduction
	case len(f.Head) < o.MinBytes:
		return verdict.FileTooSmall
	case len(f.Head) > o.MaxBytes:
		return verdict.FileTooLarge
	case tells(string(f.Head), f.Pull):
		return verdict.FileNamesPull
	case bytes.ContainsRune(f.Head, '\r') || bytes.HasPrefix(f.Head, []byte("\xEF\xBB\xBF")):
		return verdict.FileUnparsed // lines would not be shown as they are
	}
	s, err := injection.Read(f.Head)
	if err != nil {
		return verdict.FileUnparsed
	}
	f.source = s
	switch lines := s.LogicalLines(); {
	case s.Clean() != nil:
		return verdict.FileNotClean
	case lines < o.MinLines:
		return verdict.FileTooSmall
	case lines > o.MaxLines:
		return verdict.FileTooLarge
	case o.Mode == ModeChange && len(candidates(s, o.Mode, f.Added)) < max(1, o.MinAdded):
		return verdict.FileTooFewAdded
	}
	return ""
}

// Try returns the result of every slip in the file.
func (f *File) Try(modules injection.Modules) []injection.Tried {
	return injection.Try(f.source, modules)
}

// candidates are the first lines of the logical lines that a fault may be on; in
// ModeChange, the first that is added of each.
func candidates(s *injection.Source, mode string, added map[int]bool) []int {
	return s.FirstLines(func(n int) bool { return mode == ModeFile || added[n] })
}

// BlobID is git's id of a file's bytes.
func BlobID(b []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(b))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

// rank orders items by a hash of their contents.
func rank(parts ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:])
}

// Sort sorts files in the order of drawing.
func Sort(files []*File, o Options) {
	slices.SortFunc(files, func(a, b *File) int {
		return cmp.Compare(rank(o.Seed, a.Pull, a.Path, a.HeadBlob), rank(o.Seed, b.Pull, b.Path, b.HeadBlob))
	})
}

// Draft is a question with its key and its evidence.
type Draft struct {
	Pull     string // OWNER/NAME#N
	Question model.BugQuestion
	Answer   model.BugAnswer
	Evidence model.BugEvidence
	// Module is what a fault of an import was proven by; nil for others, and for a
	// question that was read from its files alone.
	Module *injection.Module
}

// drawn are the mutations that may be taken, in the order of drawing, as many as
// are tried.
func (f *File) drawn(ms []injection.Mutation, o Options) []injection.Mutation {
	if o.Mode == ModeChange {
		ms = slices.DeleteFunc(ms, func(m injection.Mutation) bool { return !f.onAdded(m.Edits) })
	}
	ranks := make(map[int]string, len(ms))
	for _, m := range ms {
		ranks[m.Edits[0].Offset] = rank(o.Seed, f.Pull, f.Path, f.HeadBlob, m.Kind, m.Edits[0].Offset)
	}
	slices.SortStableFunc(ms, func(a, b injection.Mutation) int {
		return cmp.Compare(ranks[a.Edits[0].Offset], ranks[b.Edits[0].Offset])
	})
	return ms[:min(len(ms), maxTries)]
}

func (f *File) onAdded(edits []injection.Edit) bool {
	for i, e := range edits {
		if (i == 0 || e.Old != "") && !f.Added[e.Line] { // where a line is only moved to need not be
			return false
		}
	}
	return true
}

// maxTries bounds how many slips of a kind are tried in a file.
const maxTries = 60

// namesOf are the names of a pull request that nothing shown may have: OWNER/NAME#N and the end of its address.
func namesOf(pull string) []string {
	return []string{pull, strings.Replace(pull, "#", "/pull/", 1)}
}

// tells reports whether a text names a pull request.
func tells(text, pull string) bool {
	return slices.ContainsFunc(namesOf(pull), func(name string) bool { return strings.Contains(text, name) })
}
