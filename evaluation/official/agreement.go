package official

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

var replyLabels = []string{Confirmed, Plausible, Fabricated}

// ReplyLabel reads the second judge's one-word reply: the first line with a
// label as a whole word, else the first label anywhere, else PLAUSIBLE. In each
// line CONFIRMED goes before PLAUSIBLE before FABRICATED.
func ReplyLabel(reply string) string {
	text := strings.ToUpper(reply)
	for _, line := range python.Lines(text) {
		for _, label := range replyLabels {
			if regexp.MustCompile(`\b` + label + `\b`).MatchString(line) {
				return label
			}
		}
	}
	for _, label := range replyLabels {
		if strings.Contains(text, label) {
			return label
		}
	}
	return Plausible
}

// Kappa is Cohen's kappa as the harness has it: 1 where both always give one
// label, false where the lists are empty or not of one length.
func Kappa(a, b []string) (kappa float64, ok bool) {
	observed, ok := Agreement(a, b)
	if !ok {
		return 0, false
	}
	ca, cb := map[string]float64{}, map[string]float64{}
	for i := range a {
		ca[a[i]]++
		cb[b[i]]++
	}
	n := float64(len(a))
	expected := 0.0
	for _, label := range slices.Sorted(maps.Keys(ca)) {
		expected += ca[label] / n * (cb[label] / n)
	}
	switch {
	case expected < 1:
		return (observed - expected) / (1 - expected), true
	case observed == 1:
		return 1, true
	}
	return 0, true
}

// Agreement is the share of equal labels, false where the lists are empty or
// not of one length.
func Agreement(a, b []string) (float64, bool) {
	if len(a) == 0 || len(a) != len(b) {
		return 0, false
	}
	equal := 0
	for i := range a {
		if a[i] == b[i] {
			equal++
		}
	}
	return ratio(equal, len(a)), true
}

// Proxy is the score that the second judge's labels stand for: 0.40 times the
// share of CONFIRMED less 0.25 times that of FABRICATED.
func Proxy(labels []string) float64 {
	confirmed, fabricated := 0, 0
	for _, l := range labels {
		switch l {
		case Confirmed:
			confirmed++
		case Fabricated:
			fabricated++
		}
	}
	return weightRecall*ratio(confirmed, len(labels)) - weightHallucination*ratio(fabricated, len(labels))
}
