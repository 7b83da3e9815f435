package store

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
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
	records := newRecordWriter(z)
	var content []byte // of the current record; the next one has its room
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
				return records.write(kind, string(key), f, content, record[1:headerLen])
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

// recordWriter writes records, each a line in the room of the one before.
type recordWriter struct {
	line bytes.Buffer
	json *json.Encoder // into line
	onto io.Writer
}

func newRecordWriter(onto io.Writer) *recordWriter {
	out := &recordWriter{onto: onto}
	out.json = json.NewEncoder(&out.line)
	out.json.SetEscapeHTML(false)
	return out
}

// write writes one record. It is put together by hand so that a JSON content
// stands in it byte for byte, as its hash demands.
func (w *recordWriter) write(kind Kind, key string, f format, content, sum []byte) error {
	w.line.Reset()
	fmt.Fprintf(&w.line, `{"schema":%d,"kind":`, Schema)
	w.quote(string(kind))
	w.line.WriteString(`,"key":`)
	w.quote(key)
	fmt.Fprintf(&w.line, `,"sha256":"%x",`, sum)
	switch {
	case f == formatJSON:
		w.line.WriteString(`"data":`)
		w.line.Write(content)
	case utf8.Valid(content):
		w.line.WriteString(`"text":`)
		w.quote(string(content))
	default:
		w.line.WriteString(`"base64":"`)
		w.line.Write(base64.StdEncoding.AppendEncode(w.line.AvailableBuffer(), content))
		w.line.WriteByte('"')
	}
	w.line.WriteString("}\n")
	_, err := w.onto.Write(w.line.Bytes())
	return err
}

// quote adds the JSON of a string that is UTF-8.
func (w *recordWriter) quote(s string) {
	_ = w.json.Encode(s) // writing a string to memory cannot fail
	w.line.Truncate(w.line.Len() - len("\n"))
}
