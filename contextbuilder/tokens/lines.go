package tokens

import "strings"

// Lines counts texts that have many lines in common: each line is counted once. It
// is for one goroutine.
type Lines struct {
	counter *Counter
	known   map[string]int
}

// Lines returns a count of lines that knows none yet.
func (c *Counter) Lines() *Lines { return &Lines{c, map[string]int{}} }

// Count is that of the Counter.
func (l *Lines) Count(text string) int {
	n, _ := l.Fits(text, len(text))
	return n
}

// Fits is that of the Counter.
func (l *Lines) Fits(text string, limit int) (n int, fits bool) {
	for len(text) > 0 && n <= limit {
		line := text[:nextLine(text)]
		size, ok := l.known[line]
		if !ok {
			if size, ok = l.counter.Fits(line, limit-n); !ok {
				return 0, false
			}
			l.known[line] = size
		}
		n += size
		text = text[len(line):]
	}
	if n > limit {
		return 0, false
	}
	return n, true
}

// nextLine is the length of the first line of text with the blank ones after it: no
// piece goes on where it ends. One that ends in a line break goes on with blank
// lines, and some do with a slash.
func nextLine(text string) int {
	at := 0
	for {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
		blank := text[at : at+run(text[at:], space)]
		at += 1 + strings.LastIndexAny(blank, "\r\n")
		if at == len(text) || text[at] != '/' {
			return at
		}
	}
}
