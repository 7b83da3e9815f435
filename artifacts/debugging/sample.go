// Package debugging is the debugging benchmark's dataset on disk (spec section 15): scripts with injected errors,
// facts and evidence about each error, and the same in the published benchmark's fields.
package debugging

import (
	"fmt"
	"iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
)

// The files of a dataset beside those that every benchmark has.
const (
	FileQuestions = artifacts.FileQuestions
	FileAnswers   = artifacts.FileKeys
	// FileSplit is a model.Split with one sample of each script.
	FileSplit  = "evals/" + Split + ".json"
	fileSingle = "export/dsdbench/single.jsonl"
	fileMulti  = "export/dsdbench/multi.jsonl"
	FileRuns   = "raw/runs.jsonl.zst"
	FileConfig = "config.yaml"
)

// FileEvidence is the path of a sample's evidence.
func FileEvidence(id string) string { return "evidence/" + id + ".json" }

// FilePrompt is the path of a sample's prompts.
func FilePrompt(id string) string { return "prompts/" + id + ".json" }

// FileData is the path of a script's data file.
func FileData(script, path string) string { return "data/" + script + "/" + path }

// Kind says how many errors a sample has.
type Kind string

// The kinds of samples.
const (
	Single Kind = "single"
	Multi  Kind = "multi"
)

// Track is the only value of Sample.Track so far: programs of their own.
const Track = "scripts"

// Split is the name of the split with one sample of each script: a reader of several samples of one script would
// learn each other's errors.
const Split = "scripts"

// Sample is a script with one error or several.
type Sample struct {
	Question
	Answer
}

// Question is one line of questions.jsonl: the script without any hint about its errors.
type Question struct {
	SampleID   string        `json:"sample_id"` // "{script_id}__s1", "{script_id}__m1"
	Track      string        `json:"track"`
	ScriptID   string        `json:"script_id"`
	Task       string        `json:"task"` // what the script is for, in the words of its author
	Code       string        `json:"code"`
	CodeSHA256 string        `json:"code_sha256"`
	DataFiles  []DataFile    `json:"data_files"`
	Runtime    model.Runtime `json:"runtime"`
	Repo       string        `json:"repo"` // "" where the script is of no repository
	Commit     string        `json:"commit"`
	Path       string        `json:"path"` // of the script
	License    string        `json:"license"`
	PRNumber   *int          `json:"pr_number"` // null if it belongs to no pull request
	Canary     string        `json:"canary,omitempty"`
}

// Answer is the line of answers.jsonl with the same number as the question's.
type Answer struct {
	Of         string  `json:"answer_to"` // the question's sample_id
	Kind       Kind    `json:"kind"`
	ErrorCount int     `json:"error_count"`
	Errors     []Error `json:"errors"` // in the order in which they show
}

// Samples reads the questions of a dataset with their answers. An error is the last
// value.
func Samples(dir string) iter.Seq2[*Sample, error] {
	return func(yield func(*Sample, error) bool) {
		next, stop := iter.Pull2(load.ReadLines[Answer](dir, FileAnswers))
		defer stop()
		for q, err := range load.ReadLines[Question](dir, FileQuestions) {
			a, failed, more := next()
			switch {
			case err == nil && failed != nil:
				err = failed
			case err == nil && (!more || a.Of != q.SampleID):
				err = fmt.Errorf("%s: the line of %s does not answer it", FileAnswers, q.SampleID)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&Sample{*q, *a}, nil) {
				return
			}
		}
		if a, err, more := next(); more {
			if err == nil {
				err = fmt.Errorf("%s: there is no question %s", FileAnswers, a.Of)
			}
			yield(nil, err)
		}
	}
}

// DataFile is a file beside the script.
type DataFile struct {
	Path    string   `json:"path"` // below data/{script_id}/
	SHA256  string   `json:"sha256"`
	Columns []string `json:"columns"` // of its first line, where it is a table
}

// Error is one injected error. Lines are 1-based and inclusive; a text is a
// line's without white space around it.
type Error struct {
	ErrorID       string `json:"error_id"` // "{script_id}__s1", whatever the sample
	Order         int    `json:"order"`    // 1 is the first to show
	Operator      string `json:"operator"`
	Injector      string `json:"injector"` // "rules", or a model's name
	CauseLine     int    `json:"cause_line"`
	CauseEndLine  int    `json:"cause_end_line"`
	CauseText     string `json:"cause_text"`
	EffectLine    int    `json:"effect_line"`
	EffectEndLine int    `json:"effect_end_line"`
	EffectText    string `json:"effect_text"`
	// EffectFunction is the function around the effect, "<module>" for none;
	// EffectDepth its number of frames inside the script, and OuterLine the line
	// of the outermost.
	EffectFunction    string `json:"effect_function"`
	EffectDepth       int    `json:"effect_depth"`
	OuterLine         int    `json:"outer_line"`
	ErrorType         string `json:"error_type"`
	ErrorModule       string `json:"error_module"`
	ErrorMessage      string `json:"error_message"`
	MessageNormalized string `json:"message_normalised"`
	// HopLines is 0 where cause and effect are one statement, else how many lines
	// apart they are; HopExecuted is how many other statements ran between: an error
	// is multi-hop where there is one.
	HopLines         int          `json:"hop_lines"`
	HopExecuted      int          `json:"hop_executed"`
	Library          string       `json:"library"`
	EquivalentCauses []Equivalent `json:"equivalent_causes"`
}

// Equivalent is another statement where one change would also repair the script.
type Equivalent struct {
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Text    string `json:"text"`
}

// Evidence is evidence/{sample_id}.json: how the sample was made.
type Evidence struct {
	SampleID     string   `json:"sample_id"`
	OriginalCode string   `json:"original_code"`
	Changes      []Change `json:"changes"` // in the order of Sample.Errors
	// Run is the common behavior of all accepted runs; Seeds are theirs.
	Run   model.ScriptRun `json:"run"`
	Seeds []int           `json:"seeds"`
	// Peel are the steps of a sample with several errors: which error showed after the ones before it were undone.
	Peel []PeelStep `json:"peel"`
}

// Change is what was changed for one error.
type Change struct {
	ErrorID string `json:"error_id"`
	Edits   []Edit `json:"edits"`
}

// Edit replaces bytes of the original code.
type Edit = model.SourceEdit

// PeelStep is one run of a composition.
type PeelStep struct {
	Shows      string `json:"shows"` // error_id
	ErrorType  string `json:"error_type"`
	EffectLine int    `json:"effect_line"`
	CodeSHA256 string `json:"code_sha256"` // of what ran
}

// Prompt is prompts/{sample_id}.json: a model's input, with the plain code and with numbered lines. The evaluation
// adds the instruction.
type Prompt struct {
	SampleID       string `json:"sample_id"`
	Plain          string `json:"plain"`
	PlainTokens    int    `json:"plain_tokens"`
	Numbered       string `json:"numbered"`
	NumberedTokens int    `json:"numbered_tokens"`
}

// Task is everything that the dataset holds about one sample.
type Task struct {
	Sample   Sample
	Evidence Evidence
	Prompt   Prompt
}
