package contextbuilder

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// gitSnapshot reads the tree of a commit through one git process.
type gitSnapshot struct {
	commit  string
	entries []model.TreeEntry
	objects *gitObjects
}

func (s *gitSnapshot) Commit() string             { return s.commit }
func (s *gitSnapshot) Entries() []model.TreeEntry { return s.entries }

func (s *gitSnapshot) Read(path string) ([]byte, error) {
	i := sort.Search(len(s.entries), func(i int) bool { return s.entries[i].Path >= path })
	if i == len(s.entries) || s.entries[i].Path != path {
		return nil, fs.ErrNotExist
	}
	if s.entries[i].Mode == 0o160000 {
		return nil, model.ErrNotKept
	}
	return s.objects.read(s.entries[i].Oid)
}

// gitObjects is a running git cat-file --batch.
type gitObjects struct {
	dir string
	mu  sync.Mutex
	in  io.WriteCloser
	out *bufio.Reader
}

func openGit(t testing.TB, dir string) *gitObjects {
	t.Helper()
	cmd := exec.Command("git", "--git-dir", dir, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	return &gitObjects{dir: dir, in: in, out: bufio.NewReaderSize(out, 1<<20)}
}

func (g *gitObjects) read(oid string) ([]byte, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, err := fmt.Fprintln(g.in, oid); err != nil {
		return nil, err
	}
	head, err := g.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, model.ErrNotKept
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, err
	}
	data := make([]byte, size+1)
	_, err = io.ReadFull(g.out, data)
	return data[:size], err
}

// snapshot lists the tree of a commit.
func (g *gitObjects) snapshot(t testing.TB, commit string) *gitSnapshot {
	t.Helper()
	s := &gitSnapshot{commit: commit, objects: g}
	for _, line := range strings.Split(string(g.run(t, "ls-tree", "-r", "-l", "-z", "--full-tree", commit)), "\x00") {
		meta, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(meta)
		if !ok || len(fields) != 4 {
			continue
		}
		mode, err := strconv.ParseUint(fields[0], 8, 32)
		if err != nil {
			t.Fatal(err)
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		if err != nil {
			size = -1
		}
		s.entries = append(s.entries, model.TreeEntry{Path: path, Mode: uint32(mode), Oid: fields[2], Size: size})
	}
	sort.Slice(s.entries, func(i, j int) bool { return s.entries[i].Path < s.entries[j].Path })
	return s
}

func (g *gitObjects) run(t testing.TB, args ...string) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("git", append([]string{"--git-dir", g.dir}, args...)...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, stderr.String())
	}
	return out
}
