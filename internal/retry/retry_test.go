package retry

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDo(t *testing.T) {
	broken, final := errors.New("broken"), errors.New("refused")
	for _, c := range []struct {
		name     string
		answers  []error
		attempts int
		err      error
		waits    []time.Duration
	}{
		{"at once", []error{nil}, 1, nil, nil},
		{"final", []error{final}, 1, final, nil},
		{"passes", []error{&Again{Err: broken}, &Again{Err: broken}, nil}, 3, nil, []time.Duration{2, 4}},
		{"asked to wait", []error{&Again{broken, 9}, nil}, 2, nil, []time.Duration{9}},
		{"up to the longest wait", []error{&Again{Err: broken}, &Again{Err: broken}, &Again{Err: broken}, &Again{Err: broken}}, 4, broken, []time.Duration{2, 4, 5}},
		{"then final", []error{&Again{Err: broken}, final}, 2, final, []time.Duration{2}},
	} {
		var waits []time.Duration
		var said strings.Builder
		p := Policy{Attempts: 4, Wait: 2, MaxWait: 5, Log: slog.New(slog.NewTextHandler(&said, nil)), Sleep: func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			return nil
		}}
		n := 0
		attempts, err := p.Do(t.Context(), "it", func(context.Context) error { n++; return c.answers[n-1] })
		if attempts != c.attempts || !errors.Is(err, c.err) || !slices.Equal(waits, c.waits) || strings.Count(said.String(), "it failed, trying again") != len(waits) {
			t.Errorf("%s: %d attempts, %v, waits %v", c.name, attempts, err, waits)
		}
	}
}

func TestDoEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := Policy{Attempts: 4, Wait: time.Hour, MaxWait: time.Hour, Sleep: Sleep, Log: slog.New(slog.DiscardHandler)}
	attempts, err := p.Do(ctx, "it", func(context.Context) error { cancel(); return &Again{Err: errors.New("broken")} })
	if attempts != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d attempts, %v", attempts, err)
	}
}

func TestDoubled(t *testing.T) {
	for n, want := range []time.Duration{1, 2, 4, 8, 10, 10} {
		if got := Doubled(1, n, 10); got != want {
			t.Errorf("doubled %d times is %d, want %d", n, got, want)
		}
	}
	if got := Doubled(1, 1000, time.Hour); got != time.Hour {
		t.Errorf("doubled 1000 times is %v", got)
	}
}
