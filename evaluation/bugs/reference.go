package bugs

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// references are the built-in reviewers.
func references() []string {
	return []string{"oracle", "silent", "linter", "checker", "guess", "shotgun", "raises"}
}

// Refer is a reference reviewer's answer, in the form that a model answers in:
//
//   - oracle: the fault
//   - silent: nothing
//   - linter: a linter's findings in the file
//   - checker: those, and imports that the shown parts of other files contradict
//   - guess: one line drawn by the question's id from the candidates, as an
//     undeclared name: among those it finds what chance finds
//   - shotgun: five lines, evenly spread
//   - raises: every statement that raises something on purpose
func (k Key) Refer(name, config string) (string, error) {
	found := []Finding{}
	switch name {
	case "oracle":
		found = k.fault()
	case "linter":
		found = append(found, k.Lint...)
	case "checker":
		found = append(found, k.Checked[config]...)
	case "silent":
	case "guess":
		if lines := k.candidates(); len(lines) > 0 {
			found = []Finding{k.claim(lines[k.random().IntN(len(lines))])}
		}
	case "shotgun":
		lines := k.candidates()
		for i := range min(maxCounted, len(lines)) {
			found = append(found, k.claim(lines[(2*i+1)*len(lines)/(2*maxCounted)]))
		}
	case "raises":
		for _, line := range slices.Sorted(maps.Keys(k.raises())) {
			found = append(found, Finding{Path: k.Path, Line: line, Kind: other, Error: "Exception", Why: "this raises"})
		}
	default:
		return "", fmt.Errorf("there is no reference reviewer %q: they are %s", name, strings.Join(references(), ", "))
	}
	answer, err := json.Marshal(map[string]any{"findings": found, "verdict": name})
	if err != nil {
		return "", fmt.Errorf("%s reviews %s: %w", name, k.QuestionID, err)
	}
	return string(answer), nil
}

func (k Key) fault() []Finding {
	if k.Fault == nil {
		return []Finding{}
	}
	return []Finding{{Path: k.Path, Line: k.Fault.CauseLine, Kind: k.Family, Name: k.Fault.Name, Error: k.Fault.Error,
		Why: "the fault"}}
}

func (k Key) claim(line int) Finding {
	return Finding{Path: k.Path, Line: line, Kind: Undeclared, Why: "a guess"}
}

// random is seeded by the question's id, so that a reviewer is the same in every run.
func (k Key) random() *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(k.QuestionID)) // never fails
	return rand.New(rand.NewPCG(h.Sum64(), 0))
}

// candidates are the lines that a guesser draws from, in order.
func (k Key) candidates() []int {
	lines := k.Candidates
	if lines == nil && k.Mode == "change" {
		lines = k.AddedLines
	}
	if lines == nil {
		n := 0
		for line := range strings.Lines(k.Source) {
			n++
			if strings.TrimSpace(line) != "" {
				lines = append(lines, n)
			}
		}
	}
	return slices.Sorted(slices.Values(lines))
}
