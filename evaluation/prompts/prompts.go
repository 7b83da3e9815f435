// Package prompts has the texts of the evaluation's questions, and reads those of other benchmarks.
package prompts

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// The prompts are files, so that a change of one changes its digest, and every plan that names it.
//
//go:embed *.txt *.json
var files embed.FS

// Read is the text of an embedded file. It panics if there is none: names are constants of the package that embeds
// the file.
func Read(files embed.FS, name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("no prompt %s: %v", name, err))
	}
	return string(text)
}

// Text is the text of a file of this package, such as judge.txt.
func Text(name string) string { return Read(files, name) }

// Schema is the JSON schema of an answer, by the name that a question gives; "" for the empty name.
func Schema(name string) string {
	if name == "" {
		return ""
	}
	return Text(name + ".schema.json")
}

// Digests gives the SHA-256 of each text, as hex.
func Digests(texts map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		out[name] = Digest(texts[name])
	}
	return out
}

// Digest is the SHA-256 of a text, as hex.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
