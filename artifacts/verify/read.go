package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
)

// missing notes a missing file, unless the manifest lists it: then it is already noted.
func (c *checker) missing(path string) {
	_, listed := c.m.Files[path]
	c.Check(FileUnlisted, listed, "%s", path)
}

// one reads a JSON file and checks its schema and its canonical form. The value is nil if the file is missing or
// wrong; the fault is then noted.
func one[T any](c *checker, path string, name schema.Name) (*T, error) {
	b, err := load.ReadBytes(c.dir, path)
	if errors.Is(err, fs.ErrNotExist) {
		c.missing(path)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return value[T](c, path, b, name, artifacts.Canonical), nil
}

// value decodes and checks one JSON value; place names its position.
func value[T any](c *checker, place string, b []byte, name schema.Name, form func(any) ([]byte, error)) *T {
	c.secrets(place, b)
	if err := schema.Check(name, b); err != nil {
		c.Note(NotJSON, "%s: %v", place, err)
		return nil
	}
	v := new(T)
	if err := json.Unmarshal(b, v); err != nil {
		c.Note(NotJSON, "%s: %v", place, err)
		return nil
	}
	if !c.published {
		again, err := form(v)
		c.Check(NotCanonical, err == nil && bytes.Equal(again, b), "%s", place)
	}
	return v
}

// lines yields the values of a .jsonl file that match their schema.
func lines[T any](c *checker, path string, name schema.Name, each func(place string, v *T)) error {
	size := int64(0)
	for line, err := range load.RawLines(c.dir, path) {
		if errors.Is(err, fs.ErrNotExist) {
			c.missing(path)
			return nil
		}
		if err != nil {
			return err
		}
		place := fmt.Sprintf("%s:%d", path, line.Number)
		text := append(bytes.Clone(line.Text), '\n')
		size += int64(len(text))
		if v := value[T](c, place, text, name, artifacts.CanonicalLine); v != nil {
			each(place, v)
		}
	}
	c.lineEnds(path, size)
	return nil
}

// lineEnds checks that a file is its lines, of so many bytes with a line feed
// after each: no carriage return, no blank line, none left open.
func (c *checker) lineEnds(path string, size int64) {
	if !c.published {
		c.Check(NotCanonical, c.m.Files[path].Bytes == size, "%s: line ends or blank lines", path)
	}
}

// fileKinds are the kinds of faults by the words of package load.
var fileKinds = map[string]Kind{
	load.FileMissing: FileMissing, load.FileExtra: FileExtra, load.FileChanged: FileChanged,
	load.FileIrregular: FileIrregular, load.FolderEmpty: FolderEmpty, load.SchemaDiffers: SchemaDiffers,
}

// files checks every file against the manifest.
func (c *checker) files(context.Context) error {
	faults, aside, err := load.CheckFiles(c.dir, c.m)
	if err != nil {
		return err
	}
	c.Checks += len(c.m.Files)
	for _, f := range faults {
		if kind, ok := fileKinds[f.Kind]; ok {
			c.Note(kind, "%s", f.Path)
		}
	}
	for path := range c.m.Files {
		c.Check(FileUnknown, artifacts.KnownFile(path), "%s", path)
	}
	for _, path := range aside {
		c.warnings.Note(FileForeign, "%s", path)
	}
	_, err = one[artifacts.Manifest](c, artifacts.FileManifest, schema.Manifest)
	return err
}
