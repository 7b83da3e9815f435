package pauses

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/collectors/exchange"
	"github.com/prforge/prforge/internal/ghapi"
)

// TestPauses: what one run was asked to wait for holds the next one back, on
// this machine or, by the exchange, on another.
func TestPauses(t *testing.T) {
	x, err := exchange.Open(t.TempDir(), exchange.S3Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := func(minute int) time.Time { return time.Date(2026, 4, 15, 12, minute, 0, 0, time.UTC) }
	early := ghapi.Wait{Resource: "REST", Reason: "secondary limit", Until: at(1)}
	late := ghapi.Wait{Resource: "REST", Reason: "REST limit used up", Until: at(59)}
	all := ghapi.Wait{Reason: "secondary limit", Until: at(5)}
	for name, c := range map[string]struct {
		open func() Store
		want []ghapi.Wait
	}{
		"file":     {func() Store { return File(filepath.Join(t.TempDir(), "pauses.json")) }, []ghapi.Wait{late}},
		"exchange": {func() Store { return Objects{x} }, []ghapi.Wait{all, late}},
	} {
		p := c.open()
		if got := p.Read(t.Context()); len(got) != 0 {
			t.Errorf("%s: %v before there was any", name, got)
		}
		for _, w := range []ghapi.Wait{early, all, late, late} {
			p.Keep(t.Context(), w)
		}
		if diff := cmp.Diff(c.want, p.Read(t.Context())); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}

	// A pause over the bound is not read, whatever it says, and stops no run.
	for _, tc := range []struct {
		bytes int
		want  int
	}{{maxPause, 1}, {maxPause + 1, 0}} {
		x, err := exchange.Open(t.TempDir(), exchange.S3Options{})
		if err != nil {
			t.Fatal(err)
		}
		pause, err := json.Marshal(late)
		if err != nil {
			t.Fatal(err)
		}
		pause = append(bytes.Repeat([]byte(" "), tc.bytes-len(pause)), pause...)
		if _, err := x.Create(t.Context(), pausePrefix+"large", bytes.NewReader(pause)); err != nil {
			t.Fatal(err)
		}
		if got := (Objects{x}).Read(t.Context()); len(got) != tc.want {
			t.Errorf("%d bytes: %v", tc.bytes, got)
		}
	}
}
