package substance

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestVocabulary: every section of vocabulary.txt is the words of one pattern,
// and no word is in a section twice.
func TestVocabulary(t *testing.T) {
	var used []string
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`= (?:anyOf|opening)\("(\w+)"\)`).FindAllStringSubmatch(string(code), -1) {
			used = append(used, m[1])
		}
	}
	var sections []string
	seen := map[string]bool{}
	for line := range strings.Lines(vocabularyText) {
		line = strings.TrimSuffix(line, "\n")
		if section, ok := strings.CutPrefix(line, "["); ok {
			sections, seen = append(sections, strings.TrimSuffix(section, "]")), map[string]bool{}
		}
		if line != "" && !strings.HasPrefix(line, "# ") && seen[line] {
			t.Errorf("[%s] has %q twice", sections[len(sections)-1], line)
		}
		seen[line] = true
	}
	slices.Sort(used)
	slices.Sort(sections)
	if !slices.Equal(used, sections) {
		t.Errorf("sections %v, patterns %v", sections, used)
	}
}
