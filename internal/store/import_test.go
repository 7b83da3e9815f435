package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Whatever a line says, it is refused or makes a record with the hash it names.
func FuzzImportLine(f *testing.F) {
	f.Add([]byte(`{"schema":1,"kind":"pull","key":"1","sha256":"6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b","data":1}`))
	f.Add([]byte(`{"schema":1,"kind":"pull","key":"1","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","text":""}`))
	f.Add([]byte(`{"schema":1,"kind":"tree","key":"\u0000","sha256":"","base64":"AA=="}`))
	codec, err := newCodec(1 << 20)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b := &Batch{shard: &Shard{codec: codec, max: 1 << 20}}
		if err := b.importLine(text); err != nil {
			return
		}
		w := b.writes[0]
		format, content, err := codec.decode(w.record, nil)
		if err != nil {
			t.Fatal(err)
		}
		again := &Batch{shard: b.shard}
		var line bytes.Buffer
		if err := newRecordWriter(&line).write(w.kind, w.key, format, content, w.record[1:headerLen]); err != nil {
			t.Fatal(err)
		}
		if err := again.importLine(line.Bytes()); err != nil {
			t.Fatalf("its own line is refused: %v", err)
		}
	})
}

// A few kilobytes that become gigabytes are given up after a few megabytes.
func TestUnpack_Bomb(t *testing.T) {
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	line := append([]byte(`{"schema":1,"kind":"pull","key":"1","sha256":"6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b","data":1`), bytes.Repeat([]byte(" "), 1<<20)...)
	line = append(line, "}\n"...)
	for range 256 {
		if _, err := z.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, err = range ReadExport(&packed) {
		read++
	}
	if !errors.Is(err, ErrTooLarge) || read > freePacking>>20+2 {
		t.Errorf("%d lines read, %v", read, err)
	}
}

// A line may be as long as the limit, its line feed included.
func TestReadLine_Limit(t *testing.T) {
	for text, want := range map[string]error{"12345678\n": nil, "123456789\n": ErrTooLarge, "12345678": io.ErrUnexpectedEOF, "": io.EOF} {
		got, err := readLine(bufio.NewReader(strings.NewReader(text)), 9)
		if !errors.Is(err, want) || want == nil && (err != nil || string(got) != "12345678") {
			t.Errorf("%q gives %q, %v; want %v", text, got, err, want)
		}
	}
}

// Reading an export ends at the first line that is damaged.
func TestReadExport_Damaged(t *testing.T) {
	good := `{"schema":1,"kind":"pull","key":"1","sha256":"6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b","data":1}` + "\n"
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(good + "garbage\n" + good)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for r, err := range ReadExport(&packed) {
		said = append(said, r.Key, fmt.Sprint(err != nil))
	}
	if want := []string{"1", "false", "", "true"}; !slices.Equal(said, want) {
		t.Errorf("read %q, want %q", said, want)
	}
}
