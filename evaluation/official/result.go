package official

// Result is the harness's output for a record.
type Result struct {
	TaskID                  string       `json:"task_id"`
	PRNumber                int64        `json:"pr_number"`
	Config                  string       `json:"config_name"`
	Model                   string       `json:"model"` // agent::judge=judge
	PipelineVersion         string       `json:"pipeline_version"`
	Difficulty              string       `json:"difficulty"`
	Language                string       `json:"language"`
	DetectionRate           Float        `json:"detection_rate"`
	FalsePositiveRate       Float        `json:"false_positive_rate"`
	SeverityAccuracy        Float        `json:"severity_accuracy"`
	Actionability           Float        `json:"actionability_score"`
	SemanticAlignment       Float        `json:"semantic_alignment"`
	AdjacentDetection       Float        `json:"adjacent_detection_rate"`
	Overall                 Float        `json:"overall_score"`
	AgentComments           int          `json:"total_agent_comments"`
	Confirmed               int          `json:"confirmed_count"`
	Plausible               int          `json:"plausible_count"`
	Fabricated              int          `json:"fabricated_count"`
	Caught                  int          `json:"caught_human_comments"`
	Missed                  int          `json:"missed_human_comments"`
	Humans                  int          `json:"total_human_comments"`
	Pairs                   []ResultPair `json:"matched_pairs"`
	MissedComments          []CommentRef `json:"missed_comments"`
	FabricatedComments      []CommentRef `json:"fabricated_comments"`
	Precision               Float        `json:"precision"`
	Recall                  Float        `json:"recall"`
	F1                      Float        `json:"f1_score"`
	Hallucination           Float        `json:"hallucination_rate"`
	Redundancy              Float        `json:"redundancy_penalty"`
	PlausiblePenalty        Float        `json:"plausible_penalty"`
	FallbackPenalty         Float        `json:"fallback_penalty"`
	JudgeAlignmentAgreement Float        `json:"judge_alignment_agreement"`
	AttemptRate             Float        `json:"attempt_rate"`
	Coverage                Float        `json:"coverage"`
	DifficultyWeight        Float        `json:"difficulty_weight"`
	FailureType             *string      `json:"failure_type"` // no_attempt
	DifficultyTag           string       `json:"pr_difficulty_tag"`
	AgentParseSuccess       bool         `json:"agent_parse_success"`
	AgentParseError         *string      `json:"agent_parse_error"`
	JudgeFallback           bool         `json:"judge_parse_fallback_used"`
}

// ResultPair is a pair in a result.
type ResultPair struct {
	Agent         string `json:"agent_comment_id"`
	Human         string `json:"human_comment_id"`
	Actionability int64  `json:"actionability"`
}

// CommentRef names a comment.
type CommentRef struct {
	ID string `json:"comment_id"`
}

// Score matches and scores one record. It fails only if the similarity does.
func (p Protocol) Score(t Task, a AgentOutput, j JudgeOutput, s Similarity) (Result, error) {
	m, err := p.Match(t, a, j, s)
	if err != nil {
		return Result{}, err
	}
	parts, err := p.parts(t, a, j, m, s)
	if err != nil {
		return Result{}, err
	}
	r := Result{
		TaskID: t.ID, PRNumber: t.PRNumber, Config: t.Config, Model: a.Model + "::judge=" + j.Model,
		PipelineVersion: t.PipelineVersion, Difficulty: t.Difficulty, Language: t.Language,
		AgentComments: len(a.Comments), Humans: len(t.Humans),
		Pairs: []ResultPair{}, MissedComments: []CommentRef{}, FabricatedComments: []CommentRef{},
		DifficultyWeight: Float(difficultyWeight(len(t.Humans))), DifficultyTag: difficultyTag(len(t.Humans)),
		AgentParseSuccess: a.Success, AgentParseError: a.Error, JudgeFallback: j.Fallback(),
	}
	r.setParts(parts)
	r.setComments(t, a, m)
	return r, nil
}

func (r *Result) setParts(p Parts) {
	r.DetectionRate, r.Recall, r.Precision, r.F1 = Float(p.Recall), Float(p.Recall), Float(p.Precision), Float(p.F1)
	r.FalsePositiveRate, r.Hallucination = Float(p.Hallucination), Float(p.Hallucination)
	r.SeverityAccuracy, r.Actionability = Float(p.SeverityAccuracy), Float(p.Actionability)
	r.SemanticAlignment, r.AdjacentDetection = Float(p.SemanticAlignment), Float(p.AdjacentDetection)
	r.Redundancy, r.PlausiblePenalty = Float(p.Redundancy), Float(p.PlausiblePenalty)
	r.FallbackPenalty, r.JudgeAlignmentAgreement = Float(p.FallbackPenalty), Float(p.JudgeAlignmentAgreement)
	r.Confirmed, r.Plausible, r.Fabricated = p.Confirmed, p.Plausible, p.Fabricated
	r.Caught, r.Missed = p.Caught, max(0, r.Humans-p.Caught)
	if p.Caught > 0 {
		r.Coverage = 1
	}
	if r.AgentComments == 0 {
		none := "no_attempt"
		r.FailureType = &none
		return // and an overall score of zero
	}
	r.AttemptRate = 1
	r.Overall = Float(p.Overall())
}

func (r *Result) setComments(t Task, a AgentOutput, m Matched) {
	for _, p := range m.Pairs {
		r.Pairs = append(r.Pairs, ResultPair{p.Agent, p.Human, p.Actionability})
	}
	for _, h := range distinct(t.Humans) {
		if m.Statuses[h.ID] == Missed {
			r.MissedComments = append(r.MissedComments, CommentRef{h.ID})
		}
	}
	for _, c := range a.Comments {
		if m.Labels[c.ID] == Fabricated {
			r.FabricatedComments = append(r.FabricatedComments, CommentRef{c.ID})
		}
	}
}
