// Package licenses reads the license of a repository at a commit from its
// license file.
package licenses

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/google/licenseclassifier/v2/assets"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// licenseName is a file at the root that holds the license of the repository.
var licenseName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)(\.(md|txt|rst))?$`)

// classifierVersion is the classifier's, whose next one may tell otherwise.
const classifierVersion = "v2.0.0"

// load loads the classifier once, which takes half a second and 50 MB. One caller
// at a time may match with it: it writes into its own texts meanwhile.
var (
	load     = sync.OnceValues(assets.DefaultClassifier)
	matching sync.Mutex
)

// Reader reads licenses, and asks the classifier once for each text. A Reader may
// be used by several goroutines.
type Reader struct{ known *store.Shard }

// NewReader makes a reader that keeps what it found in the shard, for it and for
// those after it.
func NewReader(known *store.Shard) *Reader { return &Reader{known} }

// At is the license at the snapshot's commit: from the license file where it
// can be identified, else what GitHub says of the repository today.
func (l *Reader) At(snapshot model.Snapshot, facts *model.Repository) (model.License, error) {
	for _, e := range snapshot.Entries() {
		if path.Dir(e.Path) != "." || !licenseName.MatchString(e.Path) {
			continue
		}
		text, err := snapshot.Read(e.Path)
		if err != nil {
			continue // not kept: GitHub's word has to do
		}
		spdx, err := l.classify(e.Oid, text)
		if err != nil {
			return model.License{}, err
		}
		if spdx != "" {
			return model.License{SPDX: &spdx, File: e.Path, From: "base commit"}, nil
		}
	}
	out := model.License{From: "github"}
	if facts.SPDX != "" {
		out.SPDX = &facts.SPDX
	}
	return out, nil
}

func (l *Reader) classify(oid string, text []byte) (string, error) {
	matching.Lock()
	defer matching.Unlock()
	key := "license/" + classifierVersion + "/" + oid
	spdx, found, err := store.Get[string](l.known, store.Meta, key)
	if err != nil {
		return "", fmt.Errorf("read what the license was: %w", err)
	}
	if found {
		return spdx, nil
	}
	classifier, err := load()
	if err != nil {
		return "", err
	}
	best := 0.0
	for _, m := range classifier.Match(text).Matches {
		if m.MatchType != "License" {
			continue
		}
		if m.Confidence > best || (m.Confidence == best && strings.Compare(m.Name, spdx) < 0) {
			spdx, best = m.Name, m.Confidence
		}
	}
	if err := store.Put(l.known, store.Meta, key, spdx); err != nil {
		return "", fmt.Errorf("keep what the license is: %w", err)
	}
	return spdx, nil
}
