package store

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
)

// ErrWrongBytes says that bytes do not match their git object id.
var ErrWrongBytes = errors.New("bytes do not match their git object id")

// BlobID is the git object id (SHA-1, hexadecimal) of a file's bytes.
func BlobID(data []byte) string {
	h := sha1.New()
	h.Write([]byte("blob " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// PutBlob stores a file's bytes under their git object id. It fails with ErrWrongBytes if the two do not match.
func PutBlob(w Writer, oid string, data []byte) error {
	if err := checkBlob(oid, data); err != nil {
		return err
	}
	return w.put(Blob, oid, formatBytes, data)
}

func checkBlob(oid string, data []byte) error {
	if got := BlobID(data); got != oid {
		return fmt.Errorf("blob %s: %w: they have %s", oid, ErrWrongBytes, got)
	}
	return nil
}

// Blob reads a file's bytes and checks their SHA-256. PutBlob checked the git object id when it took that hash. The
// second result is false if the blob is not stored.
func (s *Shard) Blob(oid string) ([]byte, bool, error) {
	_, data, found, err := s.read(Blob, oid)
	if err != nil || !found {
		return nil, found, err
	}
	return data, true, nil
}
