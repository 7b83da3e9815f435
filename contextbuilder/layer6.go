package contextbuilder

import (
	"strings"

	"github.com/prforge/prforge/internal/text"
)

// metadataLayer is layer 6.
func metadataLayer(in *Input, opts Options) string {
	lines := []string{
		"- Language: " + text.OneLine(in.Language),
		"- Files changed: " + itoa(in.FilesChanged),
		"- PR type: " + text.OneLine(in.PRType),
	}
	if opts.ShowDifficulty {
		lines = append(lines, "- Difficulty: "+text.OneLine(string(in.Difficulty)))
	}
	return section(6, strings.Join(lines, "\n"))
}
