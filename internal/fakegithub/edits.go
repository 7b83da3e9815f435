package fakegithub

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
)

// applyAll returns a tree with the edits made; the given one stays as it is.
func applyAll(files map[string]file, edits []Edit) (map[string]file, error) {
	out := maps.Clone(files)
	for _, e := range edits {
		if err := apply(out, e); err != nil {
			return nil, fmt.Errorf("%s %s: %w", e.Kind, e.Path, err)
		}
	}
	return out, nil
}

func apply(files map[string]file, e Edit) error {
	old, exists := files[e.Path]
	if e.Kind != Write && !exists {
		return fmt.Errorf("there is no such file")
	}
	switch e.Kind {
	case Write:
		files[e.Path] = newFile(cmp.Or(e.Mode, old.mode, "100644"), e.Content)
		return nil
	case Delete:
		delete(files, e.Path)
		return nil
	}
	content, err := replaceAll(old.content, e.Patches)
	if err != nil {
		return err
	}
	path := e.Path
	if e.Kind == Rename {
		delete(files, e.Path)
		path = e.To
	}
	files[path] = newFile(old.mode, content)
	return nil
}

// replaceAll makes the replacements in whole lines, each of which must fit
// exactly once.
func replaceAll(content []byte, patches []Replace) ([]byte, error) {
	text := "\n" + string(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")))
	for _, p := range patches {
		old, now := "\n"+p.Old+"\n", "\n"+p.New+"\n"
		if p.New == "" {
			now = "\n"
		}
		if n := strings.Count(text, old); n != 1 {
			return nil, fmt.Errorf("the lines %q occur %d times, not once", p.Old, n)
		}
		text = strings.Replace(text, old, now, 1)
	}
	if bytes.Contains(content, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
		return []byte(text[2:]), nil
	}
	return []byte(text[1:]), nil
}

// file is a file of a tree, with its blob's id.
type file struct {
	mode    string
	content []byte
	sha     string
}

func newFile(mode string, content []byte) file {
	return file{mode, content, hashObject("blob", content)}
}

func hashObject(kind string, content []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}
