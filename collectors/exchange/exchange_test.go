package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/prforge/prforge/internal/testenv"
)

// memory is the simplest exchange: what the suite says of it is what it says of
// the others.
type memory struct {
	mu      sync.Mutex
	objects map[string][]byte
}

func (m *memory) Create(_ context.Context, name string, content io.Reader) (bool, error) {
	if err := checkName(name); err != nil {
		return false, err
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.objects[name]; ok {
		return false, nil
	}
	m.objects[name] = data
	return true, nil
}

func (m *memory) Open(_ context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.objects[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

func (m *memory) List(_ context.Context, prefix string) ([]Object, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Object
	for name, data := range m.objects {
		if strings.HasPrefix(name, prefix) {
			out = append(out, Object{name, int64(len(data))})
		}
	}
	slices.SortFunc(out, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// served is a bucket on an S3 server that others wrote.
func served(t *testing.T, address string) Exchange {
	t.Helper()
	_, endpoint := testenv.Gateway(t)
	x, err := Open(address, S3Options{Endpoint: endpoint, Region: "us-east-1", AccessKey: "id", SecretKey: "secretsecret"})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// s3 is a bucket on an S3 server in this process.
func s3(t *testing.T, address string) Exchange {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("bench"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	x, err := Open(address, S3Options{Endpoint: server.URL, Region: "us-east-1", AccessKey: "id", SecretKey: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestConformance(t *testing.T) {
	for name, open := range map[string]func(*testing.T) Exchange{
		"memory": func(*testing.T) Exchange { return &memory{objects: map[string][]byte{}} },
		"folder": func(t *testing.T) Exchange { return folder{t.TempDir() + "/not/yet/there"} },
		"S3":     func(t *testing.T) Exchange { return s3(t, "s3://bench") },
		"S3 with a prefix": func(t *testing.T) Exchange {
			return s3(t, "s3://bench/runs/one")
		},
		"S3 of another process": func(t *testing.T) Exchange { return served(t, "s3://bench/runs/one") },
	} {
		t.Run(name, func(t *testing.T) { conformance(t, open(t)) })
	}
}

func conformance(t *testing.T, x Exchange) {
	ctx := t.Context()
	read := func(name string) string {
		t.Helper()
		r, err := x.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	list := func(prefix string) string {
		t.Helper()
		objects, err := x.List(ctx, prefix)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, o := range objects {
			out = append(out, fmt.Sprintf("%s:%d", o.Name, o.Size))
		}
		return strings.Join(out, " ")
	}
	if got := list(""); got != "" {
		t.Errorf("an empty exchange lists %s", got)
	}
	if _, err := x.Open(ctx, "a/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an object that is not there: %v", err)
	}

	big := strings.Repeat("0123456789abcdef", 1<<19) // 8 MB
	for name, content := range map[string]string{"a/big": big, "a/small": "e", "b/acme+widget.jsonl.zst": "x\x00\xff"} {
		created, err := x.Create(ctx, name, strings.NewReader(content))
		if err != nil || !created {
			t.Fatalf("%s: created %t, %v", name, created, err)
		}
		if read(name) != content {
			t.Errorf("%s is read back otherwise", name)
		}
	}
	if got, want := list("a/"), fmt.Sprintf("a/big:%d a/small:1", len(big)); got != want {
		t.Errorf("list %s, want %s", got, want)
	}
	if got := list("c"); got != "" {
		t.Errorf("list %s, want nothing", got)
	}

	if created, err := x.Create(ctx, "a/small", strings.NewReader("other")); err != nil || created || read("a/small") != "e" {
		t.Errorf("an object was replaced: %t, %v", created, err)
	}
	var wins atomic.Int32
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			created, err := x.Create(ctx, "race", strings.NewReader(strings.Repeat(fmt.Sprint(i), 1000)))
			if err != nil {
				t.Error(err)
			}
			if created {
				wins.Add(1)
			}
		})
	}
	group.Wait()
	if got := read("race"); wins.Load() != 1 || got != strings.Repeat(got[:1], 1000) {
		t.Errorf("%d of eight writers won; %q", wins.Load(), got)
	}

	broken := io.MultiReader(strings.NewReader("half"), &failing{})
	if created, err := x.Create(ctx, "half", broken); err == nil || created {
		t.Errorf("half an object was created (%v)", err)
	}
	if _, err := x.Open(ctx, "half"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half an object shows: %v", err)
	}
	if got := list("half"); got != "" {
		t.Errorf("half an object is listed: %s", got)
	}
	for _, name := range []string{"", "../up", "/abs", "a//b", "a/../b", ".hidden", "a/.hidden", "a\\b"} {
		if _, err := x.Create(ctx, name, strings.NewReader("x")); err == nil {
			t.Errorf("%q was written", name)
		}
		if r, err := x.Open(ctx, name); err == nil {
			r.Close()
			t.Errorf("%q was read", name)
		}
	}
}

type failing struct{}

func (*failing) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

func TestCanceledCreate(t *testing.T) {
	for name, x := range map[string]Exchange{"folder": folder{t.TempDir()}, "S3": s3(t, "s3://bench")} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if created, err := x.Create(ctx, "a", strings.NewReader("x")); !errors.Is(err, context.Canceled) || created {
			t.Errorf("%s: created %t, %v", name, created, err)
		}
		if objects, err := x.List(t.Context(), ""); err != nil || len(objects) != 0 {
			t.Errorf("%s: %v, %v", name, objects, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"s3://", "s3:///prefix", "s3://user:secret@bucket", "s3://bucket?x=1", "s3://bucket/../up"} {
		if _, err := Open(bad, S3Options{AccessKey: "id"}); err == nil {
			t.Errorf("%q was opened", bad)
		}
	}
}
