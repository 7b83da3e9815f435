package review

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/stages/run/runtest"
)

// onRequest is a log of the fake GitHub that does something at the first request
// that matches, before it is answered.
type onRequest struct {
	slog.Handler
	match string
	done  atomic.Bool
	do    func()
}

func (o *onRequest) Enabled(context.Context, slog.Level) bool { return true }

func (o *onRequest) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if o.do != nil && a.Key == "path" && strings.Contains(a.Value.String(), o.match) && o.done.CompareAndSwap(false, true) {
			o.do()
		}
		return true
	})
	return nil
}

// TestStateTakenAway takes the state away from a running build: it stops and says
// so, and a build that began in the same place meanwhile is none the worse.
func TestStateTakenAway(t *testing.T) {
	for name, match := range map[string]string{"between requests": "/pulls/13", "within a git transfer": "pier.git/git-upload-pack"} {
		for _, replaced := range []bool{true, false} {
			if testing.Short() && !replaced {
				continue
			}
			t.Run(map[bool]string{false: "deleted ", true: "replaced "}[replaced]+name, func(t *testing.T) {
				at := &onRequest{Handler: slog.DiscardHandler, match: match}
				w := newFaultWorld(t, fakegithub.Options{Log: slog.New(at)})
				clean := w.build(t, t.TempDir(), "clean")
				runtest.RunBuild(t, clean)
				dir := t.TempDir()
				first, second := w.build(t, dir, "first"), w.build(t, dir, "second")
				done := make(chan struct{})
				at.do = func() {
					defer close(done)
					gone := filepath.Join(dir, "gone")
					if err := os.Rename(first.State, gone); err != nil { // it may still be written to
						t.Error(err)
					}
					_ = os.RemoveAll(gone)
					if !replaced {
						return
					}
					if report, err := second.Run(t.Context()); err != nil {
						t.Errorf("%v: %+v", err, report.Failures)
					}
				}
				report, err := first.Run(t.Context())
				<-done // the second may run on
				if !errors.Is(err, store.ErrReplaced) || report != nil {
					t.Errorf("reported %t, error %v", report != nil, err)
				}
				if _, err := os.Stat(first.Out); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("something was frozen: %v", err)
				}
				after := w.build(t, dir, "after")
				if replaced {
					after.Connect = runtest.Offline(t)
				}
				runtest.RunBuild(t, after)
				if runtest.ManifestOf(t, after) != runtest.ManifestOf(t, clean) || replaced && runtest.ManifestOf(t, second) != runtest.ManifestOf(t, clean) {
					t.Error("another dataset")
				}
			})
		}
	}
}
