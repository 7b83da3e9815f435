package gitsource

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-enry/go-enry/v2"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/store"
)

// Request asks for the sources of one commit.
type Request struct {
	Key     string   // what the snapshot goes by: Shard.Snapshot(Key)
	Commit  string   // full SHA-1
	Changed []string // the paths that the pull request changes, as they are at Commit
	// BuildFiles asks only for the whole tree and the files that configure how the project is built and tested.
	BuildFiles bool
	// Only asks for the changed paths alone, and lists no others.
	Only bool
}

// Collect fetches the trees of commits and the wanted files and stores both in the shard. It skips requests whose
// tree is in the shard. The result lists unavailable commits by key; an error is ours and keeps what was committed so
// far. One call for all commits of a repository transfers shared objects once. It holds in memory one tree, one
// batch, and the ids of wanted files.
func (r *Repo) Collect(ctx context.Context, shard *store.Shard, requests []Request) (failed map[string]error,
	err error) {
	var todo []Request
	for _, q := range requests {
		commit, found, err := shard.TreeCommit(q.Key)
		if err != nil {
			return nil, err
		}
		if !found || commit != q.Commit {
			todo = append(todo, q)
		}
	}
	err = r.withRepair(ctx, func() error {
		failed = map[string]error{}
		return r.collect(ctx, shard, todo, failed)
	})
	if err != nil {
		return failed, fmt.Errorf("collect sources: %w", err)
	}
	return failed, nil
}

func (r *Repo) collect(ctx context.Context, shard *store.Shard, todo []Request, failed map[string]error) error {
	commits := make([]string, len(todo))
	for i, q := range todo {
		commits[i] = q.Commit
	}
	missing, err := r.ensureTrees(ctx, commits)
	if err != nil {
		return err
	}
	k := newBlobWriter(r, shard)
	oids := map[string]bool{}
	for _, q := range todo {
		err := missing[q.Commit]
		if err == nil {
			err = k.plan(ctx, q, oids)
		}
		if err != nil && !errors.Is(err, ErrAbsent) && !errors.Is(err, ErrTooLarge) {
			return err
		}
		if err != nil {
			failed[q.Key] = fmt.Errorf("commit %q: %w", q.Commit, err)
		}
	}
	if k.lost, err = r.ensure(ctx, wantObjects, slices.Collect(maps.Keys(oids))); err != nil {
		return err
	}
	for _, q := range todo {
		if failed[q.Key] != nil {
			continue
		}
		if err := k.keep(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// blobWriter moves files from git into the shard.
type blobWriter struct {
	repo    *Repo
	shard   *store.Shard
	lost    map[string]error // blobs that the server does not have
	judged  map[judgedKey]fitness
	has     map[string]bool   // blobs that the shard is known to have; commits share most of theirs
	pending map[string][]byte // to be committed, by object id
	size    int               // of what is pending, in bytes
}

func newBlobWriter(r *Repo, shard *store.Shard) *blobWriter {
	return &blobWriter{repo: r, shard: shard, judged: map[judgedKey]fitness{}, has: map[string]bool{},
		pending: map[string][]byte{}}
}

type judgedKey struct {
	oid, path string
	class     class
}

// fitness is a file's size and whether its content should be stored.
type fitness struct {
	size int64
	fit  bool
}

// list returns a commit's files and the wanted ones among them.
func (k *blobWriter) list(ctx context.Context, q Request) ([]store.File, []wantedFile, error) {
	root, err := k.repo.rootTree(ctx, q.Commit)
	if err != nil {
		return nil, nil, err
	}
	var entries []model.TreeEntry
	if q.Only {
		entries, err = k.repo.listFiles(ctx, root, q.Changed)
	} else {
		entries, err = k.repo.listTree(ctx, root)
	}
	if err != nil {
		return nil, nil, err
	}
	wanted := k.repo.selector.wantedFiles(entries, q.Changed)
	if q.BuildFiles {
		wanted = slices.DeleteFunc(wanted, func(w wantedFile) bool { return w.class != build })
	}
	files := make([]store.File, len(entries))
	for i, e := range entries {
		files[i].TreeEntry = e
	}
	return files, wanted[:min(len(wanted), k.repo.opts.MaxFiles)], nil
}

// plan adds the wanted blobs of a commit that are not in the shard.
func (k *blobWriter) plan(ctx context.Context, q Request, oids map[string]bool) error {
	_, wanted, err := k.list(ctx, q)
	if err != nil {
		return err
	}
	for _, w := range wanted {
		if oids[w.Oid] {
			continue
		}
		has, err := k.hasBlob(w.Oid)
		if err != nil {
			return err
		}
		if !has {
			oids[w.Oid] = true
		}
	}
	return nil
}

// keep stores one commit's wanted files and then its tree, so that a tree in
// the shard has everything it names.
func (k *blobWriter) keep(ctx context.Context, q Request) error {
	files, wanted, err := k.list(ctx, q)
	if err != nil {
		return err
	}
	kept := map[string]fitness{}
	var total int64
	for _, w := range wanted {
		if k.lost[w.Oid] != nil {
			continue
		}
		j, data, err := k.judge(ctx, w)
		if err != nil {
			return fmt.Errorf("file %q at %s: %w", w.Path, q.Commit, err)
		}
		if j.fit = j.fit && total+j.size <= k.repo.opts.MaxBytes; j.fit {
			total += j.size
			if err := k.add(ctx, w.Oid, data); err != nil {
				return fmt.Errorf("file %q at %s: %w", w.Path, q.Commit, err)
			}
		}
		kept[w.Path] = j
	}
	if err := k.flush(); err != nil {
		return err
	}
	for i := range files {
		if j, ok := kept[files[i].Path]; ok {
			files[i].Size, files[i].Kept = j.size, j.fit
		}
	}
	return k.shard.Batch(func(b *store.Batch) error { return store.PutTree(b, q.Key, q.Commit, files) })
}

// judge reads a file and decides whether to store it. It does not read a file again that another commit shares; then
// it returns no data.
func (k *blobWriter) judge(ctx context.Context, w wantedFile) (fitness, []byte, error) {
	key := judgedKey{oid: w.Oid, path: w.Path, class: w.class}
	if j, ok := k.judged[key]; ok {
		return j, nil, nil
	}
	data, err := k.content(ctx, w.Oid)
	var over *sizeError
	j := fitness{size: int64(len(data))}
	switch {
	case errors.As(err, &over):
		j.size = over.size
	case err != nil:
		return j, nil, err
	default:
		j.fit = k.fit(w, data)
	}
	k.judged[key] = j
	return j, data, nil
}

// fit rejects what no stage can read: binary files, Git LFS pointers, generated files. It accepts every file that the
// pull request changes.
func (k *blobWriter) fit(w wantedFile, data []byte) bool {
	switch {
	case w.class == changed:
		return true
	case enry.IsBinary(data), isLFSPointer(data):
		return false
	case w.class == build:
		return true
	case w.class == settings && int64(len(data)) > k.repo.opts.MaxConfig:
		return false
	}
	return !pathkind.IsGenerated(w.Path, data)
}

// isLFSPointer reports whether a file is a pointer to one kept by Git LFS.
func isLFSPointer(data []byte) bool {
	return bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/"))
}

// content reads a blob from the shard, or else from git.
func (k *blobWriter) content(ctx context.Context, oid string) ([]byte, error) {
	data, found, err := k.shard.Blob(oid)
	if err != nil || found {
		return data, err
	}
	return k.repo.object(ctx, oid, "blob", k.repo.opts.MaxFile)
}

// add stores a blob with the next batch, unless the shard has it. Data may be nil if it was read before.
func (k *blobWriter) add(ctx context.Context, oid string, data []byte) error {
	if _, waiting := k.pending[oid]; waiting {
		return nil
	}
	has, err := k.hasBlob(oid)
	if err != nil || has {
		return err
	}
	if data == nil {
		if data, err = k.content(ctx, oid); err != nil {
			return err
		}
	}
	k.pending[oid] = data
	if k.size += len(data); k.size < k.repo.opts.Batch {
		return nil
	}
	return k.flush()
}

// hasBlob reports whether the shard has a blob.
func (k *blobWriter) hasBlob(oid string) (bool, error) {
	if k.has[oid] {
		return true, nil
	}
	has, err := k.shard.Has(store.Blob, oid)
	if has {
		k.has[oid] = true
	}
	return has, err
}

// flush commits what is pending.
func (k *blobWriter) flush() error {
	err := k.shard.Batch(func(b *store.Batch) error {
		for _, oid := range slices.Sorted(maps.Keys(k.pending)) {
			if err := store.PutBlob(b, oid, k.pending[oid]); err != nil {
				return err
			}
		}
		return nil
	})
	k.pending, k.size = map[string][]byte{}, 0
	return err
}
