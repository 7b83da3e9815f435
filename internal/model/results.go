package model

// RepositoryScore is the Repository Quality Score with its parts, in the order
// of spec section 3; test quality has three.
type RepositoryScore struct {
	Parts   []ScorePart `json:"parts"`
	Score   float64     `json:"score"`   // 0-100, the sum of the parts that were measured
	Best    float64     `json:"best"`    // what it would be if every missing part had full marks
	Missing []string    `json:"missing"` // the parts that were not measured
}

// ScorePart is one component of the repository score, or one part of test
// quality.
type ScorePart struct {
	Name   string       `json:"name"` // "review_culture", ...
	Max    float64      `json:"max"`
	Points *float64     `json:"points"` // nil when it could not be measured
	Inputs []ScoreInput `json:"inputs"`
	Note   string       `json:"note"` // why it is missing, or what would raise it; "" at full marks
}

// ScoreInput is one number that a part was made from.
type ScoreInput struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Split is evals/eval_100.json, or evals/levels.json of a dataset of files with
// one fault: the seeded stratified split.
type Split struct {
	N       int       `json:"n"`
	Seed    int64     `json:"seed"`
	Strata  []Stratum `json:"strata"`   // in the order Type1, Type2, Type3; or of the levels
	TaskIDs []string  `json:"task_ids"` // or question ids; sorted
}

// Stratum is one difficulty's share of the split. Short is true where there are
// too few records; nothing else fills the gap.
type Stratum struct {
	Difficulty Difficulty `json:"difficulty"`
	Target     int        `json:"target"`
	Available  int        `json:"available"`
	Taken      int        `json:"taken"`
	Short      bool       `json:"short"`
}

// License is the license of a repository at a commit.
type License struct {
	SPDX *string `json:"spdx"` // nil if it could not be told
	File string  `json:"file"` // the file it was read from; "" if it is only GitHub's word
	From string  `json:"from"` // "base commit" or "github"
}
