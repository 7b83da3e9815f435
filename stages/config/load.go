package config

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/internal/model"
)

// Load reads and checks a configuration file. Faults are *Error.
func Load(path string) (*Config, error) {
	data, err := readOrHow(path, "prforge init")
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// readOrHow reads a configuration file; where there is none the error says which
// command writes one.
func readOrHow(path, command string) ([]byte, error) {
	data, err := readText(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{File: path, Message: "is not there; '" + command + "' writes one to start from"}
	}
	if err != nil {
		return nil, &Error{File: path, Message: plain(err)}
	}
	return data, nil
}

// LoadStrict reads a YAML file, which a command writes to start from, into a value
// that holds the defaults. An unknown key or a wrong type is an *Error.
func LoadStrict(path, command string, into any) error {
	data, err := readOrHow(path, command)
	if err != nil {
		return err
	}
	return decode(path, data, into)
}

// LoadChecked is LoadStrict, and refuses values by the tags of their fields and those of which check returns the dotted
// key and what is wrong.
func LoadChecked(path, command string, into any, check func() (key, message string)) error {
	data, err := readOrHow(path, command)
	if err != nil {
		return err
	}
	if err := decode(path, data, into); err != nil {
		return err
	}
	f := checkTags(into)
	if key, message := check(); key != "" {
		f = &fault{key, message}
	}
	if f != nil {
		return &Error{File: path, Line: lineOf(data, f.key), Key: f.key, Message: f.message}
	}
	return nil
}

func decode(path string, data []byte, into any) error {
	if err := checkBounds(path, data); err != nil {
		return err
	}
	if c, ok := into.(*Config); ok {
		c.readProfile(data)
	}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return yamlError(path, err, into)
	}
	return nil
}

// Parse reads and checks a configuration; path is for messages and for the
// files that it names.
func Parse(path string, data []byte) (*Config, error) {
	c, err := parse(path, data)
	if err == nil {
		err = c.finish(data, listFile(data))
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// ParseFrozen reads the configuration that a dataset holds. A dataset may be
// anybody's: its configuration names no other file.
func ParseFrozen(path string, data []byte) (*Config, error) {
	c, err := parse(path, data)
	if err != nil {
		return nil, err
	}
	if !c.Frozen || listFile(data) != "" {
		return nil, &Error{File: path, Message: "is not the configuration that a dataset holds"}
	}
	return c, c.finish(data, "")
}

// parse decodes a configuration within bounds.
func parse(path string, data []byte) (*Config, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &Error{File: path, Message: "is empty; 'prforge init' writes one to start from"}
	}
	c := Default()
	c.File, c.Dir = path, filepath.Dir(path)
	return &c, decode(path, data, &c)
}

// finish reads the list of repositories, if a file has it, and checks every value.
func (c *Config) finish(data []byte, file string) error {
	if file != "" {
		if err := c.Repositories.read(c.Dir, file); err != nil {
			return &Error{File: c.File, Line: lineOf(data, "repositories"), Key: "repositories", Message: err.Error()}
		}
	}
	if c.Visibility == "public" {
		c.Visibility = "" // as where nothing is said
	}
	if err := c.readLabels(); err != nil {
		return err
	}
	if f := c.readLists(); f != nil {
		return &Error{File: c.File, Line: lineOf(data, f.key), Key: f.key, Message: f.message}
	}
	if f := c.check(); f != nil {
		return &Error{File: c.File, Line: lineOf(data, f.key), Key: f.key, Message: f.message}
	}
	return nil
}

// Refs are the configured repositories, in the order of the file, each once.
func (c *Config) Refs() []model.RepoRef {
	refs := make([]model.RepoRef, 0, len(c.Repositories))
	seen := map[string]bool{}
	for _, s := range c.Repositories {
		r, err := model.ParseRepoRef(s)
		if err == nil && !seen[r.FileName()] {
			seen[r.FileName()] = true
			refs = append(refs, r)
		}
	}
	return refs
}

// UnmarshalYAML reads a list of repositories. The name of a file is left to
// listFile.
func (r *Repositories) UnmarshalYAML(unmarshal func(any) error) error {
	var list []string
	if err := unmarshal(&list); err == nil {
		*r = list
		return nil
	}
	var file string
	if err := unmarshal(&file); err != nil {
		return errors.New("write a list of OWNER/NAME, or the name of a file with one a line")
	}
	*r = nil
	return nil
}

// listFile is the file that a configuration names instead of a list of repositories; "" if it has the list.
func listFile(data []byte) string {
	var named struct {
		Repositories any `yaml:"repositories"`
	}
	_ = yaml.Unmarshal(data, &named) // decode has said what is wrong
	file, _ := named.Repositories.(string)
	return file
}

// read reads the list from a file. Nothing of the file is repeated in an error:
// it may be any file of the machine.
func (r *Repositories) read(dir, path string) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	data, err := readText(path)
	if err != nil {
		return fmt.Errorf("%s: %s", path, plain(err))
	}
	*r = nil
	scanner := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; scanner.Scan(); n++ {
		line, _, _ := strings.Cut(scanner.Text(), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if _, err := model.ParseRepoRef(line); err != nil {
			return fmt.Errorf("%s:%d: not OWNER/NAME", path, n)
		}
		*r = append(*r, line)
	}
	return scanner.Err()
}

// yamlError turns the library's error, which shows the source, into one line; into
// is what was read.
func yamlError(path string, err error, into any) error {
	var e yaml.Error
	if !errors.As(err, &e) {
		return &Error{File: path, Message: err.Error()}
	}
	out := &Error{File: path, Message: e.GetMessage()}
	if t := e.GetToken(); t != nil && t.Position != nil {
		out.Line = t.Position.Line
		var unknown *yaml.UnknownFieldError
		var mistyped *yaml.TypeError
		var misplaced *yaml.UnexpectedNodeTypeError
		switch {
		case errors.As(err, &unknown):
			out.Key = dotted(t)
			out.Message = "unknown key" + suggestion(out.Key, into)
			if _, ok := into.(*Config); ok {
				out.Message += "; 'prforge init' writes a file with all of them"
			}
		case errors.As(err, &mistyped):
			out.Key = dotted(t.Prev)
			out.Message = fmt.Sprintf("%q is not %s", t.Value, wanted(mistyped.DstType.Kind()))
		case errors.As(err, &misplaced):
			out.Key = dotted(t.Prev)
			out.Message = fmt.Sprintf("%q is not a %s", t.Value, misplaced.Expected.YAMLName())
		}
	}
	return out
}

// lineOf is the line of a dotted key in a YAML text, or 0.
func lineOf(data []byte, key string) int {
	path, err := yaml.PathString("$." + key)
	if err != nil {
		return 0
	}
	node, err := path.ReadNode(bytes.NewReader(data))
	if err != nil || node == nil || node.GetToken() == nil {
		return 0
	}
	return node.GetToken().Position.Line
}
