// Package progress shows the progress of a run: a block of lines on a terminal, else lines of a log.
package progress

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/prforge/prforge/pipeline"
)

// Start shows progress on standard error: a block of lines below other output on a terminal, else plain lines in log.
// The second result stops it; call it before showing anything else.
func Start(stderr, log io.Writer, above *Above) (pipeline.Progress, func()) {
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s := newScreen(f, time.Now, func() (width, height int) {
			width, height, err := term.GetSize(int(f.Fd()))
			if err != nil || width < 20 {
				return 80, 24
			}
			return width, height
		})
		above.set(s)
		stop := every(redraw, s.draw)
		return s, func() { stop(); s.erase(); above.set(nil) }
	}
	l := newLines(log, time.Now)
	return l, every(time.Second, l.beat)
}

// redraw is how often a screen shows the time that passes.
const redraw = 200 * time.Millisecond

// every calls a function repeatedly until it is stopped.
func every(d time.Duration, do func()) (stop func()) {
	tick, done := time.NewTicker(d), make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			select {
			case <-tick.C:
				do()
			case <-done:
				return
			}
		}
	})
	return func() { tick.Stop(); close(done); ended.Wait() }
}

// Above writes logs above the block of a screen, if there is one.
type Above struct {
	mu     sync.Mutex
	w      io.Writer
	screen *screen
}

// NewAbove writes to a terminal or a log.
func NewAbove(w io.Writer) *Above { return &Above{w: w} }

func (w *Above) set(s *screen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.screen = s
}

// Write writes whole lines.
func (w *Above) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.screen != nil {
		return w.screen.Write(p)
	}
	return w.w.Write(p)
}

// lines writes a line for each finished item and each wait, and a line on the progress after a silence. To keep the
// log of a long run small, it writes fewer lines after a busy hour; the next line has the totals.
type lines struct {
	mu sync.Mutex
	track
	w       io.Writer
	written []time.Time // of the lines of the last hour
}

func newLines(w io.Writer, now func() time.Time) *lines {
	return &lines{w: w, track: newTrack(now)}
}

// The limit of a log: a line every 15 seconds at first, at most 40 + 80 + 3600/45 = 200 an hour. A beat comes every
// second, so the one after the fourteenth is in time for the fifteenth.
const (
	beatEvery   = 14 * time.Second
	manyLines   = 40
	manyMore    = 120
	seldomEvery = 45 * time.Second
)

// gap is the minimum time since the last line.
func (l *lines) gap() time.Duration {
	switch n := len(l.written); {
	case n < manyLines:
		return 0
	case n < manyMore:
		return beatEvery
	}
	return seldomEvery
}

// say writes a line if the last one is old enough. l.mu is held.
func (l *lines) say(least time.Duration, line string) {
	now := l.now()
	l.written = slices.DeleteFunc(l.written, func(t time.Time) bool { return now.Sub(t) >= time.Hour })
	if n := len(l.written); n > 0 && now.Sub(l.written[n-1]) < max(least, l.gap()) {
		return
	}
	l.written = append(l.written, now)
	fmt.Fprintln(l.w, line)
}

// beat writes the progress after a silence.
func (l *lines) beat() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase == "" {
		return
	}
	parts := l.parts()
	if left := l.until.Sub(l.now()); left > 0 {
		parts = append(parts, fmt.Sprintf("paused: %s, %s left", l.reason, Span(left)))
	}
	shown := min(len(l.work), 2)
	for _, w := range l.work[:shown] {
		parts = append(parts, w.String())
	}
	if more := len(l.work) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	l.say(beatEvery, strings.Join(parts, " · "))
}

func (l *lines) Phase(name string, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin(name, total)
	if total > 0 {
		name += fmt.Sprintf(": %d to do", total)
	}
	l.say(0, name)
}

func (l *lines) Weigh(unit string, work map[string]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.weigh(unit, work)
}

func (l *lines) Done(item, how string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if line := l.finish(item, how); line != "" {
		l.say(0, line)
	}
}

func (l *lines) Doing(item string, now pipeline.Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doing(item, now)
}

func (l *lines) Waiting(reason string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reason, l.until = reason, until
	l.say(0, fmt.Sprintf("paused until %s: %s", until.Local().Format("15:04:05"), reason))
}
