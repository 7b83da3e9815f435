package official

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Report is the harness's eval_report.json, without the time of the run.
type Report struct {
	// distinct numbers, so that pull requests of two repositories may count once
	PRs           int                           `json:"total_prs"`
	Records       int                           `json:"total_eval_records"`
	ByConfig      Table[ConfigSummary]          `json:"by_config"`
	ByDifficulty  Table[DifficultySummary]      `json:"by_difficulty"`
	Ablation      Table[Table[AblationSummary]] `json:"ablation_table"`
	ParseFailures int                           `json:"agent_parse_failures"`
	Fallbacks     int                           `json:"judge_parse_fallback_count"`
	Results       []Result                      `json:"records"`
}

// Table is an ordered JSON object.
type Table[T any] []Row[T]

// Row is one field of a Table.
type Row[T any] struct {
	Name  string
	Value T
}

// MarshalJSON keeps the order of the rows.
func (t Table[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, row := range t {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(row.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(row.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// ConfigSummary is one configuration: means rounded to three places.
type ConfigSummary struct {
	N                 int    `json:"n"`
	DetectionRate     Float  `json:"detection_rate"`
	FalsePositiveRate Float  `json:"false_positive_rate"`
	Precision         Float  `json:"precision"`
	Recall            Float  `json:"recall"`
	F1                Float  `json:"f1_score"`
	Hallucination     Float  `json:"hallucination_rate"`
	Actionability     Float  `json:"actionability_score"`
	SemanticAlignment Float  `json:"semantic_alignment"`
	Redundancy        Float  `json:"redundancy_penalty"`
	Coverage          Float  `json:"coverage"`
	AttemptRate       Float  `json:"attempt_rate"`
	DifficultyWeight  Float  `json:"difficulty_weight"`
	DifficultyTag     string `json:"pr_difficulty_tag"` // the most frequent, the first seen among equals
	NoAttempt         int    `json:"no_attempt_count"`
	PlausiblePenalty  Float  `json:"plausible_penalty"`
	FallbackPenalty   Float  `json:"fallback_penalty"`
	AdjacentDetection Float  `json:"adjacent_detection_rate"`
	Overall           Float  `json:"overall_score"`
	OverallWeighted   Float  `json:"overall_score_weighted"`
}

// DifficultySummary is one difficulty, all configurations together.
type DifficultySummary struct {
	N                 int   `json:"n"`
	DetectionRate     Float `json:"detection_rate"`
	Coverage          Float `json:"coverage"`
	F1                Float `json:"f1_score"`
	AdjacentDetection Float `json:"adjacent_detection_rate"`
	Overall           Float `json:"overall_score"`
	OverallWeighted   Float `json:"overall_score_weighted"`
}

// AblationSummary is one difficulty in one configuration.
type AblationSummary struct {
	N                 int   `json:"n"`
	DetectionRate     Float `json:"detection_rate"`
	Actionability     Float `json:"actionability_score"`
	AdjacentDetection Float `json:"adjacent_detection_rate"`
	Overall           Float `json:"overall_score"`
}

// difficulties are the rows of the ablation table.
var difficulties = []string{"Type1_Direct", "Type2_Contextual", "Type3_Latent_Candidate"}

// NewReport summarizes results, which the harness takes in the order of their
// file names (Stem).
func NewReport(results []Result) Report {
	rep := Report{Records: len(results), Results: results, ByConfig: Table[ConfigSummary]{},
		ByDifficulty: Table[DifficultySummary]{}}
	numbers := map[int64]bool{}
	for _, r := range results {
		numbers[r.PRNumber] = true
		if !r.AgentParseSuccess {
			rep.ParseFailures++
		}
		if r.JudgeFallback {
			rep.Fallbacks++
		}
	}
	rep.PRs = len(numbers)
	for _, g := range groups(results, func(r Result) string { return Short(r.Config) }) {
		rep.ByConfig = append(rep.ByConfig, Row[ConfigSummary]{g.Name, configSummary(g.Value)})
	}
	byDifficulty := groups(results, func(r Result) string { return r.Difficulty })
	for _, g := range byDifficulty {
		rep.ByDifficulty = append(rep.ByDifficulty, Row[DifficultySummary]{g.Name, difficultySummary(g.Value)})
	}
	for _, name := range difficulties {
		cells := Table[AblationSummary]{}
		for _, g := range byDifficulty {
			if g.Name == name {
				cells = ablation(g.Value)
			}
		}
		rep.Ablation = append(rep.Ablation, Row[Table[AblationSummary]]{name, cells})
	}
	return rep
}

// groups splits results by a key, in the order of appearance.
func groups(results []Result, key func(Result) string) Table[[]Result] {
	var out Table[[]Result]
	at := map[string]int{}
	for _, r := range results {
		k := key(r)
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, Row[[]Result]{Name: k})
		}
		out[i].Value = append(out[i].Value, r)
	}
	return out
}

func configSummary(rs []Result) ConfigSummary {
	mean := func(of func(Result) Float) Float { return Float(round3(mean(rs, of))) }
	s := ConfigSummary{
		N:                 len(rs),
		DetectionRate:     mean(func(r Result) Float { return r.DetectionRate }),
		FalsePositiveRate: mean(func(r Result) Float { return r.FalsePositiveRate }),
		Precision:         mean(func(r Result) Float { return r.Precision }),
		Recall:            mean(func(r Result) Float { return r.Recall }),
		F1:                mean(func(r Result) Float { return r.F1 }),
		Hallucination:     mean(func(r Result) Float { return r.Hallucination }),
		Actionability:     mean(func(r Result) Float { return r.Actionability }),
		SemanticAlignment: mean(func(r Result) Float { return r.SemanticAlignment }),
		Redundancy:        mean(func(r Result) Float { return r.Redundancy }),
		Coverage:          mean(func(r Result) Float { return r.Coverage }),
		AttemptRate:       mean(func(r Result) Float { return r.AttemptRate }),
		DifficultyWeight:  mean(func(r Result) Float { return r.DifficultyWeight }),
		PlausiblePenalty:  mean(func(r Result) Float { return r.PlausiblePenalty }),
		FallbackPenalty:   mean(func(r Result) Float { return r.FallbackPenalty }),
		AdjacentDetection: mean(func(r Result) Float { return r.AdjacentDetection }),
		Overall:           mean(overall),
		OverallWeighted:   Float(round3(weightedMean(rs))),
	}
	for _, g := range groups(rs, func(r Result) string { return r.DifficultyTag }) {
		if count(rs, s.DifficultyTag) < len(g.Value) {
			s.DifficultyTag = g.Name
		}
	}
	for _, r := range rs {
		if r.FailureType != nil && *r.FailureType == "no_attempt" {
			s.NoAttempt++
		}
	}
	return s
}

func overall(r Result) Float { return r.Overall }

func count(rs []Result, tag string) int {
	n := 0
	for _, r := range rs {
		if r.DifficultyTag == tag {
			n++
		}
	}
	return n
}

func difficultySummary(rs []Result) DifficultySummary {
	mean := func(of func(Result) Float) Float { return Float(round3(mean(rs, of))) }
	return DifficultySummary{
		N:                 len(rs),
		DetectionRate:     mean(func(r Result) Float { return r.DetectionRate }),
		Coverage:          mean(func(r Result) Float { return r.Coverage }),
		F1:                mean(func(r Result) Float { return r.F1 }),
		AdjacentDetection: mean(func(r Result) Float { return r.AdjacentDetection }),
		Overall:           mean(overall),
		OverallWeighted:   Float(round3(weightedMean(rs))),
	}
}

// ablation are the cells of one difficulty, for the three known configurations.
func ablation(rs []Result) Table[AblationSummary] {
	out := Table[AblationSummary]{}
	byConfig := groups(rs, func(r Result) string { return Short(r.Config) })
	for _, config := range []string{"config_A", "config_B", "config_C"} {
		for _, g := range byConfig {
			if g.Name != config {
				continue
			}
			mean := func(of func(Result) Float) Float { return Float(round3(mean(g.Value, of))) }
			out = append(out, Row[AblationSummary]{config, AblationSummary{
				N:                 len(g.Value),
				DetectionRate:     mean(func(r Result) Float { return r.DetectionRate }),
				Actionability:     mean(func(r Result) Float { return r.Actionability }),
				AdjacentDetection: mean(func(r Result) Float { return r.AdjacentDetection }),
				Overall:           mean(overall),
			}})
		}
	}
	return out
}

// mean is the plain mean, 0 without values.
func mean(rs []Result, of func(Result) Float) float64 {
	sum := 0.0
	for _, r := range rs {
		sum += float64(of(r))
	}
	if len(rs) == 0 {
		return 0
	}
	return sum / float64(len(rs))
}

// weightedMean is the mean of the composite weighted by difficulty, the plain
// one where all weights are zero (paper, section 5.3).
func weightedMean(rs []Result) float64 {
	sum, weights := 0.0, 0.0
	for _, r := range rs {
		sum += float64(r.Overall * r.DifficultyWeight)
		weights += float64(r.DifficultyWeight)
	}
	if weights <= 0 {
		return mean(rs, overall)
	}
	return sum / weights
}

// round3 rounds to three places as Python does: the nearest decimal to the
// binary value, exact ties to even.
func round3(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 3, 64), 64)
	if err != nil {
		return x // never: the text is a number of ours
	}
	return rounded
}
