package progress

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/pipeline"
)

// logOf is a log at a clock that the test moves.
func logOf() (*lines, *bytes.Buffer, *time.Time) {
	now := time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)
	var b bytes.Buffer
	return newLines(&b, func() time.Time { return now }), &b, &now
}

// Time left goes by work: the large repository is not one of two, but nine tenths.
func TestLines_TimeLeftByWork(t *testing.T) {
	l, b, now := logOf()
	l.Phase("repositories", 2)
	l.Weigh("pull requests", map[string]int{"a/small": 10, "b/large": 90})
	*now = now.Add(time.Minute)
	l.Done("a/small", "10 pull requests, 1 passed")
	l.Doing("b/large", pipeline.Step{Stage: "collect", Done: 1, Of: 9, Over: 0.1})
	l.Doing("b/large", pipeline.Step{Stage: "fetching 412 commits"})
	*now = now.Add(30 * time.Second)
	l.beat()
	want := "repositories: 2 to do\nrepositories 1/2: a/small: 10 pull requests, 1 passed\n" +
		"1m30s · repositories 1/2 · about 6m24s left · 19 of 100 pull requests · 13 a minute · b/large: fetching 412 commits\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// However much is done or waited for, a log has a line every 15 s at first, later every
// 45 s, and never more than 200 in an hour.
func TestLines_Bounded(t *testing.T) {
	for name, each := range map[string]func(*lines, int){
		"silent": func(*lines, int) {},
		"busy":   func(l *lines, i int) { l.Done(fmt.Sprint(i), "done") },
		"paused": func(l *lines, i int) { l.Waiting("REST limit used up", l.now().Add(time.Second)) },
	} {
		l, b, now := logOf()
		l.Phase("records", 1e6)
		var at []time.Time
		seen := strings.Count(b.String(), "\n")
		for i := range 3 * 3600 {
			*now = now.Add(time.Second)
			each(l, i)
			l.beat()
			for ; seen < strings.Count(b.String(), "\n"); seen++ {
				at = append(at, *now)
			}
			if len(at) == 0 {
				continue
			}
			if silent := now.Sub(at[len(at)-1]); silent > seldomEvery || (i < 600 && silent >= 15*time.Second) {
				t.Fatalf("%s: nothing said for %s after %d s", name, silent, i)
			}
		}
		for i := range at {
			if i+200 < len(at) && at[i+200].Sub(at[i]) < time.Hour {
				t.Fatalf("%s: more than 200 lines in the hour from %s", name, at[i])
			}
		}
		if len(at) < 3*80 {
			t.Errorf("%s: %d lines in three hours", name, len(at))
		}
	}
}
