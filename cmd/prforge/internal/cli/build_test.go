package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/run"
)

// A build that something kept from freezing ends with 3, one that found nothing with 1: who
// publishes by cron asks for this alone.
func TestEnded(t *testing.T) {
	failed := []run.Failure{{Name: "o/r#7", Stage: "collect", Error: "no answer"}}
	boom := errors.New("the disk is full")
	for _, c := range []struct {
		name     string
		failures []run.Failure
		err      error
		code     int
		says     string
	}{
		{"frozen", nil, nil, exitDone, ""},
		{"frozen all the same", failed, nil, exitPartial, "o/r#7"},
		{"not frozen", failed, fmt.Errorf("build: %w", run.ErrPartial), exitPartial, "because of 1 failure (see above)"},
		{"nothing came through", nil, run.ErrEmpty, exitFailed, "because nothing came through"},
		{"another error", nil, boom, -1, ""},
	} {
		var out bytes.Buffer
		a := &app{stdout: &out, stderr: &out}
		report := &run.Report{Failures: c.failures, Funnel: *verdict.NewFunnel("collect"), Frozen: c.err == nil}
		err := a.ended(t.TempDir(), report, false, c.err)
		got := exitDone
		if exit := (*exitError)(nil); errors.As(err, &exit) {
			got = exit.code
		} else if err != nil {
			got = -1
		}
		if got != c.code || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: exit code %d (%v), want %d; %q in\n%s", c.name, got, err, c.code, c.says, out.String())
		}
	}
}
