package snapshot

import (
	"bufio"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// packWriter writes a pack of whole objects, without deltas, one by one. go-git's own encoder needs all of them at
// once.
type packWriter struct {
	file  *os.File
	out   *bufio.Writer
	sum   hash.Hash // of the whole file
	crc   hash.Hash32
	zlib  *zlib.Writer
	at    int64 // bytes written
	index idxfile.Writer
}

// newPackWriter begins a pack of so many objects.
func newPackWriter(f *os.File, objects int) (*packWriter, error) {
	p := &packWriter{file: f, out: bufio.NewWriterSize(f, 1<<16), sum: sha1.New(), crc: crc32.NewIEEE()}
	var err error
	if p.zlib, err = zlib.NewWriterLevel(p, zlib.BestSpeed); err != nil {
		return nil, err
	}
	head := binary.BigEndian.AppendUint32([]byte("PACK"), 2)
	_, err = p.Write(binary.BigEndian.AppendUint32(head, uint32(objects)))
	return p, errors.Join(err, p.index.OnHeader(uint32(objects)))
}

// Write writes packed bytes.
func (p *packWriter) Write(b []byte) (int, error) {
	p.at += int64(len(b))
	p.sum.Write(b)
	p.crc.Write(b)
	return p.out.Write(b)
}

// add writes an object of size bytes.
func (p *packWriter) add(id plumbing.Hash, kind string, size int64, body io.Reader) error {
	at := p.at
	p.crc.Reset()
	// The type and the low four bits of the size, then seven bits a byte.
	head := []byte{byte(kinds[kind])<<4 | byte(size&15)}
	for left := size >> 4; left > 0; left >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(left&127))
	}
	if _, err := p.Write(head); err != nil {
		return err
	}
	p.zlib.Reset(p)
	if n, err := io.Copy(p.zlib, body); err != nil || n != size {
		return errors.Join(err, fmt.Errorf("object %s: %d of %d bytes", id, n, size))
	}
	if err := p.zlib.Close(); err != nil {
		return err
	}
	p.index.Add(id, uint64(at), p.crc.Sum32())
	return nil
}

// name is the pack's name after all objects, without an extension.
func (p *packWriter) name() string { return "pack-" + hex.EncodeToString(p.sum.Sum(nil)) }

// close ends the pack, writes its index to another file, and closes both.
func (p *packWriter) close(index *os.File) error {
	sum := plumbing.Hash(p.sum.Sum(nil))
	_, err := p.out.Write(sum[:])
	if err = errors.Join(err, p.out.Flush(), p.file.Close(), p.index.OnFooter(sum)); err != nil {
		return err
	}
	entries, err := p.index.Index()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(index)
	_, err = idxfile.NewEncoder(w).Encode(entries)
	return errors.Join(err, w.Flush(), index.Close())
}
