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

// parseTalk reads the talk section: every line that starts with "%" is an
// event, the lines up to the next one are its body.
//
//	%push
//	%review LOGIN STATE
//	%line PATH SIDE TEXT            part of one line
//	%line PATH SIDE TEXT ... TEXT   from the first to the second
//	%file PATH
//	%reply LOGIN
//	%comment LOGIN
//	%dismiss LOGIN
//
// Options follow the event's name: %line[resolved=ana,edited,liked=ben]. Lines
// and files belong to the review above them.
func parseTalk(text string) ([]Event, error) {
	var events []Event
	var body []string
	flush := func() {
		if n := len(events); n > 0 {
			events[n-1].Body = strings.Trim(strings.Join(body, "\n"), "\n")
		}
		body = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "%") {
			body = append(body, line)
			continue
		}
		flush()
		e, err := parseEvent(line[1:])
		if err != nil {
			return nil, fmt.Errorf("talk line %q: %w", line, err)
		}
		events = append(events, e)
	}
	flush()
	return events, nil
}

func parseEvent(line string) (Event, error) {
	name, rest, _ := strings.Cut(line, " ")
	name, options, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	e := Event{Kind: EventKind(name)}
	for _, option := range strings.FieldsFunc(options, func(r rune) bool { return r == ',' }) {
		key, value, _ := strings.Cut(option, "=")
		switch key {
		case "resolved":
			e.Resolved = value
		case "minimized":
			e.Minimized = value
		case "edited":
			e.Edited = true
		case "liked":
			e.Liked = append(e.Liked, value)
		default:
			return e, fmt.Errorf("unknown option %q", key)
		}
	}
	switch e.Kind {
	case Push:
	case ReviewEvent:
		e.Login, e.State, _ = strings.Cut(rest, " ")
		switch e.State {
		case "APPROVED", "CHANGES_REQUESTED", "COMMENTED", "PENDING":
		default:
			return e, fmt.Errorf("%q is no review state", e.State)
		}
	case LineComment:
		parts := strings.SplitN(rest, " ", 3)
		if len(parts) < 3 || len(parts[1]) != 1 || !strings.ContainsAny(parts[1], "+-=") {
			return e, fmt.Errorf("write %%line PATH SIDE TEXT, the side one of + - =")
		}
		e.Path, e.Side, e.Text = parts[0], parts[1][0], parts[2]
		if start, end, ok := strings.Cut(e.Text, " ... "); ok {
			e.Start, e.Text = start, end
		}
	case FileComment:
		e.Path = rest
	case Reply, Conversation, Dismiss:
		e.Login = rest
	default:
		return e, fmt.Errorf("unknown event")
	}
	return e, nil
}
