package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors/exchange"
	"github.com/prforge/prforge/internal/ghapi"
)

// pauses store the waits that GitHub asked for, so that a restarted run does not ask too early. An error costs at
// most one early request, so it stops no run.
type pauses interface {
	read(ctx context.Context) []ghapi.Wait // a pause that is over has no effect
	keep(ctx context.Context, w ghapi.Wait)
}

// pauseFile stores the last pause in a file.
type pauseFile string

// pausesIn stores it in a run's state.
func pausesIn(state string) pauses { return pauseFile(filepath.Join(state, "pauses.json")) }

func (p pauseFile) read(context.Context) []ghapi.Wait {
	data, err := os.ReadFile(string(p))
	var w ghapi.Wait
	if err != nil || json.Unmarshal(data, &w) != nil {
		return nil
	}
	return []ghapi.Wait{w}
}

func (p pauseFile) keep(_ context.Context, w ghapi.Wait) {
	if data, err := json.Marshal(w); err == nil {
		if os.WriteFile(string(p)+".tmp", data, 0o600) == nil {
			_ = os.Rename(string(p)+".tmp", string(p))
		}
	}
}

// pauseObjects store pauses in an exchange, where the next collect finds them on any machine. Objects never change,
// so each pause is one object, named by its end.
type pauseObjects struct{ exchange.Exchange }

// pausePrefix is their prefix in the exchange: they belong to the identity, not to a run.
const pausePrefix = "pauses/"

// maxPause bounds the object of one pause, in bytes.
const maxPause = 1 << 16

func (p pauseObjects) read(ctx context.Context) []ghapi.Wait {
	objects, err := p.List(ctx, pausePrefix)
	if err != nil {
		return nil
	}
	last := map[string]ghapi.Wait{} // by resource
	for _, o := range objects {
		r, err := p.Open(ctx, o.Name)
		if err != nil {
			continue
		}
		var w ghapi.Wait
		if json.NewDecoder(io.LimitReader(r, maxPause)).Decode(&w) == nil && !w.Until.Before(last[w.Resource].Until) {
			last[w.Resource] = w
		}
		_ = r.Close()
	}
	var out []ghapi.Wait
	for _, w := range last {
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b ghapi.Wait) int { return strings.Compare(a.Resource, b.Resource) })
	return out
}

func (p pauseObjects) keep(ctx context.Context, w ghapi.Wait) {
	if data, err := json.Marshal(w); err == nil {
		name := pausePrefix + w.Until.UTC().Format("20060102T150405Z") + "-" + cmp.Or(w.Resource, "all") + ".json"
		_, _ = p.Create(ctx, name, bytes.NewReader(data))
	}
}
