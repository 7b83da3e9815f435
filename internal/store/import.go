package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/internal/digest"
)

// importBatch is how many bytes of records Import commits at a time.
const importBatch = 8 << 20

// line is one record of an export.
type line struct {
	Schema int             `json:"schema"`
	Kind   Kind            `json:"kind"`
	Key    string          `json:"key"`
	SHA256 string          `json:"sha256"`
	Data   json.RawMessage `json:"data"`
	Text   *string         `json:"text"`
	Base64 []byte          `json:"base64"`
}

// Import reads what Export wrote into the shard, beside what it holds. Each
// record is checked against its SHA-256, blobs against their git object id too;
// a line longer than a record may be, an unknown kind and a newer schema are
// refused. On an error the records before it stay imported.
func (s *Shard) Import(ctx context.Context, r io.Reader) error {
	b := &Batch{shard: s}
	n := 0
	for text, err := range lines(r, maxLine(s.max)) {
		n++
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = b.importLine(text)
		}
		if err != nil {
			return fmt.Errorf("import into %s: line %d: %w", s.path, n, err)
		}
		if b.size >= importBatch {
			if err := s.commit(b.writes); err != nil {
				return err
			}
			*b = Batch{shard: s}
		}
	}
	return s.commit(b.writes)
}

// Record is one record of an export.
type Record struct {
	Kind    Kind
	Key     string
	Content []byte
}

// ReadExport yields the records of some kinds, or all, that Export wrote, without a state. Each is checked as by
// Import; other kinds are skipped. It stops after an error.
func ReadExport(r io.Reader, kinds ...Kind) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		n := 0
		for text, err := range lines(r, maxLine(DefaultOptions().MaxRecord)) {
			n++
			if err == nil && len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k Kind) bool { return begins(text, k) }) {
				continue
			}
			var l line
			var content []byte
			if err == nil {
				l, _, content, err = parseLine(text)
			}
			if err != nil {
				err = fmt.Errorf("line %d: %w", n, err)
			}
			if !yield(Record{l.Kind, l.Key, content}, err) || err != nil {
				return
			}
		}
	}
}

// begins reports whether the head of a line names a kind. Source files are most of an export, and this skips them
// without decoding.
func begins(text []byte, k Kind) bool {
	return bytes.Contains(text[:min(len(text), 64)], []byte(`"kind":"`+string(k)+`"`))
}

// lines yields the lines of an export, each good until the next one. It stops
// after an error.
func lines(r io.Reader, limit int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		z, err := Unpack(r)
		if err != nil {
			yield(nil, err)
			return
		}
		defer z.Close()
		in := bufio.NewReaderSize(z, 1<<16)
		for {
			text, err := readLine(in, limit)
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(text, err) || err != nil {
				return
			}
		}
	}
}

// Unpack reads a zstd stream. Reading fails with ErrTooLarge if a few bytes expand to very many.
func Unpack(r io.Reader) (io.ReadCloser, error) {
	packed := &counted{r: r}
	z, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<27))
	if err != nil {
		return nil, err
	}
	return &unpacked{ReadCloser: z.IOReadCloser(), packed: packed}, nil
}

// An export never compresses better than this: raw records compress by 5 to 50. Small inputs may compress better.
const (
	maxPacking  = 1_000
	freePacking = 64 << 20
)

// counted counts what is read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// unpacked fails if a few bytes expand to very many.
type unpacked struct {
	io.ReadCloser
	packed *counted
	n      int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if u.n += int64(n); u.n > freePacking && u.n > maxPacking*u.packed.n {
		return 0, fmt.Errorf("%w: %d bytes of the file become %d", ErrTooLarge, u.packed.n, u.n)
	}
	return n, err
}

// maxLine is the longest line that a record can make: JSON writes a control
// byte as six.
func maxLine(maxRecord int) int { return 6*maxRecord + 1<<16 }

// readLine reads up to a line feed, which it leaves off. It gives io.EOF at the
// end and io.ErrUnexpectedEOF where the last line has no line feed.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(text)+len(part) > limit {
			return nil, ErrTooLarge
		}
		text = append(text, part...)
		switch {
		case err == nil:
			return text[:len(text)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(text) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

// importLine checks one record and puts it into the batch.
func (b *Batch) importLine(text []byte) error {
	l, f, content, err := parseLine(text)
	if err != nil {
		return err
	}
	return b.put(l.Kind, l.Key, f, content)
}

// parseLine reads one record and checks it against its SHA-256, a blob against
// its git object id, too.
func parseLine(text []byte) (l line, f format, content []byte, err error) {
	if err := json.Unmarshal(text, &l); err != nil {
		return l, f, nil, err
	}
	if l.Schema > Schema || l.Schema < 1 {
		return l, f, nil, fmt.Errorf("schema %d, this prforge reads up to %d: %w", l.Schema, Schema, ErrNewer)
	}
	if !l.Kind.known() || l.Kind == Meta {
		return l, f, nil, fmt.Errorf("no import of a record of kind %q", l.Kind)
	}
	f, content = formatBytes, l.Base64
	switch {
	case l.Data != nil:
		f, content = formatJSON, bytes.TrimSpace(l.Data)
	case l.Text != nil:
		content = []byte(*l.Text)
	}
	if digest.Bytes(content) != l.SHA256 {
		return l, f, nil, fmt.Errorf("%s %q: %w: its content has another SHA-256", l.Kind, l.Key, ErrDamaged)
	}
	if l.Kind == Blob {
		return l, f, content, checkBlob(l.Key, content)
	}
	return l, f, content, nil
}
