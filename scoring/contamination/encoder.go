package contamination

import (
	"context"
	"hash/fnv"
	"math"
	"regexp"
	"strings"
)

// Encoder turns texts into vectors whose cosine measures their similarity. The manifest records its name.
type Encoder interface {
	// Name identifies the encoder and its version: the same name gives the same
	// vectors for the same texts.
	Name() string
	// Encode returns a vector for each text, all of the same length, in their
	// order. Vectors need not be normalized.
	Encode(ctx context.Context, texts []string) ([][]float32, error)
}

// builtinDimensions is the length of the built-in vectors: at 4,096 the noise of
// hash collisions stays below 0.02 of a cosine.
const builtinDimensions = 4096

// Builtin is the deterministic encoder that needs no model: each text is the
// bag of its words, pairs of neighboring words and character 4-grams within
// words, each counted by the square root of how often it occurs and hashed into
// 4,096 signed buckets. It recognizes copied and lightly edited texts (issue
// templates, re-submissions, quoted descriptions), not paraphrases: for those,
// configure a sentence encoder.
type Builtin struct{}

// Name is "prforge-ngram-v1".
func (Builtin) Name() string { return "prforge-ngram-v1" }

// Encode never fails.
func (Builtin) Encode(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = vector(t)
	}
	return out, nil
}

var wordPattern = regexp.MustCompile(`[\p{L}\p{N}]+`)

// The weights of the three kinds of features: pairs separate texts; common words and 4-grams still match edited
// words.
const (
	wordWeight, pairWeight, gramWeight = 1.0, 1.5, 0.5
	gramLength                         = 4
)

// feature is a counted feature and its weight.
type feature struct {
	count  int
	weight float64
}

func vector(text string) []float32 {
	found := make(map[string]feature)
	add := func(name string, weight float64) {
		f := found[name]
		found[name] = feature{f.count + 1, weight}
	}
	previous := ""
	for _, w := range wordPattern.FindAllString(strings.ToLower(text), -1) {
		add("w "+w, wordWeight)
		if previous != "" {
			add("p "+previous+" "+w, pairWeight)
		}
		previous = w
		runes := []rune(w)
		for i := 0; i+gramLength <= len(runes) && len(runes) > gramLength; i++ {
			add("g "+string(runes[i:i+gramLength]), gramWeight)
		}
	}
	return hashed(found)
}

// hashed sums the features into buckets. Each bucket's terms are whole numbers
// of a fixed small unit, so that the sum does not depend on their order.
func hashed(found map[string]feature) []float32 {
	const unit = 1 << 20
	var sums [builtinDimensions]int64
	for name, f := range found {
		h := fnv.New64a()
		h.Write([]byte(name)) // never fails
		sum := h.Sum64()
		term := int64(math.Round(f.weight * math.Sqrt(float64(f.count)) * unit))
		if sum>>63 == 1 {
			term = -term
		}
		sums[sum%builtinDimensions] += term
	}
	v := make([]float32, builtinDimensions)
	for i, s := range sums {
		v[i] = float32(s) / unit
	}
	return v
}

// normed is a vector with its length.
type normed struct {
	v      []float32
	length float64
}

func norm(v []float32) normed {
	return normed{v, math.Sqrt(dot(v, v))}
}

// cosine is the cosine of two vectors; 0 when one of them is zero or they have
// different dimensions.
func cosine(a, b normed) float64 {
	if len(a.v) != len(b.v) || a.length == 0 || b.length == 0 {
		return 0
	}
	return dot(a.v, b.v) / (a.length * b.length)
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(float64(x) * float64(b[i])) // converted, so that no processor fuses it with the sum
	}
	return sum
}
