package pagetest

import (
	"bytes"
	"encoding/base64"
	"io"
	"regexp"
	"testing"

	"github.com/klauspost/compress/gzip"
)

var packed = regexp.MustCompile(`<script type="application/gzip" id="([^"]+)">([^<]+)<`)

// Blocks are the blocks of data in a page of one file, unpacked, by name.
func Blocks(t testing.TB, page []byte) map[string][]byte {
	t.Helper()
	blocks := map[string][]byte{}
	for _, m := range packed.FindAllSubmatch(page, -1) {
		z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(m[2])))
		if err != nil {
			t.Fatal(err)
		}
		if blocks[string(m[1])], err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return blocks
}
