package artifacts

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/model"
)

// The files of a dataset, as slash paths below its folder (spec section 10).
const (
	FileRecords         = "prs.jsonl"
	FileParquet         = "parquet/prs.parquet"
	FileAnnotationTable = "parquet/annotations.parquet"
	FileContextTable    = "parquet/contexts.parquet"
	FileSplitTable      = "parquet/splits.parquet"
	FileSplit           = "evals/eval_100.json"
	FileValidated       = "evals/validated.json"
	FileShort           = "evals/short.jsonl" // comments of too few words that authors acted on
	FileRepositories    = "audit/repositories.jsonl"
	FileDecisions       = "audit/decisions.jsonl"
	FileRejections      = "audit/rejections.jsonl"
	FileFunnel          = "audit/funnel.json"
	FileTombstones      = "audit/tombstones.jsonl" // only if something was removed
	FileCard            = "README.md"
	FileLicense         = "LICENSE.md" // of each repository and of the additions
	FileCroissant       = "croissant.json"
	FileManifest        = "manifest.json"
	FileConfig          = "config.yaml"            // the effective configuration, canonical
	FileLabels          = "labels/overrides.jsonl" // judgements of people, only where there are any
	FileQuestions       = "questions.jsonl"        // of the debugging benchmark, as are
	FileKeys            = "answers.jsonl"          // the answers to them, line by line
	FileSnapshotIndex   = "snapshots/index.jsonl"  // only where there are snapshots
	DirRaw              = "raw/"
)

// Tables are the Parquet files.
var Tables = []string{FileParquet, FileAnnotationTable, FileContextTable, FileSplitTable}

// Configs are the names of the three contexts, in order.
var Configs = []string{"config_A", "config_B", "config_C"}

// FileAnnotation is the path of a task's annotation.
func FileAnnotation(taskID string) string { return "annotations/" + taskID + "_human.json" }

// FileEvidence is the path of a task's evidence.
func FileEvidence(taskID string) string { return "evidence/" + taskID + ".json" }

// FileContext is the path of a task's context; config is one of Configs.
func FileContext(config, taskID string) string { return "contexts/" + config + "/" + taskID + ".json" }

// FileRaw is the path of a repository's raw records, by the requested name.
func FileRaw(asked model.RepoRef) string { return DirRaw + asked.FileName() + ".jsonl.zst" }

// FileSnapshots is the path of a repository's snapshots, by its current name.
func FileSnapshots(repo model.RepoRef) string {
	return "snapshots/" + repo.FileName() + ".snapshot.zst"
}

// FileSchema is the path of a schema of the dataset's files.
func FileSchema(n schema.Name) string { return "schemas/" + string(n) + ".json" }

// Schemas are the schemas of a benchmark's datasets, with or without snapshots.
func Schemas(b Benchmark, snapshots bool) []schema.Name {
	audit := []schema.Name{schema.Decision, schema.Rejection, schema.Repository, schema.Funnel, schema.Manifest}
	if snapshots && b != Snapshot {
		audit = append(audit, schema.Snapshot)
	}
	switch b {
	case Review:
		return append(audit, schema.Record, schema.Annotation, schema.Context, schema.Evidence, schema.Split,
			schema.Validated, schema.ShortComment, schema.Tombstone)
	case Bugs:
		return append(audit, schema.BugQuestion, schema.BugAnswer, schema.BugEvidence, schema.BugSplit)
	case Debugging:
		return append(audit, schema.ScriptQuestion, schema.ScriptAnswer, schema.ScriptEvidence, schema.ScriptPrompt,
			schema.ScriptSplit)
	case Escaped:
		return append(audit, schema.EscapedQuestion, schema.EscapedAnswer)
	case Controls:
		return []schema.Name{schema.ControlComment, schema.ControlHunk, schema.ControlPull, schema.Manifest}
	case Snapshot:
		return []schema.Name{schema.Snapshot, schema.Manifest}
	}
	return nil
}

// FileAnswers holds the answers of models.
const FileAnswers = DirRaw + "answers.jsonl.zst"

// KnownFile reports whether a dataset of the review benchmark may have a file at
// a path, besides its manifest.
func KnownFile(path string) bool {
	switch path {
	case FileRecords, FileSplit, FileValidated, FileShort, FileRepositories, FileDecisions, FileRejections, FileFunnel,
		FileTombstones, FileCard, FileLicense, FileCroissant, FileConfig, FileLabels, FileSnapshotIndex:
		return true
	}
	return slices.Contains(Tables, path) || ownPattern.MatchString(path)
}

// ownPattern is the path of a file of one task or one repository.
var ownPattern = regexp.MustCompile(`^(annotations/` + taskID + `_human|evidence/` + taskID +
	`|contexts/config_[ABC]/` + taskID +
	`)\.json$|^raw/[A-Za-z0-9._+-]+\.jsonl\.zst$|^snapshots/[A-Za-z0-9._+-]+\.snapshot\.zst$|^schemas/[a-z_]+\.json$`)

const taskID = `[A-Za-z0-9._-]{1,160}__[1-9][0-9]{0,9}(?:@[1-9][0-9]{0,2})?`

var taskIDPattern = regexp.MustCompile(`^` + taskID + `$`)

// CheckTaskID rejects everything but a task id, so that an id is always safe as part of a file name.
func CheckTaskID(id string) error {
	if !taskIDPattern.MatchString(id) {
		return fmt.Errorf("%q is not a task id: it must be NAME__NUMBER or NAME__NUMBER@RECORD", id)
	}
	return nil
}

// CheckPath rejects a path that does not consist of plain names.
func CheckPath(path string) error {
	if !pathPattern.MatchString(path) {
		return fmt.Errorf("%q is not a path of a dataset's file: it must be NAME[/NAME...]", path)
	}
	return nil
}

// CheckRawPath rejects a path that does not consist of plain names below raw/.
func CheckRawPath(path string) error {
	if rest, ok := strings.CutPrefix(path, DirRaw); !ok || CheckPath(rest) != nil {
		return fmt.Errorf("%q is not a path for a raw file: it must be raw/NAME[/NAME...]", path)
	}
	return nil
}

var pathPattern = regexp.MustCompile(`^[A-Za-z0-9_+-][A-Za-z0-9._+@-]*(/[A-Za-z0-9_+-][A-Za-z0-9._+@-]*)*$`)

// The files of a bugs dataset (spec section 14), beside audit/, raw/, README.md
// and manifest.json.
const (
	DirBugs          = "bugs/"
	DirBugEvidence   = "bugs/evidence/"
	FileBugQuestions = "bugs/questions.jsonl"
	FileBugAnswers   = "bugs/answers.jsonl"
	FileBugOptions   = "bugs/options.json" // the pool of questions, and its size
	FileBugSplit     = "evals/levels.json" // a model.Split of questions by level, with their controls
)

// FileBugEvidence is the path of a question's evidence.
func FileBugEvidence(questionID string) string { return DirBugEvidence + questionID + ".json" }

var questionIDPattern = regexp.MustCompile(`^q[0-9a-f]{20}$`)

// CheckQuestionID rejects everything but a question id, so that an id is always safe as part of a file name.
func CheckQuestionID(id string) error {
	if !questionIDPattern.MatchString(id) {
		return fmt.Errorf("%q is not a question id", id)
	}
	return nil
}

// The files of a folder of negative controls, beside README.md and
// manifest.json.
const (
	FileControlRejected = "evals/rejected.jsonl" // comments that a reviewer should not write
	FileControlDeclined = "evals/declined.jsonl" // findings that somebody contested
	FileControlHunks    = "evals/hunks.jsonl"    // every production hunk, and the evidence against it
	FileControlPulls    = "evals/pulls.jsonl"    // every record, and whether all its hunks are clean
)
