package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/prforge/prforge/stages"
)

// progress is bars on a terminal, plain lines otherwise, nothing with --quiet.
// The second result ends it and must be called before anything else is shown.
func (a *app) progress() (stages.Progress, func()) {
	if a.quiet {
		return stages.Silent{}, func() {}
	}
	if f, ok := a.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && !a.verbose {
		b := &bars{pool: mpb.New(mpb.WithOutput(f), mpb.WithWidth(barWidth))}
		return b, b.finish
	}
	return &lines{w: terminal{a.stderr}}, func() {}
}

const barWidth = 64

// bars shows one bar a phase, with what was last begun beside it.
type bars struct {
	pool *mpb.Progress
	mu   sync.Mutex
	bar  *mpb.Bar
	now  string
}

func (b *bars) Phase(name string, total int) {
	b.endBar()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = ""
	b.bar = b.pool.AddBar(int64(total),
		mpb.PrependDecorators(decor.Name(name, decor.WCSyncSpaceR), decor.CountersNoUnit("%d/%d", decor.WCSyncSpace)),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.now
		})))
}

func (b *bars) Done(item, how string) {
	b.mu.Lock()
	b.now = item + ": " + how
	bar := b.bar
	b.mu.Unlock()
	if bar != nil {
		bar.Increment()
	}
}

func (b *bars) Doing(item, what string) { b.say(item + ": " + what) }

func (b *bars) Waiting(reason string, until time.Time) { b.say(waitText(reason, until)) }

func (b *bars) say(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = text
}

// endBar leaves a finished phase's bar as it stands.
func (b *bars) endBar() {
	b.mu.Lock()
	bar := b.bar
	b.bar, b.now = nil, ""
	b.mu.Unlock()
	if bar != nil && !bar.Completed() {
		bar.Abort(false)
	}
}

func (b *bars) finish() {
	b.endBar()
	b.pool.Wait()
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

func (l *lines) Doing(string, string) {}

func (l *lines) Waiting(reason string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(l.w, waitText(reason, until))
}

func waitText(reason string, until time.Time) string {
	return fmt.Sprintf("waiting for %s until %s", reason, until.Local().Format("15:04:05"))
}
