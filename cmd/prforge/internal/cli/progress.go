package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/prforge/prforge/stages/run"
)

// progress is a block of lines on a terminal, plain lines otherwise, nothing with
// --quiet. The second result ends it and must be called before anything else is
// shown.
func (a *app) progress() (run.Progress, func()) {
	if a.quiet {
		return run.Silent{}, func() {}
	}
	if f, ok := a.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s := newScreen(f, time.Now, func() (width, height int) {
			width, height, err := term.GetSize(int(f.Fd()))
			if err != nil || width < 20 {
				return 80, 24
			}
			return width, height
		})
		a.above.set(s)
		stop := every(redraw, s.draw)
		return s, func() { stop(); s.erase(); a.above.set(nil) }
	}
	return &lines{w: terminal{a.stderr}}, func() {}
}

// redraw is how often a screen shows the time that passes.
const redraw = 200 * time.Millisecond

// every calls a function again and again until it is stopped.
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

// above writes logs: above the block of a screen, where there is one.
type above struct {
	mu     sync.Mutex
	w      io.Writer
	screen *screen
}

func (w *above) set(s *screen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.screen = s
}

func (w *above) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.screen != nil {
		return w.screen.Write(p)
	}
	return w.w.Write(p)
}

// lines writes one line for everything that is finished, and for every wait.
type lines struct {
	w     io.Writer
	mu    sync.Mutex
	phase string
	total int
	done  int
}

func (l *lines) Phase(name string, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase, l.total, l.done = name, total, 0
	fmt.Fprintf(l.w, "%s: %d to do\n", name, total)
}

func (l *lines) Done(item, how string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done++
	fmt.Fprintf(l.w, "%s %d/%d: %s: %s\n", l.phase, l.done, l.total, item, how)
}

func (l *lines) Doing(string, string, int, int) {}

func (l *lines) Waiting(reason string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.w, "paused until %s: %s\n", until.Local().Format("15:04:05"), reason)
}
