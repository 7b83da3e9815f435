package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
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
func (s *Shard) Import(r io.Reader) error {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<27))
	if err != nil {
		return fmt.Errorf("import into %s: %w", s.path, err)
	}
	defer z.Close()
	in := bufio.NewReaderSize(z, 1<<16)
	b := &Batch{shard: s}
	for n := 1; ; n++ {
		text, err := readLine(in, s.maxLine())
		if errors.Is(err, io.EOF) {
			break
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

// maxLine is the longest line that a record can make: JSON writes a control
// byte as six.
func (s *Shard) maxLine() int { return 6*s.max + 1<<16 }

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
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	if l.Schema > Schema || l.Schema < 1 {
		return fmt.Errorf("schema %d, this prforge reads up to %d: %w", l.Schema, Schema, ErrNewer)
	}
	if !l.Kind.known() || l.Kind == Meta {
		return fmt.Errorf("no import of a record of kind %q", l.Kind)
	}
	f, content := formatBytes, l.Base64
	switch {
	case l.Data != nil:
		f, content = formatJSON, bytes.TrimSpace(l.Data)
	case l.Text != nil:
		content = []byte(*l.Text)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != l.SHA256 {
		return fmt.Errorf("%s %q: %w: its content has another SHA-256", l.Kind, l.Key, ErrDamaged)
	}
	if l.Kind == Blob {
		return PutBlob(b, l.Key, content)
	}
	return b.put(l.Kind, l.Key, f, content)
}
