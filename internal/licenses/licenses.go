// Package licenses reads the license of a repository at a commit from its
// license file.
package licenses

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// licenseName is a file at the root that holds the license of the repository.
var licenseName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)(\.(md|txt|rst))?$`)

// classifierVersion is the classifier's version; the next one may decide otherwise.
const classifierVersion = "v2.0.0"

// Reader reads licenses, and asks the classifier once for each text. A Reader may
// be used by several goroutines.
type Reader struct {
	known *store.Shard

	mu         sync.Mutex             // the classifier writes into its own texts while it matches
	classifier *classifier.Classifier // nil until it is asked: it takes half a second and 50 MB
}

// NewReader makes a reader that keeps what it found in the shard, for it and for
// those after it.
func NewReader(known *store.Shard) *Reader { return &Reader{known: known} }

// Drop lets go of the classifier. It is loaded again where a text comes that is
// not known.
func (l *Reader) Drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.classifier = nil
}

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
	l.mu.Lock()
	defer l.mu.Unlock()
	key := "license/" + classifierVersion + "/" + oid
	spdx, found, err := store.Get[string](l.known, store.Meta, key)
	if err != nil {
		return "", fmt.Errorf("read what the license was: %w", err)
	}
	if found {
		return spdx, nil
	}
	if l.classifier == nil {
		if l.classifier, err = assets.DefaultClassifier(); err != nil {
			return "", err
		}
	}
	best := 0.0
	for _, m := range l.classifier.Match(text).Matches {
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
