package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// format is a record's first byte: how its content reads.
type format byte

const (
	formatJSON  format = 'j'
	formatBytes format = 'b'
)

// headerLen is the format and the content's SHA-256.
const headerLen = 1 + sha256.Size

// exportWindow is the compression window of an export: the size that every decoder must support (RFC 8878, section
// 3.1.1.1.2). Twice the size would save at most a tenth.
const exportWindow = 8 << 20

// recordWindow is the compression window of a record. Few records are larger, and each encoder holds twice as much.
const recordWindow = 1 << 20

// codec packs contents into records: format, SHA-256, zstd frame.
type codec struct {
	enc  *zstd.Encoder
	dec  *zstd.Decoder
	idle sync.Pool // of encoders of exports, which hold over 10 MB each
}

func newCodec(maxRecord int) (*codec, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(recordWindow))
	if err != nil {
		return nil, fmt.Errorf("set up compression: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(uint64(maxRecord)+1))
	if err != nil {
		return nil, fmt.Errorf("set up decompression: %w", err)
	}
	return &codec{enc: enc, dec: dec}, nil
}

func (c *codec) close() { c.dec.Close() }

// stream returns an encoder of exports that writes to w. Reuse of an encoder does not change its output. Return it
// with streamed.
func (c *codec) stream(w io.Writer) (*zstd.Encoder, error) {
	if z, ok := c.idle.Get().(*zstd.Encoder); ok {
		z.Reset(w)
		return z, nil
	}
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(exportWindow))
}

func (c *codec) streamed(z *zstd.Encoder) { c.idle.Put(z) }

func (c *codec) encode(f format, content []byte) []byte {
	sum := sha256.Sum256(content)
	record := make([]byte, headerLen, headerLen+len(content)/2+64)
	record[0] = byte(f)
	copy(record[1:], sum[:])
	return c.enc.EncodeAll(content, record)
}

// decode unpacks a record, behind what into has already, and checks its hash.
func (c *codec) decode(record, into []byte) (format, []byte, error) {
	if len(record) < headerLen {
		return 0, nil, fmt.Errorf("%w: record of %d bytes", ErrDamaged, len(record))
	}
	content, err := c.dec.DecodeAll(record[headerLen:], into)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	sum := sha256.Sum256(content)
	if !bytes.Equal(sum[:], record[1:headerLen]) {
		return 0, nil, fmt.Errorf("%w: its content has another SHA-256", ErrDamaged)
	}
	return format(record[0]), content, nil
}

// marshal returns a value's compact JSON without HTML escapes. It rejects text that is not UTF-8, which encoding/json
// would silently replace.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	content := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	if replaced(content) {
		return nil, ErrNotText
	}
	return content, nil
}

// replaced looks for the escape that encoding/json writes for bytes that are
// not UTF-8. A true U+FFFD in the text is written as itself.
func replaced(content []byte) bool {
	for i := 0; i+1 < len(content); i++ {
		if content[i] != '\\' {
			continue
		}
		if bytes.HasPrefix(content[i:], []byte(`\ufffd`)) {
			return true
		}
		i++ // the escaped byte, which may be a backslash itself
	}
	return false
}
