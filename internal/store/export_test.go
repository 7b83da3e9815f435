package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"go.etcd.io/bbolt"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// fill puts records of every format, in the order given.
func fill(t *testing.T, sh *store.Shard, order []int) {
	t.Helper()
	var puts []func(store.Writer) error
	for i := range 40 {
		data := []byte(fmt.Sprintf("file %d <é>\n", i))
		if i%3 == 0 {
			data = append(data, 0xff, 0)
		}
		puts = append(puts,
			func(w store.Writer) error { return store.PutBlob(w, store.BlobID(data), data) },
			func(w store.Writer) error { return store.Put(w, store.Pull, fmt.Sprint(i), map[string]int{"<n>": i}) },
			func(w store.Writer) error { return store.Put(w, store.Meta, fmt.Sprint(i), rand.Int()) },
			func(w store.Writer) error {
				f := store.File{TreeEntry: model.TreeEntry{Path: "a/\xff.py", Mode: 0o100644, Oid: store.BlobID(data), Size: int64(i)}, Kept: true}
				return store.PutTree(w, fmt.Sprint(i), "commit", []store.File{f})
			})
	}
	err := sh.Batch(func(b *store.Batch) error {
		for _, i := range order {
			if err := puts[i](b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func exported(t *testing.T, sh *store.Shard, keep func(store.Kind, string) bool) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := sh.Export(t.Context(), &buf, keep); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Equal records give equal bytes, whatever order they came in and however often
// they were written over; and an import gives the same export again.
func TestExportIsCanonical(t *testing.T) {
	order := rand.Perm(160)
	one, two, three := shard(t), shard(t), shard(t)
	fill(t, one, order)
	slices.Reverse(order)
	if err := store.Put(two, store.Pull, "7", "to be written over"); err != nil {
		t.Fatal(err)
	}
	fill(t, two, append(order, order...))
	want := exported(t, one, nil)
	if !bytes.Equal(want, exported(t, two, nil)) {
		t.Error("the order of writes shows in the export")
	}
	if err := three.Import(t.Context(), bytes.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, exported(t, three, nil)) {
		t.Error("an import gives another export")
	}
	if has, _ := three.Has(store.Meta, "1"); has {
		t.Error("a record of one run alone was exported")
	}
}

// An encoder that served other exports before writes what a new one writes.
func TestExportAfterOthers(t *testing.T) {
	s := open(t, t.TempDir())
	var shards []*store.Shard
	for i := range 4 {
		sh, err := s.Shard(model.RepoRef{Owner: "o", Name: fmt.Sprint("r", i)})
		if err != nil {
			t.Fatal(err)
		}
		err = sh.Batch(func(b *store.Batch) error {
			for j := range 60 { // much of it as in the shards before
				data := source(16<<10, i/2+j+1)
				if err := store.PutBlob(b, store.BlobID(data), data); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		shards = append(shards, sh)
	}
	first := make([][]byte, len(shards))
	for i, sh := range shards {
		alone := open(t, t.TempDir())
		copied, err := alone.Shard(model.RepoRef{Owner: "o", Name: fmt.Sprint("r", i)})
		if err != nil {
			t.Fatal(err)
		}
		if err := copied.Import(t.Context(), bytes.NewReader(exported(t, sh, nil))); err != nil {
			t.Fatal(err)
		}
		first[i] = exported(t, copied, nil)
	}
	for range 3 {
		for i, sh := range shards {
			if !bytes.Equal(exported(t, sh, nil), first[i]) {
				t.Errorf("shard %d reads otherwise from an encoder that served before", i)
			}
		}
	}
}

func TestExportFormat(t *testing.T) {
	sh := shard(t)
	fill(t, sh, []int{0, 1, 2, 3, 4, 5})
	keep := func(kind store.Kind, key string) bool { return kind != store.Pull || key == "1" }
	z, err := zstd.NewReader(bytes.NewReader(exported(t, sh, keep)))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var last string
	for line := range strings.Lines(string(text)) {
		var l struct {
			Schema            int
			Kind, Key, SHA256 string
			Data              json.RawMessage
			Text              *string
			Base64            []byte
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if at := l.Kind + "\x00" + l.Key; at <= last {
			t.Errorf("%q after %q", at, last)
		} else {
			last = at
		}
		if l.Schema != store.Schema || len(l.SHA256) != 64 || l.Kind == "pull" && l.Key != "1" {
			t.Errorf("line %s", line)
		}
	}
	for _, want := range []string{`"text":"file 1 <é>\n"`, `"base64":"ZmlsZSAwIDzDqT4K/wA="`, `"data":{"<n>":1}`, `"kind":"listing"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func compress(t *testing.T, text string) io.Reader {
	t.Helper()
	var buf bytes.Buffer
	z, err := zstd.NewWriter(&buf)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &buf
}

func TestImportRefuses(t *testing.T) {
	const sum = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b" // of "1"
	good := `{"schema":1,"kind":"pull","key":"1","sha256":"` + sum + `","data":1}` + "\n"
	if err := shard(t).Import(t.Context(), compress(t, good)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, text string
		want       error
	}{
		{"another hash", strings.Replace(good, `"data":1`, `"data":2`, 1), store.ErrDamaged},
		{"a newer schema", strings.Replace(good, `"schema":1`, `"schema":3`, 1), store.ErrNewer},
		{"no schema", strings.Replace(good, `"schema":1,`, ``, 1), store.ErrNewer},
		{"an unknown kind", strings.Replace(good, "pull", "rootkit", 1), nil},
		{"a record of one run", strings.Replace(good, "pull", "meta", 1), nil},
		{"no key", strings.Replace(good, `"key":"1"`, `"key":""`, 1), nil},
		{"bytes of another blob", strings.Replace(strings.Replace(good, "pull", "blob", 1), `"data":1`, `"text":"1"`, 1), store.ErrWrongBytes},
		{"a cut line", strings.TrimSuffix(good, "\n"), io.ErrUnexpectedEOF},
		{"no JSON", "hello\n", nil},
	}
	for _, tt := range tests {
		err := shard(t).Import(t.Context(), compress(t, good+tt.text))
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if err := shard(t).Import(t.Context(), strings.NewReader("not zstd")); err == nil {
		t.Error("no zstd: imported")
	}
}

// A line without an end costs no more memory than a record may.
func TestImportBoundsLines(t *testing.T) {
	opts := store.DefaultOptions()
	opts.MaxRecord = 1000
	s, err := store.Open(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sh, err := s.Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	if err := sh.Import(t.Context(), compress(t, strings.Repeat("x", 1<<20))); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

func TestDamagedShard(t *testing.T) {
	damages := map[string]func([]byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"no file": func([]byte) []byte { return []byte("hello") },
		"zeroed":  func(b []byte) []byte { return make([]byte, len(b)) },
	}
	for name, damage := range damages {
		dir := t.TempDir()
		s := open(t, dir)
		sh, err := s.Shard(dask)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, sh, rand.Perm(160))
		path := sh.Path()
		s.Close()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damage(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := open(t, dir).Shard(dask); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Any page of a shard may be bad: that is an error, never a crash, and never
// another content.
func TestDamagedPages(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	sh, err := s.Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, sh, rand.Perm(160))
	want := exported(t, sh, nil)
	path := sh.Path()
	s.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	noticed := 0
	for at := 2 * 4096; at < len(data); at += 4096 { // with a bad one of the first two, bbolt goes back a transaction
		bad := bytes.Clone(data)
		for i := at; i < min(at+4096, len(bad)); i += 5 {
			bad[i] ^= 0xa5
		}
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(dir, store.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		sh, err := s.Shard(dask)
		var buf bytes.Buffer
		if err == nil {
			err = sh.Export(t.Context(), &buf, nil)
		}
		switch {
		case err != nil && !errors.Is(err, store.ErrDamaged):
			t.Errorf("page at %d: %v", at, err)
		case err != nil:
			noticed++
		case !bytes.Equal(buf.Bytes(), want):
			t.Errorf("page at %d: other contents without an error", at)
		}
		s.Close()
	}
	if noticed == 0 {
		t.Error("no damage was noticed")
	}
}

func TestSchemaOfNoVersionWeKnowIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	sh, err := s.Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	path := sh.Path()
	s.Close()
	for version, want := range map[string]error{"3": store.ErrNewer, "0": store.ErrDamaged, "two": store.ErrDamaged, "": store.ErrDamaged} {
		db, err := bbolt.Open(path, 0o644, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte("schema")).Put([]byte("version"), []byte(version)) })
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir)
		if _, err := s.Shard(dask); !errors.Is(err, want) || !strings.Contains(err.Error(), version) {
			t.Errorf("version %q: %v, want %v", version, err, want)
		}
		s.Close()
	}
}

// A record whose content is not the one it was written with is never given out.
func TestRecordHash(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	sh, err := s.Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.Put(sh, store.Pull, "1", "one"), store.Put(sh, store.Pull, "2", "two")); err != nil {
		t.Fatal(err)
	}
	path := sh.Path()
	s.Close()
	db, err := bbolt.Open(path, 0o644, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error { // the first one's hash over the second one's content
		b := tx.Bucket([]byte("pull"))
		first, second := b.Get([]byte("1")), b.Get([]byte("2"))
		return b.Put([]byte("1"), slices.Concat(first[:33], second[33:]))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	sh, err = open(t, dir).Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := store.Get[string](sh, store.Pull, "1"); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%q, %v", got, err)
	}
	if err := sh.Export(t.Context(), io.Discard, nil); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("export: %v", err)
	}
}

// An export and an import that are interrupted end with the record that they are
// at.
func TestInterrupted(t *testing.T) {
	sh := shard(t)
	fill(t, sh, rand.Perm(160))
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	err := sh.Export(ctx, io.Discard, func(store.Kind, string) bool {
		asked++
		cancel()
		return true
	})
	if !errors.Is(err, context.Canceled) || asked != 1 {
		t.Errorf("export: %v after %d records", err, asked)
	}
	again := shard(t)
	if err := again.Import(ctx, bytes.NewReader(exported(t, sh, nil))); !errors.Is(err, context.Canceled) {
		t.Errorf("import: %v", err)
	}
	if keys, err := again.Keys(store.Pull); err != nil || len(keys) > 0 {
		t.Errorf("imported %s, %v", keys, err)
	}
}

// What is rewritten goes by the hash of what it became.
func TestExportRewritten(t *testing.T) {
	sh := shard(t)
	for key, value := range map[string]string{"1": "as it is", "2": "a name", "3": "a secret"} {
		if err := store.Put(sh, store.Pull, key, value); err != nil {
			t.Fatal(err)
		}
	}
	var buf bytes.Buffer
	err := sh.ExportRewritten(t.Context(), &buf, nil, func(_ store.Kind, _ string, content []byte) (any, error) {
		switch string(content) {
		case `"a name"`:
			return "<somebody>", nil
		case `"a secret"`:
			return nil, store.ErrLeftOut
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for r, err := range store.ReadExport(&buf) { // which checks the hash
		if err != nil {
			t.Fatal(err)
		}
		got[r.Key] = string(r.Content)
	}
	if want := (map[string]string{"1": `"as it is"`, "2": `"<somebody>"`}); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// An export is read without a state: some kinds of it, each record checked.
func TestReadExport(t *testing.T) {
	sh := shard(t)
	fill(t, sh, []int{1, 2, 5})
	whole := exported(t, sh, nil)
	var got []string
	for r, err := range store.ReadExport(bytes.NewReader(whole), store.Pull, store.Revisions) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %s", r.Kind, r.Key, r.Content))
	}
	if want := []string{`pull 0 {"<n>":0}`, `pull 1 {"<n>":1}`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var last error
	for _, err := range store.ReadExport(bytes.NewReader(whole[:len(whole)-4]), store.Pull) {
		last = err
	}
	if last == nil {
		t.Error("an export that was cut short was read without a word")
	}
}
