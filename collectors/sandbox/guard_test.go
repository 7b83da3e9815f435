package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLookAtFiles: a limit that is reached is not broken, one byte more breaks it.
func TestLookAtFiles(t *testing.T) {
	p := &Process{writable: []string{t.TempDir()}}
	if err := os.WriteFile(filepath.Join(p.writable[0], "file"), make([]byte, 64<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	full := p.disk()
	if full < 64<<10 {
		t.Fatalf("the folder holds %d bytes", full)
	}
	for _, c := range []struct {
		limits  Limits
		private int64
		want    Status
	}{
		{Limits{}, 99, ""},
		{Limits{Disk: full}, 0, ""},
		{Limits{Disk: full - 1}, 0, OverDisk},
		{Limits{Memory: 99}, 99, ""},
		{Limits{Memory: 98}, 99, OverMemory},
	} {
		p.limits = c.limits
		if got := (&watch{process: p}).lookAtFiles(nil, used{private: c.private}); got != c.want {
			t.Errorf("%+v, %d bytes of memory: %q, want %q", c.limits, c.private, got, c.want)
		}
	}
}
