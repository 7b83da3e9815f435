// Package digest identifies the contents of texts and of folders.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Bytes is the SHA-256 of bytes, in hex.
func Bytes(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Folder is the SHA-256, in hex, of the files in a folder: over their paths with
// slashes, sorted, each followed by a zero byte, the SHA-256 of its bytes in hex and a
// line feed. This is how Harbor identifies a task. The bytes of a symbolic link are
// where it leads to. Files in .git do not count, and neither does anything else that is
// no file.
func Folder(dir string) (string, error) {
	lines := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.Name() == ".git" && e.IsDir():
			return fs.SkipDir
		case !e.Type().IsRegular() && e.Type() != fs.ModeSymlink:
			return nil
		}
		sum, err := file(path, e)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		lines[filepath.ToSlash(rel)] = sum
		return err
	})
	if err != nil {
		return "", fmt.Errorf("digest %s: %w", dir, err)
	}
	all := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(all, "%s\x00%s\n", path, lines[path])
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

func file(path string, e fs.DirEntry) (string, error) {
	sum := sha256.New()
	if e.Type() == fs.ModeSymlink {
		to, err := os.Readlink(path)
		sum.Write([]byte(to))
		return hex.EncodeToString(sum.Sum(nil)), err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), err
}
