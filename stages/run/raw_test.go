package run_test

import (
	"errors"
	"io"
	"testing"

	"github.com/prforge/prforge/stages/run"
)

// A reader that is closed early ends the writing, and closing it waits for that:
// the state must not be read any more when it is closed.
func TestWrittenEndsWithItsReader(t *testing.T) {
	var ended error
	in, err := run.Written(func(w io.Writer) (err error) {
		for err == nil {
			_, err = w.Write(make([]byte, 1<<10))
		}
		ended = err
		return err
	})()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, in, 10<<10); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil || !errors.Is(ended, io.ErrClosedPipe) {
		t.Errorf("closed with %v, ended with %v", err, ended)
	}
}
