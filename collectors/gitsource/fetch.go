package gitsource

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/retry"
)

// keepRef is the ref of fetched commits, so that the next transfer tells the server what we have.
const keepRef = "refs/keep/"

// maxWants is how many objects one transfer asks for.
const maxWants = 20_000

var oidPattern = regexp.MustCompile(`^[0-9a-f]{40}$`)

// want is one kind of transfer.
type want struct {
	filter string // what the server leaves out
	// commits is true for commits: the transfer then tells the server which commits we have. It is false for trees
	// and blobs, because the server would omit those that it assumes came with our commits.
	commits bool
}

var (
	wantCommits = want{filter: "tree:0", commits: true}
	wantObjects = want{filter: "blob:none"}
)

// FetchCommits fetches commits with their whole history, without trees. It returns in missing, with the reason, those
// that the server no longer has, and still fetches the others.
func (r *Repo) FetchCommits(ctx context.Context, oids []string) (missing map[string]error, err error) {
	err = r.withRepair(ctx, func() error {
		missing, err = r.ensure(ctx, wantCommits, oids)
		return err
	})
	return missing, err
}

// ensureTrees also fetches commits that are missing locally.
func (r *Repo) ensureTrees(ctx context.Context, commits []string) (map[string]error, error) {
	missing, err := r.ensure(ctx, wantCommits, commits)
	if err != nil {
		return nil, err
	}
	commitOf := map[string]string{}
	for _, commit := range commits {
		if missing[commit] != nil {
			continue
		}
		root, err := r.rootTree(ctx, commit)
		if err != nil {
			return nil, err
		}
		commitOf[root] = commit
	}
	lost, err := r.ensure(ctx, wantObjects, slices.Sorted(maps.Keys(commitOf)))
	for root, why := range lost {
		missing[commitOf[root]] = why
	}
	return missing, err
}

// ensure fetches objects that are missing locally. The result lists unavailable objects with the reason.
func (r *Repo) ensure(ctx context.Context, w want, oids []string) (map[string]error, error) {
	missing := map[string]error{}
	var wanted []string
	for _, oid := range oids {
		if oidPattern.MatchString(oid) {
			wanted = append(wanted, oid)
		} else {
			missing[oid] = fmt.Errorf("%q is no object id: %w", oid, ErrAbsent)
		}
	}
	slices.Sort(wanted)
	wanted = slices.DeleteFunc(slices.Compact(wanted), func(oid string) bool {
		if r.refusals.has(oid) {
			missing[oid] = ErrAbsent
			return true
		}
		return false
	})
	wanted, err := r.lacking(ctx, wanted)
	if err != nil || len(wanted) == 0 {
		return missing, err
	}
	if r.isMirror() {
		for _, oid := range wanted {
			missing[oid] = ErrAbsent
		}
		return missing, nil
	}
	for part := range slices.Chunk(wanted, maxWants) {
		if err := r.fetchPart(ctx, w, part, missing); err != nil {
			return missing, err
		}
	}
	lost, err := r.lacking(ctx, wanted)
	if err != nil {
		return missing, err
	}
	if len(lost) > len(missing) { // sent, or left out without a word
		if err := checkPacks(r.dir); err != nil {
			return missing, err
		}
	}
	for _, oid := range lost {
		missing[oid] = ErrAbsent
	}
	return missing, nil
}

// fetchPart fetches objects in one transfer. An object that the server lacks fails the whole transfer, so fetchPart
// drops it and requests the others again.
func (r *Repo) fetchPart(ctx context.Context, w want, oids []string, missing map[string]error) error {
	left := slices.Clone(oids)
	for refused := 0; len(left) > 0; refused++ {
		err := r.fetch(ctx, w, left)
		if err == nil || !errors.Is(err, ErrAbsent) {
			return err
		}
		var failed *Error
		errors.As(err, &failed)
		gone := absent(failed.Detail)
		before := len(left)
		left = slices.DeleteFunc(left, func(oid string) bool { return slices.Contains(gone, oid) })
		if len(left) == before || refused >= r.opts.MaxAbsent {
			return err
		}
		for _, oid := range gone {
			missing[oid] = ErrAbsent
			r.refusals.add(oid)
		}
	}
	return nil
}

// fetch runs one transfer, again while the network fails.
func (r *Repo) fetch(ctx context.Context, w want, oids []string) error {
	var specs strings.Builder
	for _, oid := range oids {
		specs.WriteString(oid)
		if w.commits {
			specs.WriteString(":" + keepRef + oid)
		}
		specs.WriteByte('\n')
	}
	settings, err := r.remote(ctx)
	if err != nil {
		return err
	}
	classify := classifyFetch
	if slices.ContainsFunc(settings, func(s setting) bool { return s.secret != "" }) {
		classify = classifySigned
	}
	if !w.commits {
		settings = append(settings, setting{key: "fetch.negotiationAlgorithm", value: "noop"})
	}
	r.transfer.Lock()
	defer r.transfer.Unlock()
	if r.opts.Fetching != nil {
		r.opts.Fetching(len(oids), w.commits)
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no",
		"--filter=" + w.filter, "--stdin"}
	if w.commits {
		r.history.Lock()
		defer r.history.Unlock()
	}
	before := r.packBytes()
	defer func() { r.stats.Bytes += max(0, r.packBytes()-before) }()
	tries := 0
	_, err = r.opts.retries().Do(ctx, "git transfer from "+r.url, func(ctx context.Context) error {
		if tries++; tries > 1 {
			r.stats.Retries++
		}
		r.stats.Fetches++
		_, err := r.run(ctx, r.dir, settings, classify, strings.NewReader(specs.String()), append(args, "origin")...)
		if err == nil && w.commits && r.packBytes()-before >= graphGrowth {
			return r.removeGraph()
		}
		if !errors.Is(err, ErrNetwork) {
			return err
		}
		if damage := r.check(ctx); damage != nil { // git does not say whether the damage is ours or the server's
			return damage
		}
		again := &retry.Again{Err: err}
		if limited(err) {
			again.Wait = r.opts.MaxBackoff // git does not say for how long
		}
		return again
	})
	return err
}

// remote is the configuration of a transfer. It comes from the environment, so that the repository on disk has no
// promisor and git never fetches on its own.
func (r *Repo) remote(ctx context.Context) ([]setting, error) {
	settings := []setting{
		{key: "remote.origin.url", value: r.url}, {key: "remote.origin.promisor", value: "true"},
		{key: "remote.origin.partialclonefilter", value: "tree:0"},
		{key: "protocol.version", value: "2"}, {key: "fetch.unpackLimit", value: "1"}, {key: "credential.helper"},
		{key: "http.lowSpeedLimit", value: "1"},
		{key: "http.lowSpeedTime", value: strconv.Itoa(max(1, int(r.opts.IdleTimeout.Seconds())))},
	}
	if r.opts.Token == nil {
		return settings, nil
	}
	token, err := r.opts.Token(ctx)
	if err != nil {
		return nil, fmt.Errorf("sign in to fetch %s: %w", r.url, err)
	}
	if token != "" {
		basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
		settings = append(settings, setting{"http.extraHeader", "Authorization: Basic " + basic, token})
	}
	return settings, nil
}

// packBytes is the size of the packs on disk; 0 where it cannot be read.
func (r *Repo) packBytes() int64 {
	entries, err := os.ReadDir(filepath.Join(r.dir, "objects", "pack"))
	if err != nil {
		return 0
	}
	var total int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			total += info.Size()
		}
	}
	return total
}
