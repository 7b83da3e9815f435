package official

import (
	"math"
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// Float is a number in Python's JSON form: 1.0, not 1.
type Float float64

// MarshalJSON writes the shortest form that reads back to the same number.
func (f Float) MarshalJSON() ([]byte, error) { return []byte(python.Float(float64(f))), nil }

// Parts are the parts of a record's composite.
type Parts struct {
	Recall                  float64 // also called detection rate
	Precision               float64 // also called efficiency, and weighed as both
	F1                      float64
	Hallucination           float64 // share of FABRICATED, also called false positive rate
	Redundancy              float64
	PlausiblePenalty        float64
	Actionability           float64
	SemanticAlignment       float64 // may be negative with vectors
	JudgeAlignmentAgreement float64 // not part of the composite
	SeverityAccuracy        float64 // -1 where nothing can be compared; not part of the composite
	AdjacentDetection       float64 // not part of the composite
	FallbackPenalty         float64
	Confirmed               int
	Plausible               int
	Fabricated              int
	Caught                  int
}

// The weights and limits of the composite.
const (
	weightRecall        = 0.40
	weightPrecision     = 0.25
	weightSemantic      = 0.15
	weightActionability = 0.10
	weightEfficiency    = 0.05 // of the precision, once more
	weightHallucination = 0.25
	weightRedundancy    = 0.15
	weightPlausible     = 0.10

	nothingConfirmed = 0.2 // what is left of the actionability then
	fallbackFactor   = 0.5
	minComments      = 3   // from which many plausible comments are penalized
	plausibleShare   = 0.7 // above which they are
	alignedFrom      = 0.12
)

// MaxOverall is the highest composite that there is.
const MaxOverall = 0.95

// Overall is the composite of the parts, within 0..1; 0.95 is the highest that
// can be reached.
func (p Parts) Overall() float64 { return p.overall(p.Precision) }

// overall takes the efficiency separately, which the harness computes as the precision and counts again.
func (p Parts) overall(efficiency float64) float64 {
	action := p.Actionability
	if p.Confirmed == 0 {
		action *= nothingConfirmed
	}
	raw := weightRecall*p.Recall + weightPrecision*p.Precision + weightSemantic*p.SemanticAlignment +
		weightActionability*action + weightEfficiency*efficiency -
		weightHallucination*p.Hallucination - weightRedundancy*p.Redundancy - weightPlausible*p.PlausiblePenalty
	if p.FallbackPenalty > 0 {
		raw *= fallbackFactor
	}
	return min(max(raw, 0), 1)
}

// unusableParts are the parts of an unreadable answer.
func unusableParts() Parts { return Parts{Redundancy: 1, PlausiblePenalty: 1, SeverityAccuracy: -1} }

// parts scores a matched record.
func (p Protocol) parts(t Task, a AgentOutput, j JudgeOutput, m Matched, s Similarity) (Parts, error) {
	if !a.Success {
		return unusableParts(), nil
	}
	n := len(a.Comments)
	parts := Parts{
		Redundancy:        ratio(max(0, n-m.Clusters), n),
		Actionability:     actionability(a, j),
		SeverityAccuracy:  severityAccuracy(t, a, m),
		AdjacentDetection: adjacentDetection(t, a),
		Caught:            len(m.Caught),
	}
	for _, label := range m.Labels {
		switch label {
		case Confirmed:
			parts.Confirmed++
		case Fabricated:
			parts.Fabricated++
		default:
			parts.Plausible++
		}
	}
	parts.Recall = ratio(parts.Caught, len(t.Humans))
	parts.Precision = ratio(parts.Confirmed, n)
	if sum := parts.Precision + parts.Recall; sum > 0 {
		parts.F1 = 2 * parts.Precision * parts.Recall / sum
	}
	parts.Hallucination = ratio(parts.Fabricated, n)
	if n >= minComments {
		parts.PlausiblePenalty = max(0, ratio(parts.Plausible, n)-plausibleShare)
	}
	if j.Fallback() {
		parts.FallbackPenalty = fallbackFactor
	}
	return parts, parts.align(t, a, m, s)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// actionability is the mean of the judge's values over all comments, 3 without any, scaled from 1..5 to 0..1.
func actionability(a AgentOutput, j JudgeOutput) float64 {
	if len(a.Comments) == 0 {
		return 0
	}
	given := map[string]int64{}
	for _, c := range j.Classifications {
		given[c.CommentID] = c.Actionability
	}
	sum := int64(0)
	for _, c := range a.Comments {
		if v, ok := given[c.ID]; ok {
			sum += v
		} else {
			sum += defaultActionability
		}
	}
	return (float64(sum)/float64(len(a.Comments)) - 1) / 4
}

// align sets the parts that compare the texts of pairs.
func (p *Parts) align(t Task, a AgentOutput, m Matched, s Similarity) error {
	bodies := map[string]string{}
	for _, c := range a.Comments {
		bodies[c.ID] = c.Body
	}
	for _, h := range t.Humans {
		bodies["human "+h.ID] = python.Trim(h.Body)
	}
	sum, n, aligned := 0.0, 0, 0
	for _, pair := range m.Pairs {
		agent, human := bodies[pair.Agent], bodies["human "+pair.Human]
		if agent == "" || human == "" {
			continue
		}
		v, err := s(agent, human)
		if err != nil {
			return err
		}
		sum += v
		n++
		if v >= alignedFrom {
			aligned++
		}
	}
	if n > 0 {
		p.SemanticAlignment = sum / float64(n)
	}
	p.JudgeAlignmentAgreement = ratio(aligned, len(m.Pairs))
	return nil
}

// severityAccuracy is the share of pairs with equal severity among those with one on both sides, -1 without such
// pairs.
func severityAccuracy(t Task, a AgentOutput, m Matched) float64 {
	if !t.HasSeverity {
		return -1
	}
	human, agent := map[string]string{}, map[string]string{}
	for _, h := range t.Humans {
		human[h.ID] = strings.ToUpper(h.Severity)
	}
	for _, c := range a.Comments {
		agent[c.ID] = text(c.Severity)
	}
	equal, n := 0, 0
	for _, pair := range m.Pairs {
		if h, c := human[pair.Human], agent[pair.Agent]; h != "" && c != "" {
			n++
			if h == c {
				equal++
			}
		}
	}
	if n == 0 {
		return -1
	}
	return ratio(equal, n)
}

// adjacentDetection is the share of comments outside the diff, for the long
// name of configuration C and two difficulties only.
func adjacentDetection(t Task, a AgentOutput) float64 {
	if t.Config != "config_C_full_context" || !strings.HasPrefix(t.Difficulty, "Type2") &&
		!strings.HasPrefix(t.Difficulty, "Type3") {
		return 0
	}
	outside := 0
	for _, c := range a.Comments {
		if c.OutsideDiff {
			outside++
		}
	}
	return ratio(outside, len(a.Comments))
}

// difficultyTag groups records by the number of human comments.
func difficultyTag(humans int) string {
	switch {
	case humans > 15:
		return "hard"
	case humans > 8:
		return "medium"
	}
	return "easy"
}

// difficultyWeight is the weight of a record in weighted means: ln(humans + 1).
func difficultyWeight(humans int) float64 { return math.Log(float64(humans) + 1) }
