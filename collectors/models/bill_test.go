package models

import (
	"context"
	"errors"
	"testing"

	"github.com/prforge/prforge/internal/store"
)

func openAnswers(t *testing.T, dir string) (*store.Shard, func()) {
	t.Helper()
	s, err := store.Open(dir, store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return s.Answers(), func() { s.Close() }
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What is booked outlives the process, also one that ended in the middle of an
// attempt.
func TestBill_OutlivesTheRun(t *testing.T) {
	keep := func(w store.Writer) error { return Keep(w, "chat", "m", Answer{Key: "k", Text: "a"}) }
	for name, tc := range map[string]struct {
		end    func(k *Booking, answers *store.Shard) error
		booked float64
		why    string // of the question without an answer
	}{
		"killed":       {func(*Booking, *store.Shard) error { return nil }, 2, "the call was interrupted"},
		"refused":      {func(k *Booking, _ *store.Shard) error { return k.Refused("status 400") }, 0, "status 400"},
		"lost":         {func(k *Booking, _ *store.Shard) error { return k.Lost("cut") }, 2, "cut"},
		"answered":     {func(k *Booking, a *store.Shard) error { return k.Answered(a, 0.5, true, keep) }, 0, ErrNotKept.Error()},
		"without word": {func(k *Booking, a *store.Shard) error { return k.Answered(a, 0.5, false, keep) }, 2, ErrNotKept.Error()},
		"lost, then answered": {func(k *Booking, a *store.Shard) error {
			return errors.Join(k.Lost("cut"), k.Begin(context.Background()), k.Answered(a, 0.5, true, keep))
		}, 2, ErrNotKept.Error()},
	} {
		dir := t.TempDir()
		answers, done := openAnswers(t, dir)
		k, err := NewBill(answers, 10, 0).Book("k", 2)
		noError(t, err)
		noError(t, k.Begin(t.Context()))
		noError(t, tc.end(k, answers))
		done()
		answers, done = openAnswers(t, dir)
		booked, err := Booked(answers)
		if why := Unanswered(answers, "k"); err != nil || booked != tc.booked || why.Error() != tc.why {
			t.Errorf("%s: $%g are booked, %v, %v", name, booked, why, err)
		}
		done()
	}
}

// An attempt that fits only if the others turn out cheap waits for them.
func TestBill_Limit(t *testing.T) {
	b := NewBill(nil, 10, 1)
	first, _ := b.Book("a", 8)
	noError(t, first.Begin(t.Context()))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	second, _ := b.Book("b", 5)
	if err := second.Begin(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("it did not wait: %v", err)
	}
	waiting := make(chan error)
	go func() { waiting <- second.Begin(t.Context()) }()
	noError(t, first.Refused("no"))
	noError(t, <-waiting)
	third, _ := b.Book("c", 9.5)
	if err := third.Begin(t.Context()); !errors.Is(err, ErrLimit) {
		t.Errorf("over the limit: %v", err)
	}
	if spent, stopped := b.Now(); spent != 1 || !stopped {
		t.Errorf("spent %g, stopped %v", spent, stopped)
	}
}
