// Package pauses stores the waits that GitHub asked for.
package pauses

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

// Store stores the waits that GitHub asked for, so that a restarted run does not ask too early. An error costs at
// most one early request, so it stops no run.
type Store interface {
	Read(ctx context.Context) []ghapi.Wait // a pause that is over has no effect
	Keep(ctx context.Context, w ghapi.Wait)
}

// File stores the last pause in a file.
type File string

// In stores it in a run's state.
func In(state string) Store { return File(filepath.Join(state, "pauses.json")) }

// Read implements Store.
func (p File) Read(context.Context) []ghapi.Wait {
	data, err := os.ReadFile(string(p))
	var w ghapi.Wait
	if err != nil || json.Unmarshal(data, &w) != nil {
		return nil
	}
	return []ghapi.Wait{w}
}

// Keep implements Store.
func (p File) Keep(_ context.Context, w ghapi.Wait) {
	if data, err := json.Marshal(w); err == nil {
		if os.WriteFile(string(p)+".tmp", data, 0o600) == nil {
			_ = os.Rename(string(p)+".tmp", string(p))
		}
	}
}

// Objects store pauses in an exchange, where the next collect finds them on any machine. Objects never change,
// so each pause is one object, named by its end.
type Objects struct{ exchange.Exchange }

// pausePrefix is their prefix in the exchange: they belong to the identity, not to a run.
const pausePrefix = "pauses/"

// maxPause bounds the object of one pause, in bytes.
const maxPause = 1 << 16

// Read implements Store.
func (p Objects) Read(ctx context.Context) []ghapi.Wait {
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

// Keep implements Store.
func (p Objects) Keep(ctx context.Context, w ghapi.Wait) {
	if data, err := json.Marshal(w); err == nil {
		name := pausePrefix + w.Until.UTC().Format("20060102T150405Z") + "-" + cmp.Or(w.Resource, "all") + ".json"
		_, _ = p.Create(ctx, name, bytes.NewReader(data))
	}
}
