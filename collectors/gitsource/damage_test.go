package gitsource_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
)

// packs lists the files of the local repository that match.
func packs(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "objects", "pack", pattern))
	if err != nil || len(names) == 0 {
		t.Fatal("no packs", err)
	}
	return names
}

func rewrite(t *testing.T, name string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Whatever happened to the local repository, the result is right: it is
// repaired, or rebuilt.
func TestDamagedRepository(t *testing.T) {
	damages := map[string]func(t *testing.T, dir string){
		"flipped bytes": func(t *testing.T, dir string) {
			for _, name := range packs(t, dir, "*.pack") {
				rewrite(t, name, func(b []byte) []byte {
					for i := 20; i < len(b)-20; i += 11 {
						b[i] ^= 0xff
					}
					return b
				})
			}
		},
		"cut packs": func(t *testing.T, dir string) {
			for _, name := range packs(t, dir, "*.pack") {
				rewrite(t, name, func(b []byte) []byte { return b[:len(b)/2] })
			}
		},
		"empty packs": func(t *testing.T, dir string) {
			for _, name := range packs(t, dir, "*.pack") {
				rewrite(t, name, func([]byte) []byte { return nil })
			}
		},
		"cut indexes": func(t *testing.T, dir string) {
			for _, name := range packs(t, dir, "*.idx") {
				rewrite(t, name, func(b []byte) []byte { return b[:len(b)/2] })
			}
		},
		"empty indexes": func(t *testing.T, dir string) {
			for _, name := range packs(t, dir, "*.idx") {
				rewrite(t, name, func([]byte) []byte { return nil })
			}
		},
		"no indexes": func(t *testing.T, dir string) {
			for _, name := range packs(t, dir, "*.idx") {
				os.Remove(name)
			}
		},
		"no packs": func(t *testing.T, dir string) {
			for _, name := range packs(t, dir, "*.pack") {
				os.Remove(name)
			}
		},
		"one pack less": func(t *testing.T, dir string) {
			name := packs(t, dir, "*.idx")[0]
			os.Remove(name)
			os.Remove(name[:len(name)-3] + "pack")
		},
		"no objects": func(t *testing.T, dir string) { os.RemoveAll(filepath.Join(dir, "objects")) },
		"no HEAD":    func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "HEAD")) },
		"empty":      func(t *testing.T, dir string) { os.RemoveAll(dir); os.MkdirAll(dir, 0o755) },
		"bad config": func(t *testing.T, dir string) { os.WriteFile(filepath.Join(dir, "config"), []byte("[core"), 0o644) },
		"stale locks": func(t *testing.T, dir string) {
			refs, _ := filepath.Glob(filepath.Join(dir, "refs", "keep", "*"))
			for _, name := range append(refs, filepath.Join(dir, "packed-refs"), filepath.Join(dir, "config"), filepath.Join(dir, "HEAD")) {
				os.WriteFile(name+".lock", nil, 0o644)
			}
			os.WriteFile(filepath.Join(dir, "objects", "pack", "tmp_pack_x"), []byte("PACK"), 0o444)
		},
		"empty refs": func(t *testing.T, dir string) {
			refs, _ := filepath.Glob(filepath.Join(dir, "refs", "keep", "*"))
			for _, name := range refs {
				os.WriteFile(name, nil, 0o644)
			}
		},
		"commit graph without parents": func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, "objects", "info", "commit-graph"), func(b []byte) []byte {
				entry := bytes.Index(b, []byte("CDAT")) // in the table of chunks, with offsets of 8 bytes
				from, to := binary.BigEndian.Uint64(b[entry+4:]), binary.BigEndian.Uint64(b[entry+16:])
				for at := from; at < to; at += 36 {
					binary.BigEndian.PutUint32(b[at+20:], 0x70000000)
				}
				return b
			})
		},
		"empty commit graph": func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, "objects", "info", "commit-graph"), func([]byte) []byte { return nil })
		},
		"refs to nothing": func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, "refs", "keep", gone), []byte(gone+"\n"), 0o644)
		},
	}
	suddenly := []string{"flipped bytes", "empty packs", "one pack less", "no objects", "bad config"}
	o := newOrigin(t)
	fork := start(o)
	first := merged{o.rev("topic"), "", o.rev("main"), fork}
	o.git("checkout", "-q", "topic")
	second := merged{o.change("c.py", "z = 1\n"), "", o.rev("main"), fork}
	work := func(t *testing.T, repo *gitsource.Repo, m merged) []byte {
		return export(t, func(shard *storeShard) {
			got, err := repo.ForkPoint(t.Context(), m.pull(), o.diff(fork, m.head))
			if err != nil || got.ForkPoint != fork || got.Method != gitsource.MethodBaseRef {
				t.Error(got, err)
			}
			text, err := repo.Diff(t.Context(), fork, m.head)
			if err != nil || string(text) != o.diff(fork, m.head) {
				t.Errorf("diff: %v", err)
			}
			mustCollect(t, repo, shard, gitsource.Request{Key: "1", Commit: fork, Changed: []string{"a.py"}})
		})
	}
	want := work(t, o.open(options()), second)
	worked := filepath.Join(t.TempDir(), "git") // what a run leaves behind
	repo := o.openIn(worked, options())
	work(t, repo, first)
	repo.Close()
	for name, damage := range damages {
		for _, when := range []string{"between runs", "while open"} {
			if when == "while open" && !slices.Contains(suddenly, name) {
				continue
			}
			t.Run(name+" "+when, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "git")
				if when == "between runs" {
					if err := os.CopyFS(dir, os.DirFS(worked)); err != nil {
						t.Fatal(err)
					}
					damage(t, dir)
				}
				repo := o.openIn(dir, options())
				if when == "while open" {
					work(t, repo, first)
					damage(t, dir)
				}
				if got := work(t, repo, second); !bytes.Equal(got, want) {
					t.Error("other bytes than without damage")
				}
			})
		}
	}
}
