package fakegithub

import (
	"fmt"
	"strings"
)

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
