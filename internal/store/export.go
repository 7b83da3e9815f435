package store

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"go.etcd.io/bbolt"
)

// Export writes the shard's records as zstd-compressed JSON lines, sorted by
// kind, then key: {"schema", "kind", "key", "sha256", and the content as one of
// "data" (a JSON value), "text" (bytes that are UTF-8) or "base64"}. sha256 is
// of the content's bytes. Records for which keep is false are left out (nil
// keeps all), and so is every Meta record. Equal records give equal bytes; one
// record at a time is held in memory.
func (s *Shard) Export(w io.Writer, keep func(Kind, string) bool) error {
	z, err := s.codec.stream(w)
	if err != nil {
		return fmt.Errorf("export %s: %w", s.path, err)
	}
	defer s.codec.streamed(z)
	var content, line []byte // of the record at hand; the next one has their room
	err = s.view(func(tx *bbolt.Tx) error {
		for _, kind := range kinds {
			b := tx.Bucket([]byte(kind))
			if b == nil || kind == Meta {
				continue
			}
			err := b.ForEach(func(key, record []byte) error {
				if keep != nil && !keep(kind, string(key)) {
					return nil
				}
				f, unpacked, err := s.codec.decode(record, content[:0])
				if err != nil {
					return fmt.Errorf("%s %q: %w", kind, key, err)
				}
				content = unpacked
				line = appendLine(line[:0], kind, string(key), f, content, record[1:headerLen])
				_, err = z.Write(line)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("export %s: %w", s.path, err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("export %s: %w", s.path, err)
	}
	return nil
}

// appendLine writes one record. It is put together by hand so that a JSON
// content stands in it byte for byte, as its hash demands.
func appendLine(line []byte, kind Kind, key string, f format, content, sum []byte) []byte {
	line = append(line, `{"schema":`...)
	line = strconv.AppendInt(line, Schema, 10)
	line = append(line, `,"kind":`...)
	line = append(line, quoted(string(kind))...)
	line = append(line, `,"key":`...)
	line = append(line, quoted(key)...)
	line = append(line, `,"sha256":"`...)
	line = append(line, hex.EncodeToString(sum)...)
	switch {
	case f == formatJSON:
		line = append(line, `","data":`...)
		line = append(line, content...)
	case utf8.Valid(content):
		line = append(line, `","text":`...)
		line = append(line, quoted(string(content))...)
	default:
		line = append(line, `","base64":"`...)
		line = base64.StdEncoding.AppendEncode(line, content)
		line = append(line, '"')
	}
	return append(line, "}\n"...)
}

// quoted is the JSON of a string that is UTF-8.
func quoted(s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // writing a string to memory cannot fail
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}
