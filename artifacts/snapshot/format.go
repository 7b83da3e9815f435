package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Schema is the version of the format.
const Schema = 1

// Header is the first line of a file.
type Header struct {
	Schema     int      `json:"schema"`
	Repository string   `json:"repository"` // OWNER/NAME
	Records    []Record `json:"records"`    // by task id
}

// Record is one task: the start of its checkout, and the ends of its history.
type Record struct {
	TaskID string `json:"task_id"`
	Head   string `json:"head"` // the commit shown
	Base   string `json:"base"` // its fork point
	// Shallow are the commits without their parents, sorted: the fork point, and every other commit of the base
	// branch that is a parent of a commit of the pull request.
	Shallow []string `json:"shallow,omitempty"`
	// Problem says why there is no snapshot; "" where there is one. Detail is a
	// sentence about it.
	Problem Problem `json:"problem,omitempty"`
	Detail  string  `json:"detail,omitempty"`
}

// Problem is why a record has no snapshot.
type Problem string

// The problems.
const (
	CommitAbsent   Problem = "commit_absent"    // the revision or the fork point is not available
	NoForkPoint    Problem = "no_fork_point"    // the revision does not descend from the fork point
	TooManyCommits Problem = "too_many_commits" // over Limits.MaxCommits
	ObjectsAbsent  Problem = "objects_absent"   // a tree or a file is not available
	TooLarge       Problem = "too_large"        // over another of the Limits
	UnsafePath     Problem = "unsafe_path"      // a path that could leave the work tree or enter .git
)

// Problems lists all of them.
func Problems() []Problem {
	return []Problem{CommitAbsent, NoForkPoint, TooManyCommits, ObjectsAbsent, TooLarge, UnsafePath}
}

// ErrDamaged says that Plan.Write did not write the file in this form.
var ErrDamaged = errors.New("damaged snapshot")

// Limits bound what one repository may hold in memory or write.
type Limits struct {
	MaxCommits int   // commits of one record, including the ends of its history
	MaxObject  int64 // bytes of one object
	MaxHeld    int64 // bytes of all commits and trees, which are held in memory
	MaxFiles   int64 // files of one work tree
	MaxDepth   int   // folders in each other
	MaxPath    int   // bytes of a path
	MaxTree    int64 // bytes of one work tree
	MaxBytes   int64 // bytes of a file, unpacked
}

// DefaultLimits are above the usual sizes on GitHub, which refuses files of more than 100 MiB.
func DefaultLimits() Limits {
	return Limits{
		MaxCommits: 2_000, MaxObject: 256 << 20, MaxHeld: 1 << 30, MaxFiles: 500_000, MaxDepth: 500, MaxPath: 4_000,
		MaxTree: 16 << 30, MaxBytes: 64 << 30,
	}
}

// maxHeader bounds the first line.
const maxHeader = 64 << 20

// window is the compression window, which every reader must be able to hold. Files are sorted by path, so a larger
// one saves only a hundredth.
const window = 8 << 20

// newEncoder compresses in one goroutine: several would make the blocks depend on timing.
func newEncoder(w io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(window))
}

func newDecoder(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
}

// line is the header as it is written.
func (h Header) line() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	return b.Bytes(), nil
}

// parseHeader reads a line that Header.line wrote, and rejects any other.
func parseHeader(text []byte) (Header, error) {
	var h Header
	if err := json.Unmarshal(text, &h); err != nil {
		return h, fmt.Errorf("%w: header: %w", ErrDamaged, err)
	}
	if h.Schema != Schema {
		return h, fmt.Errorf("snapshot of schema %d, this prforge reads %d", h.Schema, Schema)
	}
	again, err := h.line()
	if err != nil || !bytes.Equal(again, text) {
		return h, fmt.Errorf("%w: its header is not in the canonical form", ErrDamaged)
	}
	return h, nil
}
