package progress

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hinshun/vt10x"

	"github.com/prforge/prforge/internal/testenv"
	"github.com/prforge/prforge/pipeline"
)

// terminalOf draws what a screen writes on an emulated terminal.
func terminalOf(columns, rows int) (*screen, vt10x.Terminal, *time.Time) {
	now := time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)
	term := vt10x.New(vt10x.WithSize(columns, rows))
	crlf := writerFunc(func(p []byte) (int, error) {
		_, err := term.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))) // as a tty does
		return len(p), err
	})
	return newScreen(crlf, func() time.Time { return now }, func() (int, int) { return columns, rows }), term, &now
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestScreen(t *testing.T) {
	s, term, now := terminalOf(100, 20)
	s.Phase("repositories", 3)
	s.Asks(func() string { return "36 requests · GraphQL 4964 left · REST 4955 left" })
	s.Doing("celery/celery", pipeline.Step{Stage: "fetch-diff", Done: 3, Of: 12})
	s.Doing("dask/dask", pipeline.Step{Stage: "fetching 412 commits"})
	*now = now.Add(65 * time.Second)
	s.Waiting("REST limit used up", now.Add(42*time.Second))
	s.draw()
	want := func(text string) {
		t.Helper()
		if got := testenv.ShownOn(term); got != text {
			t.Errorf("got\n%s\nwant\n%s", got, text)
		}
	}
	want("  celery/celery                    fetch-diff               3/12\n" +
		"  dask/dask                        fetching 412 commits\n" +
		"paused: REST limit used up, 42s left\n" +
		"1m05s · repositories 0/3 · about 42s left · 36 requests · GraphQL 4964 left · REST 4955 left")

	// A log line goes above, and leaves nothing behind.
	slog.New(slog.NewTextHandler(&Above{screen: s}, nil)).Warn("no answer", "host", "api.example.org", "time", 0)
	got := testenv.ShownOn(term)
	if !strings.HasPrefix(got, "time=") || !strings.Contains(got, "host=api.example.org") || strings.Count(got, "paused:") != 1 || strings.Count(got, "repositories 0/3") != 1 {
		t.Errorf("got\n%s", got)
	}

	*now = now.Add(55 * time.Second)
	s.Done("celery/celery", "55 pull requests, 8 passed\x1b[31m")
	if got := testenv.ShownOn(term); !strings.Contains(got, "repositories 1/3: celery/celery: 55 pull requests, 8 passed\\u001b[31m") ||
		!strings.Contains(got, "2m00s · repositories 1/3 · about 4m00s left · 0.5 a minute") || strings.Contains(got, "paused") || strings.Contains(got, "  celery/celery ") {
		t.Errorf("got\n%s", got)
	}
	s.erase()
	if got := testenv.ShownOn(term); strings.Contains(got, " · ") || !strings.Contains(got, "repositories 1/3: celery") {
		t.Errorf("got\n%s", got)
	}
}

// A narrow and a low terminal cut lines and leave some out, and never wrap.
func TestSmallScreen(t *testing.T) {
	s, term, _ := terminalOf(40, 6)
	s.Phase("repositories", 20)
	for i := range 12 {
		s.Doing(fmt.Sprintf("owner/repository-with-a-long-name-%d", i), pipeline.Step{Stage: "collect", Of: 1})
	}
	for range 5 {
		s.draw()
	}
	got := testenv.ShownOn(term)
	if lines := strings.Split(got, "\n"); len(lines) != 4 || !strings.Contains(got, "and 10 more") || !strings.HasPrefix(lines[3], "0s · repositories 0/20") {
		t.Errorf("got\n%s", got)
	}
}

func TestAboveWithoutAScreen(t *testing.T) {
	var b bytes.Buffer
	a := &Above{w: &b}
	if _, err := io.WriteString(a, "x\n"); err != nil || b.String() != "x\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 59*time.Second + 600*time.Millisecond: "1m00s", 185 * time.Second: "3m05s", 130 * time.Minute: "2h10m"} {
		if got := Span(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}
