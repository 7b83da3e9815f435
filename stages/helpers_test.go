package stages

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/artifacts"
)

func itoa(n int) string { return strconv.Itoa(n) }

// someRecord is a record of a frozen dataset and a reviewer of its ground truth.
func someRecord(t *testing.T, b *Build) (*artifacts.Record, string) {
	t.Helper()
	for r, err := range artifacts.ReadLines[artifacts.Record](b.Out, artifacts.FileRecords) {
		if err != nil {
			t.Fatal(err)
		}
		return r, r.HumanReviewComments[0].Author
	}
	t.Fatal("no record")
	return nil, ""
}

// holds reports whether a text stands in any file below a folder, compressed
// ones included.
func holds(t *testing.T, dir, text string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.HasSuffix(path, ".zst") {
			data = decompress(t, data)
		}
		found = found || bytes.Contains(data, []byte(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func decompress(t *testing.T, data []byte) []byte {
	t.Helper()
	d, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	out, err := io.ReadAll(d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
