package verify_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
)

// TestVerify_AnyFileBroken breaks every file of a dataset in several ways, with the
// manifest saying that it belongs so: each must be a fault, or an error for the
// manifest itself, and never a panic or an intact dataset.
func TestVerify_AnyFileBroken(t *testing.T) {
	dir := frozen(t, artifactstest.Dataset(artifactstest.Tasks()))
	m, err := load.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	manifest := read(t, dir, artifacts.FileManifest)
	for path := range m.Files {
		if path == artifacts.FileCard || path == artifacts.FileLicense || path == artifacts.FileTombstones {
			continue // nothing can be recomputed of them but their digests
		}
		if strings.Contains(path, "widget__2") || strings.Contains(path, "gadget") {
			continue // like those of widget__1
		}
		whole := read(t, dir, path)
		for _, broken := range []string{"", "null", "{}", "\xff[", whole[:len(whole)/2], whole + whole} {
			if broken == whole {
				continue // an empty list
			}
			write(t, dir, path, broken)
			relist(t, dir)
			r, err := verify.Dataset(t.Context(), dir, options())
			if err == nil && r.OK() {
				t.Errorf("%s holding %.20q is taken for intact", path, broken)
			}
		}
		write(t, dir, path, whole)
		write(t, dir, artifacts.FileManifest, manifest)
	}
	for _, broken := range []string{"", "null", "[]", "{}", "\xff", manifest[:len(manifest)/2]} {
		write(t, dir, artifacts.FileManifest, broken)
		if r, err := verify.Dataset(t.Context(), dir, options()); err == nil && r.OK() {
			t.Errorf("a manifest holding %.20q is taken for intact", broken)
		}
	}
	if err := os.Remove(filepath.Join(dir, artifacts.FileManifest)); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.Dataset(t.Context(), dir, options()); err == nil {
		t.Error("a folder without a manifest is taken for a dataset")
	}
}
