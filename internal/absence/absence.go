// Package absence searches everything that a run wrote for a text, for tests which assert that something is nowhere:
// a token, a name that was taken down. It decodes what it searches, because a plain search would never find
// compressed text and such a test could not fail. Only tests import it.
package absence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"go.etcd.io/bbolt"
)

// Kinds of file by how they are decoded.
const (
	Plain   = "plain"   // as it is
	Zstd    = "zst"     // one stream
	Parquet = "parquet" // the values of every column
	Bolt    = "db"      // the records of a shard of the raw store, without their headers
)

// Find counts the files below dir in which a text occurs, by kind. A test of
// absence wants an empty map, after a text that is known to be there was found
// in each kind. An error means that a file could not be decoded.
func Find(dir, text string) (map[string]int, error) {
	found := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		kind, contents, err := decode(path)
		if err != nil {
			return fmt.Errorf("decode %s: %w", path, err)
		}
		for _, c := range contents {
			if bytes.Contains(c, []byte(text)) {
				found[kind]++
				break
			}
		}
		return nil
	})
	return found, err
}

func decode(path string) (kind string, contents [][]byte, err error) {
	if filepath.Ext(path) == ".db" {
		contents, err = boltValues(path)
		return Bolt, contents, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	switch filepath.Ext(path) {
	case ".zst":
		data, err = decompress(data)
		return Zstd, [][]byte{data}, err
	case ".parquet":
		data, err = parquetValues(data)
		return Parquet, [][]byte{data}, err
	}
	return Plain, [][]byte{data}, nil
}

func decompress(data []byte) ([]byte, error) {
	d, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return io.ReadAll(d)
}

// zstdMagic starts every compressed frame; what is before it in a record is the
// store's header.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

func boltValues(path string) ([][]byte, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var out [][]byte
	err = db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				out = append(out, bytes.Clone(k))
				start := bytes.Index(v, zstdMagic)
				if start < 0 {
					out = append(out, bytes.Clone(v))
					return nil
				}
				content, err := decompress(v[start:])
				out = append(out, content)
				return err
			})
		})
	})
	return out, err
}

// parquetValues is every value of a file as text, one a line.
func parquetValues(data []byte) ([]byte, error) {
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	rows := parquet.NewReader(file)
	defer func() { _ = rows.Close() }()
	buffer := make([]parquet.Row, 64)
	for {
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			for _, value := range row {
				fmt.Fprintln(&out, value)
			}
		}
		if errors.Is(err, io.EOF) {
			return []byte(out.String()), nil
		}
		if err != nil {
			return nil, err
		}
	}
}
