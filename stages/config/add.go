package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// CheckNew returns an *Error where a repository is listed already.
func (c *Config) CheckNew(name string) error {
	if slices.ContainsFunc(c.Repositories, func(have string) bool { return strings.EqualFold(have, name) }) {
		return &Error{File: c.File, Key: "repositories", Message: name + " is listed already"}
	}
	return nil
}

// AddRepository adds a repository to the list of a loaded configuration: to the
// file itself, or to the file that it names. Comments, order and layout stay.
// It answers with the file that was changed.
func AddRepository(c *Config, name string) (string, error) {
	if err := c.CheckNew(name); err != nil {
		return "", err
	}
	data, err := readBounded(c.File)
	if err != nil {
		return "", &Error{File: c.File, Message: plain(err)}
	}
	path, err := yaml.PathString("$.repositories")
	if err != nil {
		return "", err
	}
	node, err := path.ReadNode(bytes.NewReader(data))
	if err != nil {
		return "", &Error{File: c.File, Key: "repositories", Message: "cannot be found in the file"}
	}
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return addLine(c, strings.Trim(node.String(), `"' `), name)
	}
	edited, err := insert(data, list, name)
	if err != nil {
		return "", &Error{File: c.File, Key: "repositories", Message: err.Error()}
	}
	// What was written must read as the same configuration with one more.
	again, err := Parse(c.File, edited)
	if err != nil || !slices.Equal(again.Repositories, append(slices.Clone(c.Repositories), name)) {
		return "", &Error{File: c.File, Key: "repositories", Message: "is laid out in a way that cannot be added to; add " +
			name + " by hand"}
	}
	return c.File, replaceFile(c.File, edited)
}

// insert puts a name behind the last one of a list, in the list's own style.
func insert(data []byte, list *ast.SequenceNode, name string) ([]byte, error) {
	if len(list.Values) == 0 {
		return nil, errors.New("is empty")
	}
	lines := strings.SplitAfter(string(data), "\n")
	last := list.Values[len(list.Values)-1].GetToken().Position
	if last.Line > len(lines) {
		return nil, errors.New("ends beyond the file")
	}
	line := lines[last.Line-1]
	if list.IsFlowStyle {
		end := list.End.Position
		closing := lines[end.Line-1]
		lines[end.Line-1] = strings.TrimRight(closing[:end.Column-1], " ") + ", " + name + closing[end.Column-1:]
		return []byte(strings.Join(lines, "")), nil
	}
	dash := strings.IndexByte(line, '-')
	if dash < 0 {
		return nil, errors.New("has a last entry without a dash")
	}
	if !strings.HasSuffix(line, "\n") {
		line += "\n"
	}
	lines[last.Line-1] = line + line[:dash] + "- " + name + "\n"
	return []byte(strings.Join(lines, "")), nil
}

// addLine adds a repository to a file with one a line.
func addLine(c *Config, file, name string) (string, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.Dir, file)
	}
	data, err := readBounded(file)
	if err != nil {
		return "", &Error{File: file, Message: plain(err)}
	}
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
		data = append(data, '\n')
	}
	return file, replaceFile(file, append(data, name+"\n"...))
}

// replaceFile writes a file again, whole or not at all.
func replaceFile(path string, data []byte) error {
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(tmp, path); err != nil {
		os.Remove(tmp)
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
