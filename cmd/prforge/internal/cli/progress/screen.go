package progress

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/pipeline"
)

// screen shows progress on a terminal: a block that is redrawn in place, with one line for each active item and one
// of totals. Finished items and logs go above it and stay.
type screen struct {
	size func() (width, height int)

	mu sync.Mutex
	track
	w     io.Writer
	usage func() string // nil before anybody was asked
	asked string        // what it said last
	drawn int           // lines of the block
}

func newScreen(w io.Writer, now func() time.Time, size func() (int, int)) *screen {
	return &screen{w: w, size: size, track: newTrack(now)}
}

func (s *screen) Phase(name string, total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin(name, total)
	s.show(nil)
}

func (s *screen) Weigh(unit string, work map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.weigh(unit, work)
}

func (s *screen) Doing(item string, now pipeline.Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.doing(item, now)
}

func (s *screen) Done(item, how string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := text.Printable(s.finish(item, how))
	if line != "" {
		line += "\n"
	}
	s.show([]byte(line))
}

func (s *screen) Waiting(reason string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reason, s.until = reason, until
	s.show(nil)
}

// Asks sets the source of the request counts.
func (s *screen) Asks(usage func() string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage = usage
}

// Write writes whole lines above the block.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.show(p)
	return len(p), nil
}

// draw shows the elapsed time and the requests in it. It looks up the client without holding the screen's lock,
// because the client may be reporting a pause to the screen.
func (s *screen) draw() {
	s.mu.Lock()
	usage := s.usage
	s.mu.Unlock()
	asked := ""
	if usage != nil {
		asked = " · " + usage()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = asked
	s.show(nil)
}

// erase takes the block away, before something else is shown.
func (s *screen) erase() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = ""
	s.show(nil)
}

// show writes the lines above the block and the block itself in one write, so that nothing flickers. s.mu is held.
func (s *screen) show(over []byte) {
	var b bytes.Buffer
	if s.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", s.drawn) // up to the first line of the block
	}
	b.WriteString("\r\x1b[J") // erase from here to the end of the screen
	b.Write(over)
	width, height := s.size()
	block := s.block(height)
	for _, line := range block {
		b.WriteString(text.Clip(text.Printable(line), width-1))
		b.WriteByte('\n')
	}
	s.drawn = len(block)
	_, _ = s.w.Write(b.Bytes()) // a closed terminal is no reason to stop
}

// maxAtWork is how many items have their own line.
const maxAtWork = 8

// block is the current text, for a screen with a number of lines.
func (s *screen) block(height int) []string {
	if s.phase == "" {
		return nil
	}
	var out []string
	shown := min(len(s.work), maxAtWork, max(1, height-4))
	for _, w := range s.work[:shown] {
		line := fmt.Sprintf("  %-32s %-24s", w.item, w.Stage)
		if w.Of > 0 {
			line += fmt.Sprintf(" %d/%d", w.Done, w.Of)
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	if more := len(s.work) - shown; more > 0 {
		out = append(out, fmt.Sprintf("  and %d more", more))
	}
	if left := s.until.Sub(s.now()); left > 0 {
		out = append(out, fmt.Sprintf("paused: %s, %s left", s.reason, Span(left)))
	}
	return append(out, strings.Join(s.parts(), " · ")+s.asked)
}
