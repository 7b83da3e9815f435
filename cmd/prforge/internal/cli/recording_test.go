package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/testenv"
)

// moment is what a recording waits for, and what to call it.
type moment struct {
	title string
	seen  func(screen string) bool
}

// workLine is the line of a repository at work: its stage, and n of m.
var workLine = regexp.MustCompile(`(?m)^  \S+/\S+ +\S+ +\d+/\d+`)

var recorded = []moment{
	{"It begins", func(s string) bool { return strings.Contains(s, "repositories 0/") }},
	{"Repositories at work", func(s string) bool { return strings.Contains(s, "requests") && workLine.MatchString(s) }},
	{"The limit is used up", func(s string) bool { return strings.Contains(s, "paused: ") }},
	{"The last phase", func(s string) bool { return strings.Contains(s, "contexts 3/") }},
}

// TestOnATerminal runs the program on a terminal of its own while a limit of
// GitHub runs out, and keeps what its screen shows at five moments. With
// PRFORGE_RECORD=FILE these are written down; with PRFORGE_RECORD_CONFIG=FILE
// the build is that one, against the GitHub of the environment.
func TestOnATerminal(t *testing.T) {
	dir := t.TempDir()
	config, env := os.Getenv("PRFORGE_RECORD_CONFIG"), os.Environ()
	if config == "" {
		config = filepath.Join(dir, "prforge.yaml")
		if err := os.WriteFile(config, demo.Config(), 0o644); err != nil {
			t.Fatal(err)
		}
		env = append(env, environment(limited(t))...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute) // a program that hangs shows where
	defer cancel()
	cmd := exec.CommandContext(ctx, "prforge", "build", "-c", config, "-o", "dataset", "--repositories-at-once", "3")
	cmd.Dir, cmd.Env = dir, env
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 50})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	term := vt10x.New(vt10x.WithSize(120, 50))
	var screens []string
	each(t, tty, func(part []byte) {
		if _, err := term.Write(part); err != nil {
			t.Fatal(err)
		}
		if n := len(screens); n < len(recorded) && recorded[n].seen(testenv.ShownOn(term)) {
			screens = append(screens, testenv.ShownOn(term))
		}
	})
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, testenv.ShownOn(term))
	}
	if len(screens) < len(recorded) {
		t.Fatalf("%q did not come; at the end the screen shows\n%s", recorded[len(screens)].title, testenv.ShownOn(term))
	}
	last := testenv.ShownOn(term)
	if strings.Contains(last, "paused") || strings.Contains(last, " · ") || !strings.Contains(last, "dataset:") || !strings.Contains(last, "next: ") {
		t.Errorf("the end is not what it should be:\n%s", last)
	}
	write(t, append(screens, last))
}

// limited is a GitHub whose limit is used up for a moment.
func limited(t *testing.T) string {
	t.Helper()
	world, err := demo.World()
	if err != nil {
		t.Fatal(err)
	}
	return fakegithub.ForTest(t, world, fakegithub.Options{Faults: []fakegithub.Fault{{
		Target: "rest", Nth: []int{5}, Status: 403, Body: `{"message":"API rate limit exceeded for user ID 1."}`,
		Headers: map[string]string{"x-ratelimit-remaining": "0", "x-ratelimit-reset": "{{now+2}}"},
	}}}).URL()
}

// each reads what a program writes to its terminal, one drawing at a time.
func each(t *testing.T, tty *os.File, take func([]byte)) {
	t.Helper()
	const drawing = "\r\x1b[J"
	var kept []byte
	buf := make([]byte, 1<<16)
	for {
		n, err := tty.Read(buf)
		kept = append(kept, buf[:n]...)
		for {
			next := bytes.Index(kept[min(1, len(kept)):], []byte(drawing))
			if next < 0 {
				break
			}
			take(kept[:next+1])
			kept = kept[next+1:]
		}
		if errors.Is(err, syscall.EIO) || errors.Is(err, io.EOF) { // the program has gone
			take(kept)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// write keeps the screens as a page, where that was asked for.
func write(t *testing.T, screens []string) {
	t.Helper()
	path := os.Getenv("PRFORGE_RECORD")
	if path == "" {
		return
	}
	var b strings.Builder
	b.WriteString("# What a build shows\n\nThe screen of a terminal at five moments of a build while an hourly limit runs out, as text. It was recorded by `TestOnATerminal`\n" +
		"(`cmd/prforge/internal/cli`), which runs the program on a pseudoterminal. Time left goes by the work that is over: pull requests of the\n" +
		"window, not repositories.\n" +
		"Without a terminal there is a line for everything that is finished, and at least every 15 seconds one of how far the run is. When a log grows\n" +
		"long, after about half an hour, that becomes every 45 seconds: no hour has more than 200 lines.\n" +
		"`-q` shows nothing, `-v` logs what is asked above the lines at work, `-vv` every command of git, too.\n")
	for i, s := range screens {
		title := "The end"
		if i < len(recorded) {
			title = recorded[i].title
		}
		fmt.Fprintf(&b, "\n## %d. %s\n\n```\n%s\n```\n", i+1, title, s)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
