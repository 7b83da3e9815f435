package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/text"
)

// The bounds of the tools' output.
const (
	maxTools    = 8         // that one message of the model uses
	maxListed   = 500       // entries of a folder
	maxRead     = 400       // lines
	maxWide     = 500       // bytes of a line
	maxFound    = 60        // lines of a search
	maxResult   = 32 << 10  // bytes
	maxSearched = 1 << 20   // bytes of a file that is searched
	maxPattern  = 1000      // bytes of an expression
	maxFile     = 16 << 20  // bytes of a file that is read
	maxWalked   = 256 << 20 // bytes that one search reads
)

const errTooManyTools = "error: too many calls at once; this one was not carried out"

// tools are the three tools in the form of the protocol.
var tools = []any{
	tool("list", "Lists a folder of the repository. Folders end with a slash.", "path", "the folder; empty for the top"),
	tool("read", "Reads lines of a file, each after its number.", "path", "the file", "from", "the first line, from 1",
		"to", "the last line; at most 400 lines are shown"),
	tool("search", "Finds the lines that match a regular expression (RE2), with path and number.", "pattern",
		"the expression", "path", "a file or folder to search; empty for all"),
}

// tool describes one; the rest are the names of its arguments and what they mean.
func tool(name, does string, arguments ...string) any {
	properties := map[string]any{}
	for i := 0; i < len(arguments); i += 2 {
		kind := "string"
		if arguments[i] == "from" || arguments[i] == "to" {
			kind = "integer"
		}
		properties[arguments[i]] = map[string]any{"type": kind, "description": arguments[i+1]}
	}
	return map[string]any{"type": "function", "function": map[string]any{
		"name": name, "description": does,
		"parameters": map[string]any{"type": "object", "properties": properties, "required": arguments[:1]},
	}}
}

// use executes a model's call within a checkout. A fault of the call is the result, so that the model may try again.
func use(root *os.Root, name, arguments string) string {
	var a struct {
		Path    string `json:"path"`
		Pattern string `json:"pattern"`
		From    int    `json:"from"`
		To      int    `json:"to"`
	}
	if err := json.Unmarshal([]byte(cmp.Or(arguments, "{}")), &a); err != nil {
		return "error: the arguments are no JSON object of the tool's form"
	}
	at, err := within(root, a.Path)
	if err == nil {
		var out string
		switch name {
		case "list":
			out, err = list(root, at)
		case "read":
			out, err = read(root, at, a.From, a.To)
		case "search":
			out, err = search(root, at, a.Pattern)
		default:
			err = fmt.Errorf("there is no tool %q", text.Clip(text.OneLine(name), 50))
		}
		if err == nil {
			return text.Valid(text.Clip(cmp.Or(out, "nothing"), maxResult))
		}
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err // without the path of the checkout
	}
	return "error: " + text.Clip(text.OneLine(err.Error()), 300)
}

// within is a clean path of the repository; .git is not part of it, and no link is followed.
func within(root *os.Root, name string) (string, error) {
	name = path.Clean(cmp.Or(strings.TrimSpace(name), "."))
	first, _, _ := strings.Cut(name, "/")
	if !fs.ValidPath(name) || strings.ContainsRune(name, 0) || strings.EqualFold(first, ".git") {
		return "", errors.New("the path is not within the repository")
	}
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		info, err := root.Lstat(name[:i])
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return "", fmt.Errorf("%s is a symbolic link", name[:i])
		}
	}
	return name, nil
}

func list(root *os.Root, at string) (string, error) {
	entries, err := fs.ReadDir(root.FS(), at)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	shown := 0
	for _, e := range entries {
		if at == "." && e.Name() == ".git" {
			continue
		}
		if shown++; shown > maxListed {
			fmt.Fprintf(&out, "(%d entries in all)\n", len(entries))
			break
		}
		out.WriteString(e.Name())
		if e.IsDir() {
			out.WriteString("/")
		}
		out.WriteString("\n")
	}
	return out.String(), nil
}

// open opens a regular file, not a link.
func open(root *os.Root, at string) (*os.File, error) {
	info, err := root.Lstat(at)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", at)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s is too large", at)
	}
	return root.Open(at)
}

func read(root *os.Root, at string, from, to int) (string, error) {
	f, err := open(root, at)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return "", err
	}
	if binary(data) {
		return "", fmt.Errorf("%s is no text", at)
	}
	from = max(1, from)
	if to < from || to-from >= maxRead {
		to = from + maxRead - 1
	}
	var out strings.Builder
	n := 0
	for line := range bytes.Lines(data) {
		if n++; n >= from && n <= to {
			fmt.Fprintf(&out, "%d\t%s\n", n, wide(line))
		}
	}
	if n > to {
		fmt.Fprintf(&out, "(%d lines in all)\n", n)
	}
	return out.String(), nil
}

func search(root *os.Root, at, pattern string) (string, error) {
	if pattern == "" || len(pattern) > maxPattern {
		return "", errors.New("the pattern is empty or too long")
	}
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	found, walked := 0, int64(0)
	err = fs.WalkDir(root.FS(), at, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".git":
			return fs.SkipDir
		case !e.Type().IsRegular():
			return nil
		case found > maxFound || walked > maxWalked:
			return fs.SkipAll
		}
		n, err := searchFile(root, name, expression, &out, &found)
		walked += n
		return err
	})
	if err == nil && (found > maxFound || walked > maxWalked) {
		out.WriteString("(there is more)\n")
	}
	return out.String(), err
}

// searchFile appends the lines of a file that match, and says how many bytes it read.
func searchFile(root *os.Root, name string, expression *regexp.Regexp, out *strings.Builder, found *int) (int64,
	error) {
	f, err := open(root, name)
	if err != nil {
		return 0, nil //nolint:nilerr // a file too large is not searched
	}
	defer f.Close()
	in := bufio.NewReader(io.LimitReader(f, maxSearched))
	if head, err := in.Peek(512); binary(head) || err != nil && !errors.Is(err, io.EOF) {
		return int64(len(head)), nil
	}
	data, err := io.ReadAll(in)
	n := 0
	for line := range bytes.Lines(data) {
		if n++; !expression.Match(bytes.TrimRight(line, "\r\n")) {
			continue
		}
		if *found++; *found > maxFound {
			break
		}
		fmt.Fprintf(out, "%s:%d:%s\n", name, n, wide(line))
	}
	return int64(len(data)), err
}

func binary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

// wide is a line without its end, cut if it is long.
func wide(line []byte) string {
	return text.Clip(text.Valid(strings.TrimRight(string(line), "\r\n")), maxWide)
}
