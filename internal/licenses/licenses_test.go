package licenses

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// tree is a snapshot of texts by path; a nil text is listed and not kept.
type tree map[string][]byte

func (t tree) Commit() string { return "" }

func (t tree) Entries() []model.TreeEntry {
	var out []model.TreeEntry
	for path, text := range t {
		out = append(out, model.TreeEntry{Path: path, Oid: string(text)})
	}
	return out
}

func (t tree) Read(path string) ([]byte, error) {
	if t[path] == nil {
		return nil, errors.New("not kept")
	}
	return t[path], nil
}

// begin gives the text of a license, and a shard in which nothing is known yet.
func begin(t *testing.T) (apache []byte, known *store.Shard) {
	t.Helper()
	apache, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.Open(t.TempDir(), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kept.Close() })
	return apache, kept.Answers()
}

const mit = `MIT License

Copyright (c) 2024 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

`

func TestAt(t *testing.T) {
	apache, known := begin(t)
	r := NewReader(known)
	for _, c := range []struct {
		name         string
		tree         tree
		github       string
		spdx, source string
	}{
		{"a license file", tree{"LICENSE": apache, "a.go": nil}, "MIT", "Apache-2.0", "base commit"},
		{"two licenses, of which either is sure", tree{"LICENSE": append([]byte(mit), apache...)}, "", "Apache-2.0", "base commit"},
		{"any spelling", tree{"licence.md": apache}, "", "Apache-2.0", "base commit"},
		{"not at the root", tree{"vendor/x/LICENSE": apache}, "MIT", "MIT", "github"},
		{"not kept", tree{"LICENSE": nil}, "MIT", "MIT", "github"},
		{"no license that is known", tree{"LICENSE": []byte("All rights reserved.")}, "MIT", "MIT", "github"},
		{"nothing", tree{}, "", "", "github"},
	} {
		got, err := r.At(c.tree, &model.Repository{SPDX: c.github})
		if err != nil {
			t.Fatal(err)
		}
		spdx := ""
		if got.SPDX != nil {
			spdx = *got.SPDX
		}
		if spdx != c.spdx || got.From != c.source {
			t.Errorf("%s: %q from %q, want %q from %q", c.name, spdx, got.From, c.spdx, c.source)
		}
	}
}

// TestKeptForTheNextRun asks two readers over one shard: the second needs no
// classifier.
func TestKeptForTheNextRun(t *testing.T) {
	apache, known := begin(t)
	for _, want := range []string{"Apache-2.0", "kept"} {
		got, err := NewReader(known).At(tree{"LICENSE": apache}, &model.Repository{})
		if err != nil || got.SPDX == nil || *got.SPDX != want {
			t.Errorf("want %s, got %+v, %v", want, got, err)
		}
		if err := store.Put(known, store.Meta, "license/"+classifierVersion+"/"+string(apache), "kept"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDrop has the classifier loaded again for a text that is not known.
func TestDrop(t *testing.T) {
	apache, known := begin(t)
	r := NewReader(known)
	for _, text := range [][]byte{apache, append(apache, '\n')} {
		if got, err := r.At(tree{"LICENSE": text}, &model.Repository{}); err != nil || got.SPDX == nil || *got.SPDX != "Apache-2.0" {
			t.Errorf("got %+v, %v", got, err)
		}
		r.Drop()
		if r.classifier != nil {
			t.Error("the classifier is still there")
		}
	}
}

// TestClassifierVersion compares the version that answers are kept under with
// the one that is built in.
func TestClassifierVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "github.com/google/licenseclassifier/v2 "+classifierVersion+"\n") {
		t.Errorf("go.mod has another licenseclassifier than %s", classifierVersion)
	}
}
