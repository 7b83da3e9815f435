package snapshot

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"maps"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// Later is what we know about a record from after its revision. It must not be in the checkout.
type Later struct {
	TaskID string
	// Lines are lines of code without their ends. A line that the revision or the fork point has is not a finding.
	Lines []string
	// Passages are texts of MinPassage bytes or more that no object may hold: comments,
	// titles.
	Passages []string
	// Commits are ids that no object may name. The record's own commits are not findings.
	Commits []string
}

// MinPassage is the length of the shortest passage that is searched for, in bytes.
const MinPassage = 16

// What was found.
const (
	FoundLine    = "line"
	FoundPassage = "passage"
	FoundCommit  = "commit"
)

// Finding is something later in an object of a record.
type Finding struct {
	TaskID string
	Kind   string // FoundLine, FoundPassage, FoundCommit
	Text   string
	Object string // the first that has it, in the order of the file
}

// Search searches every object of every record. It reads the files, as Files does. A revision's id covers its
// contents, so a line or a passage that is found existed before in the pull request or the project, or only resembles
// the later one.
func (r *Reader) Search(ctx context.Context, later []Later) ([]Finding, error) {
	s := newSearch(r, later)
	for _, id := range r.order.commits {
		s.look(id, r.graph.commits[id].raw, false)
	}
	for _, id := range r.order.trees {
		s.look(id, r.graph.trees[id].raw, false)
	}
	err := r.Files(ctx, func(name string, size int64, body io.Reader) error {
		raw, err := io.ReadAll(body)
		if err == nil {
			s.look(plumbing.NewHash(name), raw, true)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.findings(), nil
}

// search searches for the later parts of all records at once.
type search struct {
	records  []searched
	lines    map[string][]int    // the records that a line is later of
	passages map[uint64][]sought // by their first eight bytes
	may      [1 << 16]bool       // whether a passage may begin so; see slot
	hits     map[sought]*hit
}

// searched is a record with its objects.
type searched struct {
	taskID  string
	objects map[plumbing.Hash]bool // all
	shown   map[plumbing.Hash]bool // files of the revision and the fork point
}

// sought is a line or a passage of one record.
type sought struct {
	record int
	kind   string
	text   string
}

// hit is the place of a finding.
type hit struct {
	object plumbing.Hash // the first
	shown  bool          // a file of the revision or the fork point has it
}

// slot is a number for the first bytes of a passage: it is checked at every byte and costs less than a lookup of the
// passage.
func slot(text []byte) uint32 { return binary.LittleEndian.Uint32(text) * 2654435761 >> 16 }

func newSearch(r *Reader, later []Later) *search {
	s := &search{lines: map[string][]int{}, passages: map[uint64][]sought{}, hits: map[sought]*hit{}}
	for _, l := range later {
		record, span, err := r.record(l.TaskID)
		if err != nil { // nothing of it is here
			continue
		}
		n := len(s.records)
		s.records = append(s.records, r.searched(record, span))
		for _, line := range l.Lines {
			if !slices.Contains(s.lines[line], n) {
				s.lines[line] = append(s.lines[line], n)
			}
		}
		for _, text := range l.Passages {
			s.seek(sought{n, FoundPassage, text})
		}
		for _, id := range l.Commits {
			if !s.records[n].objects[plumbing.NewHash(id)] {
				s.seek(sought{n, FoundCommit, id})
			}
		}
	}
	return s
}

// seek searches objects for a text, unless it is too short.
func (s *search) seek(what sought) {
	if text := []byte(what.text); len(text) >= MinPassage {
		key := binary.LittleEndian.Uint64(text)
		s.passages[key] = append(s.passages[key], what)
		s.may[slot(text)] = true
	}
}

// searched returns a record with its objects.
func (r *Reader) searched(record Record, s span) searched {
	objects, files := r.graph.needs(s.all())
	maps.Copy(objects, files)
	for _, id := range s.all() {
		objects[id] = true
	}
	_, shown := r.graph.needs([]plumbing.Hash{plumbing.NewHash(record.Head), plumbing.NewHash(record.Base)})
	return searched{record.TaskID, objects, shown}
}

// look searches one object.
func (s *search) look(id plumbing.Hash, raw []byte, file bool) {
	if file && len(s.lines) > 0 {
		for line := range bytes.SplitSeq(raw, []byte("\n")) {
			line = bytes.TrimSuffix(line, []byte("\r"))
			for _, n := range s.lines[string(line)] {
				s.hit(sought{n, FoundLine, string(line)}, id)
			}
		}
	}
	for i := 0; i+MinPassage <= len(raw); i++ {
		if !s.may[slot(raw[i:])] {
			continue
		}
		for _, what := range s.passages[binary.LittleEndian.Uint64(raw[i:])] {
			if bytes.HasPrefix(raw[i:], []byte(what.text)) {
				s.hit(what, id)
			}
		}
	}
}

func (s *search) hit(what sought, id plumbing.Hash) {
	record := s.records[what.record]
	if !record.objects[id] {
		return
	}
	if s.hits[what] == nil {
		s.hits[what] = &hit{object: id}
	}
	s.hits[what].shown = s.hits[what].shown || record.shown[id]
}

// findings are the results, without lines that the revision or the fork point has, by record and text.
func (s *search) findings() []Finding {
	var out []Finding
	for what, h := range s.hits {
		if what.kind != FoundLine || !h.shown {
			out = append(out, Finding{TaskID: s.records[what.record].taskID, Kind: what.kind, Text: what.text,
				Object: h.object.String()})
		}
	}
	slices.SortFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.TaskID, b.TaskID), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	return out
}
