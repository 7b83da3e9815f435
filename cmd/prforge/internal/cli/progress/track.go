package progress

import (
	"fmt"
	"slices"
	"time"

	"github.com/prforge/prforge/pipeline"
)

// track is the progress of a run, for a screen and a log.
type track struct {
	now     func() time.Time
	started time.Time // the run
	phase   string
	began   time.Time // the phase
	total   int
	done    int
	unit    string         // of work; "" where items are counted alone
	weights map[string]int // the work of each item, in units
	over    float64        // the work of the items that are done
	work    []*atWork      // in the order in which they began
	reason  string
	until   time.Time
}

// atWork is one active item and its progress.
type atWork struct {
	item string
	pipeline.Step
}

// String is the current step of the item.
func (w *atWork) String() string {
	s := w.item + ": " + w.Stage
	if w.Of > 0 {
		s += fmt.Sprintf(" %d/%d", w.Done, w.Of)
	}
	return s
}

func newTrack(now func() time.Time) track { return track{now: now, started: now()} }

func (t *track) begin(phase string, total int) {
	t.phase, t.total, t.began = phase, total, t.now()
	t.done, t.unit, t.weights, t.over, t.work = 0, "", nil, 0, nil
}

func (t *track) weigh(unit string, work map[string]int) { t.unit, t.weights = unit, work }

func (t *track) doing(item string, now pipeline.Step) {
	i := slices.IndexFunc(t.work, func(w *atWork) bool { return w.item == item })
	if i < 0 {
		i = len(t.work)
		t.work = append(t.work, &atWork{item: item})
	}
	now.Over = max(now.Over, t.work[i].Over)
	t.work[i].Step = now
}

// finish ends an item and returns the line about it; "" is none.
func (t *track) finish(item, how string) string {
	t.done++
	t.over += t.weight(item)
	t.work = slices.DeleteFunc(t.work, func(w *atWork) bool { return w.item == item })
	if how == "" {
		return ""
	}
	return fmt.Sprintf("%s %d/%d: %s: %s", t.phase, t.done, t.total, item, how)
}

func (t *track) weight(item string) float64 {
	if t.unit == "" {
		return 1
	}
	return float64(t.weights[item])
}

// amount is the finished work, and the total.
func (t *track) amount() (over, all float64) {
	over, all = t.over, float64(t.total)
	for _, w := range t.work {
		over += w.Over * t.weight(w.item)
	}
	if t.unit != "" {
		all = 0
		for _, w := range t.weights {
			all += float64(w)
		}
	}
	return min(over, all), all
}

// parts describe the progress, most important first, because a narrow terminal cuts the end.
func (t *track) parts() []string {
	out := []string{Span(t.now().Sub(t.started)), t.phase}
	if t.total > 0 {
		out[1] += fmt.Sprintf(" %d/%d", t.done, t.total)
	}
	over, all := t.amount()
	if rest := t.remaining(over, all); rest > 0 {
		out = append(out, "about "+Span(rest)+" left")
	}
	if t.unit != "" && all > 0 {
		out = append(out, fmt.Sprintf("%.0f of %.0f %s", over, all, t.unit))
	}
	if spent := t.now().Sub(t.began).Minutes(); over >= 1 && spent > 0 {
		out = append(out, fmt.Sprintf("%.*f a minute", decimals(over/spent), over/spent))
	}
	return out
}

// remaining estimates the rest of the phase from the speed so far; it is at least the current pause. Zero is unknown.
func (t *track) remaining(over, all float64) time.Duration {
	now := t.now()
	rest := max(0, t.until.Sub(now))
	if over > 0 && over < all {
		rest += time.Duration(float64(now.Sub(t.began)) / over * (all - over))
	}
	return rest
}

// decimals is the number of meaningful decimals of a rate.
func decimals(rate float64) int {
	if rate >= 10 {
		return 0
	}
	return 1
}

// Span is a duration for people: 42s, 3m05s, 2h10m.
func Span(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
