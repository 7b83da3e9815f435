package python

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// ErrNotKept says that a run is not recorded and that there is no Python to make it.
var ErrNotKept = errors.New("the run is not among the kept records, and there is no Python to make it")

// runtimeKey is the record of the runtime; every other key is a hash.
const runtimeKey = "runtime"

// Kept is a Runner that answers from records and stores new runs. It is safe for concurrent use.
type Kept struct {
	records *store.Shard
	next    Runner // nil where there is no Python
	limits  Limits

	mu      sync.Mutex
	runtime *model.Runtime
	digest  string
	used    map[string]bool
}

// NewKept stores trials in a shard: Store.Answers. next makes those that are missing; if it is nil they are an
// ErrNotKept. The limits are part of a trial's key.
func NewKept(records *store.Shard, next Runner, limits Limits) *Kept {
	return &Kept{records: records, next: next, limits: limits, used: map[string]bool{runtimeKey: true}}
}

// Runtime is the interpreter's runtime or, without one, that of the records.
func (k *Kept) Runtime(ctx context.Context) (model.Runtime, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.runtime != nil {
		return *k.runtime, nil
	}
	var r model.Runtime
	if k.next == nil {
		known, found, err := store.Get[model.Runtime](k.records, store.Run, runtimeKey)
		if err != nil {
			return r, err
		}
		if !found {
			return r, ErrNotKept
		}
		r = known
	} else {
		var err error
		if r, err = k.next.Runtime(ctx); err != nil {
			return r, err
		}
		if err := store.Put(k.records, store.Run, runtimeKey, r); err != nil {
			return r, err
		}
	}
	digest, err := digestOf(r)
	if err != nil {
		return r, err
	}
	k.runtime, k.digest = &r, digest
	return r, nil
}

// identity is the input of a trial's key. It omits whether a run was warm and how the sandbox was made.
type identity struct {
	Tracer  int        `json:"tracer"`
	Runtime string     `json:"runtime"`
	Limits  Limits     `json:"limits"`
	Path    string     `json:"path"`
	Code    string     `json:"code"`
	Inputs  [][]string `json:"inputs"`
	Seeds   []int      `json:"seeds"`
}

// key is the hash of a job.
func (k *Kept) key(ctx context.Context, job Job) (string, error) {
	if _, err := k.Runtime(ctx); err != nil {
		return "", err
	}
	id := identity{Tracer: tracerVersion, Runtime: k.digest, Limits: k.limits, Path: job.Script.Path,
		Code: digest.Bytes(job.Script.Code), Seeds: job.Seeds}
	for _, f := range job.Script.Inputs {
		id.Inputs = append(id.Inputs, []string{f.Path, digest.Bytes(f.Content)})
	}
	return digestOf(id)
}

// Run returns the stored trial of a job, or makes and stores it.
func (k *Kept) Run(ctx context.Context, job Job) (Trial, error) {
	key, err := k.key(ctx, job)
	if err != nil {
		return Trial{}, err
	}
	k.mu.Lock()
	k.used[key] = true
	k.mu.Unlock()
	known, found, err := store.Get[Trial](k.records, store.Run, key)
	if err != nil || found {
		return known, err
	}
	if k.next == nil {
		return Trial{}, fmt.Errorf("%s: %w", job.Script.Path, ErrNotKept)
	}
	trial, err := k.next.Run(ctx, job)
	if err != nil {
		return Trial{}, err
	}
	return trial, store.Put(k.records, store.Run, key, trial)
}

// Used reports whether a record was read since NewKept, for the export of one build's records.
func (k *Kept) Used(kind store.Kind, key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return kind == store.Run && k.used[key]
}

// digestOf is the hash of a value's JSON.
func digestOf(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("hash a run: %w", err)
	}
	return digest.Bytes(data), nil
}
