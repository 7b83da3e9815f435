//go:build unix

package store_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/prforge/prforge/internal/store"
)

// The test binary runs itself as the program that is killed: childMode says
// what it does, in the store that childDir names.
const (
	childMode = "PRFORGE_STORE_TEST_CHILD"
	childDir  = "PRFORGE_STORE_TEST_DIR"
)

func TestMain(m *testing.M) {
	switch os.Getenv(childMode) {
	case "":
		os.Exit(m.Run())
	case "endless":
		endless(os.Getenv(childDir))
	case "full":
		full(os.Getenv(childDir))
	}
}

// endless writes batches until it is killed, and says which ones are committed.
// Each batch has a record and the blob that the record names.
func endless(dir string) {
	s, err := store.Open(dir, store.DefaultOptions())
	if err != nil {
		fail(err)
	}
	sh, err := s.Shard(dask)
	if err != nil {
		fail(err)
	}
	for n := next(sh); ; n++ {
		if err := putPair(sh, n); err != nil {
			fail(err)
		}
		fmt.Println(n)
	}
}

func putPair(sh *store.Shard, n int) error {
	data := []byte(strings.Repeat(strconv.Itoa(n)+" some text\n", 1000+n%3000))
	return sh.Batch(func(b *store.Batch) error {
		return errors.Join(store.PutBlob(b, store.BlobID(data), data), store.Put(b, store.Pull, fmt.Sprintf("%09d", n), store.BlobID(data)))
	})
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func next(sh *store.Shard) int {
	keys, err := sh.Keys(store.Pull)
	if err != nil {
		fail(err)
	}
	return len(keys)
}

// check reads every record and every blob it names.
func check(t *testing.T, dir string) (records int) {
	t.Helper()
	s, err := store.Open(dir, store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sh, err := s.Shard(dask)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := sh.Keys(store.Pull)
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		if key != fmt.Sprintf("%09d", i) {
			t.Fatalf("record %d has key %s", i, key)
		}
		oid, _, err := store.Get[string](sh, store.Pull, key)
		if err != nil {
			t.Fatal(err)
		}
		if _, found, err := sh.Blob(oid); err != nil || !found {
			t.Fatalf("blob of record %s: found %v, %v", key, found, err)
		}
	}
	if err := sh.Export(t.Context(), io.Discard, nil); err != nil {
		t.Fatal(err)
	}
	return len(keys)
}

// A process killed at any moment leaves every batch that it committed, whole,
// and the next one goes on.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	for round := range 12 {
		cmd := child(dir, "endless")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := 0
		buf := make([]byte, 1<<12)
		var text strings.Builder
		for said < 1+round*3 { // wait for a few commits, then kill in the middle of the next
			n, err := out.Read(buf)
			text.Write(buf[:n])
			said = strings.Count(text.String(), "\n")
			if err != nil {
				t.Fatalf("the child ended: %v", err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		rest, _ := io.ReadAll(out)
		text.Write(rest)
		cmd.Wait()
		whole := text.String()[:strings.LastIndex(text.String(), "\n")+1]
		lines := strings.Fields(whole)
		last, err := strconv.Atoi(lines[len(lines)-1])
		if err != nil {
			t.Fatal(err)
		}
		if got := check(t, dir); got < last+1 || got > last+2 {
			t.Fatalf("round %d: %d records, %d were committed", round, got, last+1)
		}
	}
}

// full writes until the file may not grow any more, which is what a full disk
// does, and then says how many batches were committed.
func full(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := store.Open(dir, store.DefaultOptions())
	if err != nil {
		fail(err)
	}
	sh, err := s.Shard(dask)
	if err != nil {
		fail(err)
	}
	limit := syscall.Rlimit{Cur: 3 << 20, Max: 3 << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fail(err)
	}
	for n := 0; ; n++ {
		data := noise(n)
		err := sh.Batch(func(b *store.Batch) error {
			return errors.Join(store.PutBlob(b, store.BlobID(data), data), store.Put(b, store.Pull, fmt.Sprintf("%09d", n), store.BlobID(data)))
		})
		if err != nil {
			fmt.Println(n, err)
			_, found, readErr := store.Get[string](sh, store.Pull, "000000000")
			fmt.Println("still readable:", found, readErr)
			os.Exit(0)
		}
	}
}

// noise is 60 kB that do not compress.
func noise(n int) []byte {
	data := make([]byte, 60_000)
	x := uint64(n)*2862933555777941757 + 3037000493
	for i := range data {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		data[i] = byte(x)
	}
	return data
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	out, err := child(dir, "full").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	first, _, _ := strings.Cut(string(out), " ")
	committed, err := strconv.Atoi(first)
	if err != nil || committed < 3 || !strings.Contains(string(out), "still readable: true <nil>") {
		t.Fatalf("the child said %q", out)
	}
	if got := check(t, dir); got != committed {
		t.Errorf("%d records, %d were committed", got, committed)
	}
}

func child(dir, mode string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childMode+"="+mode, childDir+"="+dir)
	return cmd
}
