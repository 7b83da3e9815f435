package fakegithub

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// parseEdit reads one file of a tree or of a step. name is the path, before
// it flags in square brackets: "[base64] logo.png", "[exec] run.sh",
// "[noeol] VERSION", "[crlf] notes.txt", "[link] latest", "[numbered] table.ts".
func parseEdit(kind EditKind, name string, data []byte) (Edit, error) {
	e := Edit{Kind: kind, Path: name, Content: data}
	if rest, ok := strings.CutPrefix(name, "["); ok {
		flags, file, _ := strings.Cut(rest, "] ")
		e.Path = file
		for _, flag := range strings.Split(flags, ",") {
			if err := e.setFlag(flag); err != nil {
				return e, err
			}
		}
	}
	var err error
	switch kind {
	case Write:
	case Delete:
		e.Content = nil
	case Patch:
		e.Patches, err = parsePatches(string(data))
		e.Content = nil
	case Rename:
		from, to, ok := strings.Cut(e.Path, " -> ")
		if !ok {
			return e, fmt.Errorf("a rename is written OLD -> NEW")
		}
		e.Path, e.To, e.Content = from, to, nil
		e.Patches, err = parsePatches(string(data))
	default:
		return e, fmt.Errorf("%q is no kind of edit: write, edit, delete, rename", kind)
	}
	return e, err
}

func (e *Edit) setFlag(flag string) error {
	switch flag {
	case "base64":
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(e.Content)), ""))
		e.Content = data
		return err
	case "exec":
		e.Mode = "100755"
	case "link":
		e.Mode = "120000"
		e.Content = []byte(strings.TrimSuffix(string(e.Content), "\n"))
	case "noeol":
		e.Content = []byte(strings.TrimSuffix(string(e.Content), "\n"))
	case "numbered":
		e.Content = numbered(e.Content)
	case "crlf":
		e.Content = []byte(strings.ReplaceAll(string(e.Content), "\n", "\r\n"))
	default:
		return fmt.Errorf("unknown flag %q", flag)
	}
	return nil
}

// numberedLines is how often the flag "numbered" repeats its line: enough to be
// over the limit of 800 added lines.
const numberedLines = 840

// numbered repeats a text with {n} as its number.
func numbered(content []byte) []byte {
	var b strings.Builder
	for n := range numberedLines {
		b.WriteString(strings.ReplaceAll(string(content), "{n}", strconv.Itoa(n)))
	}
	return []byte(b.String())
}

// parsePatches reads hunks without line numbers: each starts with "@@", its
// lines start with " ", "-" or "+"; an empty line is an empty context line.
func parsePatches(text string) ([]Replace, error) {
	var out []Replace
	var old, now []string
	open := false
	flush := func() {
		if open {
			out = append(out, Replace{Old: strings.Join(old, "\n"), New: strings.Join(now, "\n")})
		}
		old, now = nil, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "@@" {
			flush()
			open = true
			continue
		}
		if !open {
			return nil, fmt.Errorf("an edit starts with a line @@, not %q", line)
		}
		switch {
		case line == "":
			old, now = append(old, ""), append(now, "")
		case line[0] == ' ':
			old, now = append(old, line[1:]), append(now, line[1:])
		case line[0] == '-':
			old = append(old, line[1:])
		case line[0] == '+':
			now = append(now, line[1:])
		default:
			return nil, fmt.Errorf("a line of an edit starts with a space, - or +: %q", line)
		}
	}
	flush()
	return out, nil
}
