package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// readText reads a file that a person writes: UTF-8, without the mark that some
// editors put before it.
func readText(path string) ([]byte, error) {
	data, err := readBounded(path)
	if err == nil && !utf8.Valid(data) {
		err = errors.New("is not UTF-8 text: save it in that encoding")
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), err
}

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("over %d bytes", maxFile)
	}
	return data, err
}

// plain is an error of the file system without the operation and the path.
func plain(err error) string {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// maxFile bounds a configuration file; a real one has a few kilobytes.
const maxFile = 4 << 20
