package official

import (
	"fmt"
	"math"
	"regexp"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// Similarity says how similar two texts are, from -1 to 1. The harness uses the cosine of all-mpnet-base-v2's
// vectors, and silently uses words if that model cannot be loaded; here the caller chooses. It fails only if a vector
// is missing.
type Similarity func(a, b string) (float64, error)

var word = regexp.MustCompile(`[A-Za-z0-9_]+`)

// Lexical is the Jaccard similarity of the sets of ASCII words of the lower-cased texts, 0 if a text has none.
func Lexical(a, b string) (float64, error) {
	wa, wb := words(a), words(b)
	if len(wa) == 0 || len(wb) == 0 {
		return 0, nil
	}
	both := 0
	for w := range wa {
		if wb[w] {
			both++
		}
	}
	return float64(both) / float64(len(wa)+len(wb)-both), nil
}

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range word.FindAllString(python.Lower(s), -1) {
		set[w] = true
	}
	return set
}

// missingVectorError is a text without a vector.
type missingVectorError struct{ Text string }

func (e *missingVectorError) Error() string {
	return fmt.Sprintf("no vector for the text %.60q", e.Text)
}

// Vectors is the cosine of given vectors by text, 0 if one is all zeros. Scoring needs these texts: each agent
// comment's body, and each human comment's body both unchanged and trimmed (Texts).
func Vectors(vectors map[string][]float64) Similarity {
	return func(a, b string) (float64, error) {
		va, vb := vectors[a], vectors[b]
		switch {
		case va == nil:
			return 0, &missingVectorError{a}
		case vb == nil:
			return 0, &missingVectorError{b}
		case len(va) != len(vb):
			return 0, fmt.Errorf("vectors of %d and %d numbers", len(va), len(vb))
		}
		dot, na, nb := 0.0, 0.0, 0.0
		for i, x := range va {
			dot += x * vb[i]
			na += x * x
			nb += vb[i] * vb[i]
		}
		if na == 0 || nb == 0 {
			return 0, nil
		}
		return dot / (math.Sqrt(na) * math.Sqrt(nb)), nil
	}
}

// Texts are the texts that Vectors needs to score an answer.
func Texts(t Task, a AgentOutput) []string {
	var out []string
	for _, c := range a.Comments {
		out = append(out, c.Body)
	}
	for _, h := range t.Humans {
		out = append(out, h.Body)
		if trimmed := python.Trim(h.Body); trimmed != h.Body && trimmed != "" {
			out = append(out, trimmed)
		}
	}
	return out
}
