package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
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
// record at a time is held in memory. Several shards may be exported at once.
func (s *Shard) Export(ctx context.Context, w io.Writer, keep func(Kind, string) bool) error {
	return s.ExportRewritten(ctx, w, keep, func(Kind, string, []byte) (any, error) { return nil, nil })
}

// ErrLeftOut makes ExportRewritten skip a record.
var ErrLeftOut = errors.New("left out of the export")

// ExportRewritten is Export with each record's content replaced by the JSON of rewrite's result, unless that is nil.
// The content is valid until rewrite returns.
func (s *Shard) ExportRewritten(ctx context.Context, w io.Writer, keep func(Kind, string) bool,
	rewrite func(kind Kind, key string, content []byte) (any, error)) error {
	z, err := s.codec.stream(w)
	if err != nil {
		return fmt.Errorf("export %s: %w", s.path, err)
	}
	defer s.codec.streamed(z)
	var failed error // of what is exported, or of the writer: none of the store's files
	err = s.view(func(tx *bbolt.Tx) error {
		failed = s.exportAll(ctx, tx, newRecordWriter(z), keep, rewrite)
		return nil
	})
	if err := errors.Join(err, failed); err != nil {
		return fmt.Errorf("export %s: %w", s.path, err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("export %s: %w", s.path, err)
	}
	return nil
}

// exportAll writes the records of a transaction.
func (s *Shard) exportAll(ctx context.Context, tx *bbolt.Tx, records *recordWriter, keep func(Kind, string) bool,
	rewrite func(kind Kind, key string, content []byte) (any, error)) error {
	var content []byte // of the current record; the next one has its room
	for _, kind := range kinds {
		b := tx.Bucket([]byte(kind))
		if b == nil || kind == Meta {
			continue
		}
		err := b.ForEach(func(key, record []byte) error {
			if err := ctx.Err(); err != nil || keep != nil && !keep(kind, string(key)) {
				return err
			}
			f, sum, out, err := s.rewritten(kind, string(key), record, content[:0], rewrite)
			if errors.Is(err, ErrLeftOut) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("%s %q: %w", kind, key, err)
			}
			content = out
			return records.write(kind, string(key), f, content, sum)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rewritten decodes a record behind what into has, and gives what is written of it.
func (s *Shard) rewritten(kind Kind, key string, record, into []byte,
	rewrite func(kind Kind, key string, content []byte) (any, error)) (f format, sum, content []byte, err error) {
	if f, content, err = s.codec.decode(record, into); err != nil {
		return f, nil, nil, err
	}
	value, err := rewrite(kind, key, content)
	if err != nil || value == nil {
		return f, record[1:headerLen], content, err
	}
	if content, err = marshal(value); err != nil {
		return f, nil, nil, err
	}
	own := sha256.Sum256(content)
	return formatJSON, own[:], content, nil
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

// write writes one record. It builds the line by hand, so that JSON content keeps the exact bytes of its hash.
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
