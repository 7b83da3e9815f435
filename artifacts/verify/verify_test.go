package verify_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func options() verify.Options {
	return verify.Options{
		Workers:    3,
		Parameters: artifactstest.Parameters(), Tokenizer: "words", Tokens: artifactstest.Tokens, Bot: artifactstest.Bot, Words: artifactstest.Words, Score: artifactstest.Score,
	}
}

// run verifies a folder and returns the kinds of faults and the report as text.
func run(t *testing.T, dir string) ([]verify.Kind, string) {
	t.Helper()
	r, err := verify.Dataset(t.Context(), dir, options())
	if err != nil {
		t.Fatal(err)
	}
	kinds := []verify.Kind{}
	for _, f := range r.Faults {
		kinds = append(kinds, f.Kind)
		if f.Count < 1 || f.Example == "" || f.Text == "" {
			t.Errorf("a fault without count, example or text: %+v", f)
		}
	}
	return kinds, fmt.Sprintf("%d records, faults %+v, skipped %q", r.Records, r.Faults, r.Skipped)
}

func TestGood(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "good")
	if err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(artifactstest.Tasks())); err != nil {
		t.Fatal(err)
	}
	kinds, text := run(t, dir)
	if len(kinds) > 0 || !strings.Contains(text, "3 records") || !strings.Contains(text, "skipped []") {
		t.Errorf("a good dataset:\n%s", text)
	}
	if _, err := verify.Dataset(t.Context(), t.TempDir(), options()); err == nil || !strings.Contains(err.Error(), "not a dataset") {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestKindsHaveTexts checks the table of kinds against its texts.
func TestKindsHaveTexts(t *testing.T) {
	seen := map[verify.Kind]bool{}
	for _, f := range verify.Kinds() {
		if f.Text == "" || seen[f.Kind] {
			t.Errorf("%s has no text of its own", f.Kind)
		}
		seen[f.Kind] = true
	}
}

// TestDamagedTasks damages the records before they are frozen, so that manifest
// and Parquet agree with the damage and only the invariant is broken.
func TestDamagedTasks(t *testing.T) {
	for _, c := range []struct {
		name   string
		want   []verify.Kind
		damage func(t *artifacts.Task) // the first task, widget__1
	}{
		{"score is not the sum", []verify.Kind{verify.ScoreSum, verify.ScoreRounding}, func(t *artifacts.Task) { t.Record.RVSScore = .7 }},
		{"score is not the evidence's", []verify.Kind{verify.ScoreRounding, verify.ScoreInputs}, func(t *artifacts.Task) { t.Evidence.Scores.RVS += .001 }},
		{"parts do not follow from inputs", []verify.Kind{verify.ScoreInputs}, func(t *artifacts.Task) { t.Evidence.Scores.Inputs.Threads = 2 }},
		{"inputs are of another record", []verify.Kind{verify.ScoreInputs, verify.ScoreCounts}, func(t *artifacts.Task) { t.Evidence.Scores.Inputs.Files = 7 }},
		{"below the floor", []verify.Kind{verify.BelowFloor}, belowFloor},
		{"diff is no diff", []verify.Kind{verify.DiffUnparseable, verify.Visibility}, func(t *artifacts.Task) { t.Record.DiffPatch = "<html>busy</html>" }},
		{"a changed file too many", []verify.Kind{verify.ChangedFiles}, func(t *artifacts.Task) { t.Record.ChangedFiles = append(t.Record.ChangedFiles, "x.py") }},
		{"lines miscounted", []verify.Kind{verify.ScoreCounts, verify.LineCounts}, func(t *artifacts.Task) { t.Record.LinesAdded++ }},
		{"too many lines", []verify.Kind{verify.TooManyLines, verify.ContextDiff, verify.Visibility}, tooManyLines},
		{"a bot among the human comments", []verify.Kind{verify.HumanComments}, func(t *artifacts.Task) {
			t.Record.HumanReviewComments[0].Author = "coderabbitai"
		}},
		{"a bot taken for a person", []verify.Kind{verify.BotComment}, func(t *artifacts.Task) { rename(t, "bob", "coderabbitai") }},
		{"an AI text in the ground truth", []verify.Kind{verify.HumanComments, verify.RemovedCount, verify.BotComment}, func(t *artifacts.Task) {
			rule := "headings"
			t.Evidence.Comments[0].AIRule = &rule
		}},
		{"removed comments miscounted", []verify.Kind{verify.RemovedCount}, func(t *artifacts.Task) { t.Record.AICommentsRemoved = 0 }},
		{"a human comment left out", []verify.Kind{verify.HumanComments, verify.CountMismatch}, func(t *artifacts.Task) {
			t.Record.HumanReviewComments = t.Record.HumanReviewComments[1:]
		}},
		{"counts of comments differ", []verify.Kind{verify.ScoreCounts, verify.CountMismatch}, func(t *artifacts.Task) { t.Record.NumSubstantiveComments = 3 }},
		{"total miscounted", []verify.Kind{verify.CountMismatch}, func(t *artifacts.Task) { t.Annotation.TotalCommentCount++ }},
		{"a requested change lost", []verify.Kind{verify.RequestedChanges}, func(t *artifacts.Task) { t.Annotation.RequestedChanges = []artifacts.AnnotationComment{} }},
		{"ids out of order", []verify.Kind{verify.CommentIDs}, func(t *artifacts.Task) {
			slices.Reverse(t.Annotation.SubstantiveCommentIDs)
		}},
		{"ground truth without evidence", []verify.Kind{verify.CommentIDs, verify.ReasonMissing, verify.Visibility}, func(t *artifacts.Task) {
			t.Evidence.Comments[0].CommentID, t.Evidence.Comments[0].GroundTruth = nil, false
		}},
		{"annotation and evidence differ", []verify.Kind{verify.EvidenceDiffers}, func(t *artifacts.Task) { t.Annotation.Comments[1].File = "tests/test_app.py" }},
		{"a comment without reason", []verify.Kind{verify.ReasonMissing}, func(t *artifacts.Task) { t.Evidence.Comments[1].Reason = nil }},
		{"ground truth by the author", []verify.Kind{verify.OwnComment}, func(t *artifacts.Task) { t.Evidence.Author = "bob" }},
		{"ground truth by a ghost", []verify.Kind{verify.GhostComment}, func(t *artifacts.Task) { t.Evidence.Comments[0].AuthorType = model.Ghost }},
		{"too few words", []verify.Kind{verify.ShortComment}, func(t *artifacts.Task) { rewrite(t, "Does `parse` leak?") }},
		{"a reply as ground truth", []verify.Kind{verify.NotThreadStart}, func(t *artifacts.Task) {
			id := "PRRC_1"
			t.Evidence.Comments[0].ReplyTo = &id
		}},
		{"a reply by its own word", []verify.Kind{verify.NotThreadStart}, func(t *artifacts.Task) { t.Annotation.Comments[1].IsReply = true }},
		{"a minimized comment", []verify.Kind{verify.HumanComments, verify.HiddenComment}, func(t *artifacts.Task) { t.Evidence.Comments[0].Minimized = true }},
		{"a line lost", []verify.Kind{verify.MissingLine, verify.Visibility}, lineLost},
		{"a standing comment on edited code", []verify.Kind{verify.CodeStates}, func(t *artifacts.Task) {
			state := model.StateEdited
			t.Evidence.Comments[0].CodeState = &state
		}},
		{"is_in_diff false on a deleted line", []verify.Kind{verify.DifficultyWrong, verify.IsInDiff}, func(t *artifacts.Task) {
			t.Annotation.Comments[1].IsInDiff, t.Evidence.Comments[2].IsInDiff = false, false
		}},
		{"thread_resolved null", []verify.Kind{verify.ThreadResolved}, func(t *artifacts.Task) { t.Annotation.Comments[1].ThreadResolved = nil }},
		{"difficulty not derivable", []verify.Kind{verify.DifficultyWrong}, func(t *artifacts.Task) {
			t.Record.Difficulty, t.Evidence.Difficulty.Value = model.Type2, model.Type2
		}},
		{"raised without evidence", []verify.Kind{verify.DifficultyWrong}, func(t *artifacts.Task) {
			t.Record.Difficulty, t.Evidence.Difficulty.Value = model.Type3, model.Type3
		}},
		{"tied to a changed file", []verify.Kind{verify.DifficultyWrong}, func(t *artifacts.Task) {
			id := "c_1"
			t.Record.Difficulty, t.Evidence.Difficulty.Value = model.Type3, model.Type3
			t.Evidence.Difficulty.Because = []artifacts.ReferenceEvidence{{CommentID: &id, DatabaseID: 100, Path: "src/app.py", Because: "imports"}}
		}},
		{"a class that the line contradicts", []verify.Kind{verify.DifficultyWrong}, func(t *artifacts.Task) {
			t.Evidence.Difficulty.Comments["c_1"] = artifacts.CommentClass{Class: model.Contextual, Because: "context_line"}
		}},
		{"a latent comment that names nothing", []verify.Kind{verify.DifficultyWrong}, func(t *artifacts.Task) {
			t.Evidence.Difficulty.Comments["c_1"] = artifacts.CommentClass{Class: model.Latent, Because: "names: src/other.py"}
		}},
		{"a comment without a class", []verify.Kind{verify.DifficultyWrong}, func(t *artifacts.Task) { delete(t.Evidence.Difficulty.Comments, "c_1") }},
		{"rejected on its way", []verify.Kind{verify.NotPassed}, func(t *artifacts.Task) { t.Evidence.Verdicts[1].Outcome = verdict.OutcomeReject }},
		{"another day in the evidence", []verify.Kind{verify.EvidenceDiffers}, func(t *artifacts.Task) { t.Record.MergedAt = "2026-02-06T00:00:00Z" }},
		{"only tests", []verify.Kind{verify.FilterNotMet, verify.Visibility}, func(t *artifacts.Task) { everywhere(t, "src/app.py", "tests/app.py") }},
		{"only documentation", []verify.Kind{verify.FilterNotMet, verify.Visibility}, func(t *artifacts.Task) {
			everywhere(t, "src/app.py", "docs/app.md")
			everywhere(t, "tests/test_app.py", "docs/test.md")
		}},
		{"another repository's name", []verify.Kind{verify.NamesDiffer}, func(t *artifacts.Task) { t.Record.RepoName = "other" }},
		{"another pull request's link", []verify.Kind{verify.NamesDiffer}, func(t *artifacts.Task) { t.Record.RepoCloneURL = "https://github.com/acme/other.git" }},
		{"a commit that is none", []verify.Kind{verify.NotJSON, verify.ManifestCount, verify.SelectedReleased, verify.SplitTasks, verify.SplitStrata, verify.FileOrphan}, func(t *artifacts.Task) {
			t.Record.BaseCommit = "main"
		}},
		{"truncated", []verify.Kind{verify.ContextTruncated}, func(t *artifacts.Task) { t.Contexts[1].WasTruncated = true }},
		{"tokens miscounted", []verify.Kind{verify.TokenCount}, func(t *artifacts.Task) { t.Contexts[1].TotalTokens++ }},
		{"over budget", []verify.Kind{verify.OverBudget}, func(t *artifacts.Task) { pad(&t.Contexts[0], strings.Repeat("word ", 2000)) }},
		{"layers out of order", []verify.Kind{verify.ContextLayers}, func(t *artifacts.Task) {
			replace(&t.Contexts[0], "Layer 1 - Key Changes Summary", "Layer 6 - Minimal Metadata", "Layer 6 - Minimal Metadata", "Layer 1 - Key Changes Summary")
		}},
		{"an empty layer", []verify.Kind{verify.HollowContext}, func(t *artifacts.Task) { replace(&t.Contexts[2], "- APP_MODE -> mode -> src/app.py:3", "") }},
		{"B adds nothing to A", []verify.Kind{verify.ConfigsAlike}, func(t *artifacts.Task) {
			t.Contexts[1].Rendered, t.Contexts[1].TotalTokens = t.Contexts[0].Rendered, t.Contexts[0].TotalTokens
		}},
		{"less of the diff in one context", []verify.Kind{verify.DiffsDiffer}, func(t *artifacts.Task) {
			replace(&t.Contexts[1], "## Layer 2 - Diff (Core)\n", "## Layer 2 - Diff (Core)\nAnd more.\n")
		}},
		{"a line called visible that is not shown", []verify.Kind{verify.Visibility}, func(t *artifacts.Task) {
			t.Evidence.Comments[0].VisibleIn = &[]string{"A"}
		}},
		{"another coverage", []verify.Kind{verify.Visibility}, func(t *artifacts.Task) { half := artifacts.Float(0.5); t.Evidence.Coverage = &half }},
		{"a diff of something else", []verify.Kind{verify.ContextDiff, verify.DiffsDiffer}, func(t *artifacts.Task) {
			replace(&t.Contexts[0], " MODE = \"a\"", "-MODE = \"a\"", "-1,3 +1,4", "-1,3 +1,3")
		}},
		{"a word changed in an added line of a context", []verify.Kind{verify.ContextDiff, verify.DiffsDiffer}, func(t *artifacts.Task) {
			replace(&t.Contexts[0], "+import sys", "+import os")
		}},
		{"a word changed in a deleted line of a context", []verify.Kind{verify.ContextDiff, verify.DiffsDiffer}, func(t *artifacts.Task) {
			replace(&t.Contexts[0], "-    return text", "-    yield text")
		}},
		{"a word changed in an unchanged line of a context", []verify.Kind{verify.ContextDiff, verify.DiffsDiffer}, func(t *artifacts.Task) {
			replace(&t.Contexts[0], " def parse(text):", " def parse(byte):")
		}},
		{"ground truth leaks", []verify.Kind{verify.LeakComment}, func(t *artifacts.Task) { pad(&t.Contexts[2], t.Annotation.Comments[0].Body) }},
		{"a score leaks", []verify.Kind{verify.LeakScore}, func(t *artifacts.Task) { pad(&t.Contexts[2], "RVS: 0.5") }},
		{"the difficulty leaks", []verify.Kind{verify.LeakDifficulty}, func(t *artifacts.Task) { pad(&t.Contexts[2], "difficulty=Type1_Direct") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tasks := artifactstest.Tasks()
			c.damage(tasks[0])
			expect(t, c.want, frozen(t, artifactstest.Dataset(tasks)))
		})
	}
}

// TestDamagedDataset damages what is beside the records.
func TestDamagedDataset(t *testing.T) {
	for _, c := range []struct {
		name   string
		want   []verify.Kind
		damage func(*freeze.Dataset)
	}{
		{"too many of one repository", []verify.Kind{verify.RepositoryCap}, func(d *freeze.Dataset) { d.Manifest.Parameters.MaxPerRepository = 1 }},
		{"a stage loses one", []verify.Kind{verify.FunnelSum, verify.FunnelChain}, func(d *freeze.Dataset) { d.Funnel.Stages[1].Pass-- }},
		{"a reason lost", []verify.Kind{verify.FunnelReasons, verify.FunnelDecisions}, func(d *freeze.Dataset) { d.Funnel.Stages[1].Reasons = map[string]int{} }},
		{"a reason by another name", []verify.Kind{verify.FunnelDecisions}, func(d *freeze.Dataset) { d.Funnel.Stages[1].Reasons = map[string]int{"other": 1} }},
		{"stages in another order", []verify.Kind{verify.FunnelChain}, func(d *freeze.Dataset) { slices.Reverse(d.Funnel.Stages[1:]) }},
		{"decided twice", []verify.Kind{verify.FunnelChain, verify.DecisionTwice}, func(d *freeze.Dataset) { d.Decisions = again(d, 3) }},
		{"selected and not released", []verify.Kind{verify.FunnelChain, verify.SelectedReleased}, func(d *freeze.Dataset) {
			n := 77
			d.Decisions = plus(d, artifacts.Decision{Kind: artifacts.KindPullRequest, Repo: "acme/widget", PRNumber: &n, Stage: "select", Outcome: artifacts.Selected})
		}},
		{"rejected without a reason", []verify.Kind{verify.FunnelChain, verify.FunnelDecisions, verify.DecisionReason}, func(d *freeze.Dataset) {
			n := 78
			d.Decisions = plus(d, artifacts.Decision{Kind: artifacts.KindPullRequest, Repo: "acme/widget", PRNumber: &n, Stage: "merged", Outcome: artifacts.Rejected})
		}},
		{"a repository not audited", []verify.Kind{verify.RepositoryAudit}, func(d *freeze.Dataset) { d.Repositories = d.Repositories[1:] }},
		{"RQS is not the sum", []verify.Kind{verify.RepositoryScore}, func(d *freeze.Dataset) { *d.Repositories[0].RQS = 90 }},
		{"a missing part not named", []verify.Kind{verify.RepositoryScore}, func(d *freeze.Dataset) { d.Repositories[1].Missing = []string{} }},
		{"a split of strangers", []verify.Kind{verify.SplitTasks, verify.SplitStrata}, func(d *freeze.Dataset) { d.Split.TaskIDs[0] = "other__1" }},
		{"a stratum miscounted", []verify.Kind{verify.SplitStrata}, func(d *freeze.Dataset) { d.Split.Strata[0].Available = 9 }},
		{"split miscounted", []verify.Kind{verify.SplitTasks}, func(d *freeze.Dataset) { d.Split.N = 100 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := artifactstest.Dataset(artifactstest.Tasks())
			c.damage(&d)
			expect(t, c.want, frozen(t, d))
		})
	}
}

// TestDamagedFiles damages the files of a frozen dataset.
func TestDamagedFiles(t *testing.T) {
	for _, c := range []struct {
		name   string
		want   []verify.Kind
		relist bool // bring the manifest up to date with the damage
		damage func(t *testing.T, dir string)
	}{
		{"another list of validated tasks", []verify.Kind{verify.NotCanonical, verify.ValidatedTasks, verify.ParquetDiffers}, true, func(t *testing.T, dir string) {
			write(t, dir, artifacts.FileValidated, `{"n":1,"minimum":2,"task_ids":["widget__1"]}`)
		}},
		{"a file gone", []verify.Kind{verify.FileMissing}, false, func(t *testing.T, dir string) { remove(t, dir, "evidence/widget__1.json") }},
		{"a raw file gone", []verify.Kind{verify.FileMissing}, false, func(t *testing.T, dir string) { remove(t, dir, "raw/acme+widget.jsonl.zst") }},
		{"another configuration", []verify.Kind{verify.ConfigChanged}, true, func(t *testing.T, dir string) { write(t, dir, "config.yaml", "version: 1\nrvs: {floor: 0.1}\n") }},
		{"a file too many", []verify.Kind{verify.FileExtra}, false, func(t *testing.T, dir string) { write(t, dir, "notes.txt", "hello") }},
		{"a hub's file in a folder", []verify.Kind{verify.FileExtra}, false, func(t *testing.T, dir string) { write(t, dir, "contexts/eval.yaml", "hello") }},
		{"a byte changed", []verify.Kind{verify.FileChanged}, false, func(t *testing.T, dir string) { edit(t, dir, "README.md", "Python", "python") }},
		{"a link instead of a file", []verify.Kind{verify.FileIrregular}, false, func(t *testing.T, dir string) {
			remove(t, dir, "README.md")
			if err := os.Symlink("/dev/null", filepath.Join(dir, "README.md")); err != nil {
				t.Fatal(err)
			}
		}},
		{"an annotation never listed", []verify.Kind{verify.FileUnlisted}, true, func(t *testing.T, dir string) { remove(t, dir, "annotations/widget__1_human.json") }},
		{"a context of nobody", []verify.Kind{verify.FileOrphan}, true, func(t *testing.T, dir string) { write(t, dir, "contexts/config_A/widget__9.json", "{}") }},
		{"a field too many", []verify.Kind{verify.NotJSON}, true, func(t *testing.T, dir string) {
			edit(t, dir, "annotations/widget__1_human.json", `"task_id"`, `"extra": 1, "task_id"`)
		}},
		{"another indentation", []verify.Kind{verify.NotCanonical}, true, func(t *testing.T, dir string) { edit(t, dir, "audit/funnel.json", "\n  ", "\n    ") }},
		{"fields in another order", []verify.Kind{verify.NotCanonical}, true, func(t *testing.T, dir string) {
			edit(t, dir, "contexts/config_A/widget__1.json", "  \"repo\": \"acme/widget\",\n  \"task_id\": \"widget__1\",", "  \"task_id\": \"widget__1\",\n  \"repo\": \"acme/widget\",")
		}},
		{"a whole number for a score", []verify.Kind{verify.NotCanonical, verify.CroissantDiffers}, true, func(t *testing.T, dir string) {
			edit(t, dir, "prs.jsonl", `"bug_fix_signal":1.0`, `"bug_fix_signal":1`)
		}},
		{"a record twice", []verify.Kind{verify.ManifestCount, verify.TaskTwice, verify.ParquetDiffers, verify.CroissantDiffers}, true, func(t *testing.T, dir string) {
			text := read(t, dir, "prs.jsonl")
			write(t, dir, "prs.jsonl", text+text[:strings.Index(text, "\n")+1])
		}},
		{"columns of another dataset", []verify.Kind{verify.ParquetDiffers, verify.CroissantDiffers}, true, func(t *testing.T, dir string) { edit(t, dir, "prs.jsonl", "fix: keep", "fix: lose") }},
		{"no columns at all", []verify.Kind{verify.ParquetDiffers, verify.CroissantDiffers}, true, func(t *testing.T, dir string) { write(t, dir, "parquet/prs.parquet", "PAR1 broken") }},
		{"a text that its table does not have", []verify.Kind{verify.ParquetDiffers}, true, func(t *testing.T, dir string) {
			edit(t, dir, "contexts/config_A/widget__1.json", "Review this change", "Praise this change")
		}},
		{"a comment's date that its table does not have", []verify.Kind{verify.ParquetDiffers}, true, func(t *testing.T, dir string) {
			edit(t, dir, "evidence/widget__1.json", "2026-02-03T05:45:06Z", "2026-02-03T05:45:07Z")
		}},
		{"the table of texts in place of the comments", []verify.Kind{verify.ParquetDiffers, verify.CroissantDiffers}, true, func(t *testing.T, dir string) {
			write(t, dir, "parquet/annotations.parquet", read(t, dir, "parquet/contexts.parquet"))
		}},
		{"no table of splits", []verify.Kind{verify.FileUnlisted, verify.CroissantDiffers}, true, func(t *testing.T, dir string) { remove(t, dir, "parquet/splits.parquet") }},
		{"croissant with an old digest", []verify.Kind{verify.CroissantDiffers}, true, func(t *testing.T, dir string) { edit(t, dir, "croissant.json", `"sha256": "`, `"sha256": "0`) }},
		{"croissant without a field", []verify.Kind{verify.CroissantDiffers}, true, func(t *testing.T, dir string) {
			edit(t, dir, "croissant.json", `"name": "diff_patch"`, `"name": "diff"`)
		}},
		{"rejections cut short", []verify.Kind{verify.RejectionsDiffer}, true, func(t *testing.T, dir string) {
			text := read(t, dir, "audit/rejections.jsonl")
			write(t, dir, "audit/rejections.jsonl", text[:strings.Index(text, "\n")+1])
		}},
		{"a raw shard cut short", []verify.Kind{verify.RawDamaged}, true, func(t *testing.T, dir string) {
			text := read(t, dir, "raw/acme+widget.jsonl.zst")
			write(t, dir, "raw/acme+widget.jsonl.zst", text[:len(text)-6])
		}},
		{"an empty folder", []verify.Kind{verify.FolderEmpty}, false, func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "contexts", "config_D"), 0o755); err != nil {
				t.Fatal(err)
			}
		}},
		{"the manifest lost its date", []verify.Kind{verify.NotJSON}, false, func(t *testing.T, dir string) { edit(t, dir, "manifest.json", "2026-04-15", "") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := frozen(t, artifactstest.Dataset(artifactstest.Tasks()))
			c.damage(t, dir)
			if c.relist {
				relist(t, dir)
			}
			expect(t, c.want, dir)
		})
	}
}

func expect(t *testing.T, want []verify.Kind, dir string) {
	t.Helper()
	got, text := run(t, dir)
	if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("got %v, want %v\n%s", got, want, text)
	}
}

func frozen(t *testing.T, d freeze.Dataset) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dataset")
	if err := freeze.Freeze(t.Context(), dir, d); err != nil {
		t.Fatal(err)
	}
	return dir
}

// relist writes the manifest again from the files that are there.
func relist(t *testing.T, dir string) {
	t.Helper()
	m, err := load.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.Files = map[string]artifacts.FileInfo{}
	err = filepath.WalkDir(dir, func(full string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || full == filepath.Join(dir, artifacts.FileManifest) {
			return err
		}
		b, err := os.ReadFile(full)
		sum := sha256.Sum256(b)
		rel, _ := filepath.Rel(dir, full)
		m.Files[filepath.ToSlash(rel)] = artifacts.FileInfo{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(b))}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := artifacts.Canonical(m)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, artifacts.FileManifest, string(b))
}

func read(t *testing.T, dir, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, dir, path, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func edit(t *testing.T, dir, path, old, new string) {
	t.Helper()
	text := read(t, dir, path)
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", path, old)
	}
	write(t, dir, path, strings.Replace(text, old, new, 1))
}

func remove(t *testing.T, dir, path string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, path)); err != nil {
		t.Fatal(err)
	}
}

// TestSecretIsAWarning proves that what looks like a credential is reported by
// kind and place, never by value, and makes no dataset wrong.
func TestSecretIsAWarning(t *testing.T) {
	secret := "gh" + "p_" + strings.Repeat("aB3x", 9)
	tasks := artifactstest.Tasks()
	rewrite(tasks[0], tasks[0].Annotation.Comments[0].Body+" See "+secret+"\x1b[31m")
	r, err := verify.Dataset(t.Context(), frozen(t, artifactstest.Dataset(tasks)), options())
	if err != nil {
		t.Fatal(err)
	}
	text, err := artifacts.Canonical(r)
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK() || len(r.Warnings) != 1 || r.Warnings[0].Count != 3 || r.Warnings[0].Example != "github-token in prs.jsonl:1" {
		t.Errorf("%s", text)
	}
	if bytes.Contains(text, []byte(secret)) {
		t.Error("the report repeats the value")
	}
}

// TestHonestCopies verifies copies as people have them: behind a symbolic link,
// cloned, in a hub's cache, looked at on a desktop.
func TestHonestCopies(t *testing.T) {
	dir := frozen(t, artifactstest.Dataset(artifactstest.Tasks()))
	for _, path := range []string{".git/HEAD", ".cache/huggingface/x.lock", ".gitattributes", ".DS_Store", "contexts/.DS_Store", "eval.yaml", "eval_results/oracle.yaml"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, dir, path, "x")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{dir, link} {
		r, err := verify.Dataset(t.Context(), at, options())
		if err != nil || !r.OK() || len(r.Warnings) != 1 || r.Warnings[0].Kind != verify.FileForeign || r.Warnings[0].Count != 7 {
			t.Errorf("%s: %+v, %v", at, r, err)
		}
	}
}

// TestHubCache verifies a snapshot in a hub's cache, whose files are links to
// blobs, and links that lead elsewhere.
func TestHubCache(t *testing.T) {
	dataset := frozen(t, artifactstest.Dataset(artifactstest.Tasks()))
	digest := strings.Repeat("a", 64)
	outside := filepath.Join(t.TempDir(), digest)
	readme, err := os.ReadFile(filepath.Join(dataset, artifacts.FileCard))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(outside, readme, 0o644); err != nil {
		t.Fatal(err)
	}
	link := func(target string) func(*testing.T, string) {
		return func(t *testing.T, readme string) {
			if err := errors.Join(os.Remove(readme), os.Symlink(target, readme)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tc := range map[string]struct {
		damage func(t *testing.T, readme string)
		want   []verify.Kind
	}{
		"intact":             {func(*testing.T, string) {}, nil},
		"/etc/passwd":        {link("/etc/passwd"), []verify.Kind{verify.FileIrregular}},
		"same bytes outside": {link(outside), []verify.Kind{verify.FileIrregular}},
		"no blob":            {link("../../blobs/" + digest), []verify.Kind{verify.FileIrregular}},
		"the blobs":          {link("../../blobs"), []verify.Kind{verify.FileIrregular}},
		"another snapshot":   {link("../other/" + digest), []verify.Kind{verify.FileIrregular}},
		"no digest": {func(t *testing.T, readme string) {
			write(t, filepath.Dir(readme), "../../blobs/README.md", "x")
			link("../../blobs/README.md")(t, readme)
		}, []verify.Kind{verify.FileIrregular}},
		"a blob that is a link": {func(t *testing.T, readme string) {
			if err := os.Symlink(outside, filepath.Join(filepath.Dir(readme), "../../blobs", digest)); err != nil {
				t.Fatal(err)
			}
			link("../../blobs/"+digest)(t, readme)
		}, []verify.Kind{verify.FileIrregular}},
		"other bytes": {func(t *testing.T, readme string) {
			if err := os.WriteFile(readme, []byte("x"), 0o644); err != nil { // through the link
				t.Fatal(err)
			}
		}, []verify.Kind{verify.FileChanged}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := artifactstest.HubCache(dataset, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			tc.damage(t, filepath.Join(dir, artifacts.FileCard))
			kinds, text := run(t, dir)
			for _, want := range tc.want {
				if !slices.Contains(kinds, want) {
					t.Errorf("want %s: %s", want, text)
				}
			}
			if tc.want == nil && len(kinds) > 0 {
				t.Error(text)
			}
		})
	}
}

// TestSkipped proves that a rule that is unavailable is said to be skipped.
func TestSkipped(t *testing.T) {
	r, err := verify.Dataset(t.Context(), frozen(t, artifactstest.Dataset(artifactstest.Tasks())), verify.Options{})
	if err != nil || !r.OK() || len(r.Skipped) != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestRejections_LineOfTheFirstDifference: the fault says where to look.
func TestRejections_LineOfTheFirstDifference(t *testing.T) {
	dir := frozen(t, artifactstest.Dataset(artifactstest.Tasks()))
	text := read(t, dir, "audit/rejections.jsonl")
	write(t, dir, "audit/rejections.jsonl", text[:strings.Index(text, "\n")+1])
	relist(t, dir)
	if _, faults := run(t, dir); !strings.Contains(faults, "audit/rejections.jsonl:2 of 1, 2 rejected decisions") {
		t.Error(faults)
	}
}
