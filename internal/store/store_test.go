package store_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

var dask = model.RepoRef{Owner: "Dask", Name: "dask"}

func open(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir, store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func shard(t *testing.T) *store.Shard {
	t.Helper()
	sh, err := open(t, t.TempDir()).Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func TestPutThenGetAfterReopening(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	sh, err := s.Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	want := model.Diff{HeadOid: "abc", Source: model.DiffFromREST, Text: "-caf\xe9 <&>\n+caf\u00e9 \ufffd\u2028\n"}
	if err := store.Put(sh, store.Diff, "12", want); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sh, err = open(t, dir).Shard(model.RepoRef{Owner: "dask", Name: "Dask"})
	if err != nil {
		t.Fatal(err)
	}
	got, found, err := store.Get[model.Diff](sh, store.Diff, "12")
	if err != nil || !found {
		t.Fatalf("found %v, error %v", found, err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, found, err := store.Get[model.Diff](sh, store.Diff, "13"); found || err != nil {
		t.Errorf("a record that is not there: found %v, error %v", found, err)
	}
}

func TestPutRefuses(t *testing.T) {
	sh := shard(t)
	if err := store.Put(sh, store.Pull, "1", "caf\xe9"); !errors.Is(err, store.ErrNotText) {
		t.Errorf("latin-1 text: %v", err)
	}
	if err := store.Put(sh, store.Pull, "1", `a literal \ufffd and \\ufffd`); err != nil {
		t.Errorf("text about the escape: %v", err)
	}
	if err := store.Put(sh, store.Pull, "caf\xe9", 1); !errors.Is(err, store.ErrNotText) {
		t.Errorf("latin-1 key: %v", err)
	}
	if err := store.Put(sh, store.Kind("nonsense"), "1", 1); err == nil {
		t.Error("an unknown kind was stored")
	}
	if err := store.Put(sh, store.Pull, "", 1); err == nil {
		t.Error("an empty key was stored")
	}
	if err := store.PutBlob(sh, store.BlobID([]byte("a")), []byte("b")); !errors.Is(err, store.ErrWrongBytes) {
		t.Errorf("bytes of another blob: %v", err)
	}
}

func TestMaxRecord(t *testing.T) {
	opts := store.DefaultOptions()
	opts.MaxRecord = 10
	s, err := store.Open(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sh, err := s.Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]error{9: nil, 10: nil, 11: store.ErrTooLarge} {
		data := bytes.Repeat([]byte("x"), n)
		if err := store.PutBlob(sh, store.BlobID(data), data); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v, want %v", n, err, want)
		}
	}
}

func TestBatchIsAllOrNothing(t *testing.T) {
	sh := shard(t)
	stop := errors.New("stop")
	err := sh.Batch(func(b *store.Batch) error {
		if err := store.Put(b, store.Pull, "1", 1); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) {
		t.Fatalf("error %v", err)
	}
	if has, _ := sh.Has(store.Pull, "1"); has {
		t.Error("half a batch was committed")
	}
	err = sh.Batch(func(b *store.Batch) error {
		return errors.Join(store.Put(b, store.Pull, "2", 2), store.Put(b, store.Pull, "10", 10), store.Delete(b, store.Pull, "2"))
	})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := sh.Keys(store.Pull)
	if d := cmp.Diff([]string{"10"}, keys); d != "" || err != nil {
		t.Error(d, err)
	}
}

func TestState_TwoRuns(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	if _, err := store.Open(dir, store.DefaultOptions()); !errors.Is(err, store.ErrLocked) {
		t.Errorf("second run: %v", err)
	}
}

// A store whose folder was removed or replaced writes nothing more, and opens no
// file of whatever is there now.
func TestReplacedFolder(t *testing.T) {
	for name, replace := range map[string]bool{"removed": false, "replaced": true} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state")
			s := open(t, dir)
			kept, err := s.Shard(dask)
			if err == nil {
				err = errors.Join(store.Put(kept, store.Pull, "1", "before"), s.InUse(), os.RemoveAll(dir))
			}
			if err != nil {
				t.Fatal(err)
			}
			if replace {
				other := open(t, dir)
				if other.ID() == s.ID() {
					t.Error("two stores have one name")
				}
				if err := errors.Join(other.InUse(), other.Close()); err != nil {
					t.Fatal(err)
				}
			}
			_, opened := s.Shard(model.RepoRef{Owner: "dask", Name: "other"})
			reopened := func() error {
				err := kept.Release()
				if err == nil {
					_, _, err = store.Get[string](kept, store.Pull, "1")
				}
				return err
			}
			for what, err := range map[string]error{
				"asked": s.InUse(), "written": store.Put(kept, store.Pull, "2", "after"), "another shard": opened, "reopened": reopened(),
			} {
				if !errors.Is(err, store.ErrReplaced) || !errors.Is(err, store.ErrState) {
					t.Errorf("%s: error is %v", what, err)
				}
			}
		})
	}
}

// A store keeps its name; one of an older version is given one.
func TestIDStays(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	id := s.ID()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if again := open(t, dir).ID(); id == "" || again != id {
		t.Errorf("%q, then %q", id, again)
	}
}

func TestSnapshot(t *testing.T) {
	sh := shard(t)
	data := []byte("caf\xe9\n")
	oid := store.BlobID(data)
	file := func(path string, kept bool) store.File {
		return store.File{TreeEntry: model.TreeEntry{Path: path, Mode: 0o100644, Oid: oid, Size: int64(len(data))}, Kept: kept}
	}
	files := []store.File{file("z.py", true), file("a/b-c.py", true), file("a/b/c.py", false), file("a/b/\xff \"\n.py", true), file("a.py", true)}
	err := sh.Batch(func(b *store.Batch) error {
		return errors.Join(store.PutBlob(b, oid, data), store.PutTree(b, "1", "one", files), store.PutTree(b, "2", "two", files[:2]))
	})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := sh.Snapshot("1")
	if err != nil {
		t.Fatal(err)
	}
	if snap.Commit() != "one" {
		t.Errorf("commit %q", snap.Commit())
	}
	var paths []string
	for _, e := range snap.Entries() {
		paths = append(paths, e.Path)
	}
	if d := cmp.Diff([]string{"a.py", "a/b-c.py", "a/b/c.py", "a/b/\xff \"\n.py", "z.py"}, paths); d != "" {
		t.Error(d)
	}
	for _, name := range []string{"a.py", "a/b-c.py", "a/b/\xff \"\n.py", "z.py"} {
		if got, err := snap.Read(name); err != nil || !bytes.Equal(got, data) {
			t.Errorf("read %q: %q, %v", name, got, err)
		}
	}
	if _, err := snap.Read("a/b/c.py"); !errors.Is(err, model.ErrNotKept) {
		t.Errorf("a file left out here but kept elsewhere: %v", err)
	}
	if _, err := snap.Read("b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	if _, err := sh.Snapshot("3"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such tree: %v", err)
	}
	listings, err := sh.Keys(store.Listing)
	if err != nil || len(listings) != 4 {
		t.Errorf("%d listings, error %v; want root, a, a/b and the root of the smaller tree", len(listings), err)
	}
}

// A snapshot that lacks a record is damaged; it never has fewer files instead.
func TestSnapshot_RecordsMissing(t *testing.T) {
	data := []byte("x = 1\n")
	oid := store.BlobID(data)
	files := []store.File{{TreeEntry: model.TreeEntry{Path: "a/b.py", Mode: 0o100644, Oid: oid, Size: int64(len(data))}, Kept: true}}
	filled := func() *store.Shard {
		sh := shard(t)
		if err := errors.Join(store.PutBlob(sh, oid, data), store.PutTree(sh, "1", "one", files)); err != nil {
			t.Fatal(err)
		}
		return sh
	}
	keys, err := filled().Keys(store.Listing)
	if err != nil || len(keys) == 0 {
		t.Fatalf("%d listings, %v", len(keys), err)
	}
	for _, key := range keys {
		sh := filled()
		if err := store.Delete(sh, store.Listing, key); err != nil {
			t.Fatal(err)
		}
		if files, err := sh.Files("1"); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("without the listing %s: %v, %v", key, files, err)
		}
	}
	sh := filled()
	if err := store.Delete(sh, store.Blob, oid); err != nil {
		t.Fatal(err)
	}
	if got, found, err := sh.Blob(oid); found || got != nil || err != nil {
		t.Errorf("no blob: %q, %v, %v", got, found, err)
	}
}

// What a killed creation left is no shard, and in nobody's way.
func TestShard_BegunBeforeAKill(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	sh, err := s.Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	path := sh.Path()
	if err := errors.Join(s.Close(), os.Remove(path), os.WriteFile(path+".new", []byte("cut off"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if sh, err = open(t, dir).Shard(dask); err != nil {
		t.Fatal(err)
	}
	if err := store.Put(sh, store.Pull, "1", "one"); err != nil {
		t.Error(err)
	}
}

func TestStore_OlderSchema(t *testing.T) {
	dir := t.TempDir()
	ref := model.RepoRef{Owner: "acme", Name: "widget"}
	s, err := store.Open(dir, store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	shard, err := s.Shard(ref)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Put(shard, store.Pull, "1", map[string]string{"title": "old"}); err != nil {
		t.Fatal(err)
	}
	path := shard.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	version := func(set string) (got string) {
		db, err := bbolt.Open(path, 0o644, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		err = db.Update(func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte("schema"))
			got = string(b.Get([]byte("version")))
			if set == "" {
				return nil
			}
			return b.Put([]byte("version"), []byte(set))
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	version("1")
	if s, err = store.Open(dir, store.DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	if shard, err = s.Shard(ref); err != nil {
		t.Fatal(err)
	}
	pull, found, err := store.Get[model.PullRequest](shard, store.Pull, "1")
	if err != nil || !found || pull.Title != "old" || len(pull.Lacks()) == 0 {
		t.Errorf("read %+v, %v, %v", pull, found, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := version(""); got != strconv.Itoa(store.Schema) {
		t.Errorf("it stays one of schema %s", got)
	}
}
