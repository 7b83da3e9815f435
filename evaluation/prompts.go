package evaluation

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
//go:embed prompts
var promptFiles embed.FS

// Prompt is the text of a file of an embedded folder "prompts". It panics if there is none: names are constants of
// the package that embeds the folder.
func Prompt(files embed.FS, name string) string {
	text, err := files.ReadFile("prompts/" + name)
	if err != nil {
		panic(fmt.Sprintf("no prompt %s: %v", name, err))
	}
	return string(text)
}

// prompt is a text of this package.
func prompt(name string) string { return Prompt(promptFiles, name) }

// Schema is the JSON schema of a Request's answer; "" for the empty name.
func Schema(name string) string {
	if name == "" {
		return ""
	}
	return prompt(name + ".schema.json")
}

// Digests gives the SHA-256 of each text, as hex.
func Digests(texts map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		out[name] = digest(texts[name])
	}
	return out
}

// digest is the SHA-256 of a text, as hex.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
