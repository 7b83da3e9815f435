package stages

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/run/runtest"
)

type modelSplit = model.Split

const (
	one      = "tidelog__61"
	two      = "tidelog__63"
	oneNote  = "annotations/tidelog__61_human.json"
	oneProof = "evidence/tidelog__61.json"
	oneText  = "contexts/config_A/tidelog__61.json"
	rawTide  = "quayside+tidelog"
)

// fileDamages are to the files of a dataset. Unlisted leaves the manifest as it
// was.
var fileDamages = []struct {
	name     string
	want     verify.Kind
	unlisted bool
	damage   func(*runtest.Copy)
}{
	// Of the list of files.
	{"a file is gone", verify.FileMissing, true, func(c *runtest.Copy) { c.Remove(oneProof) }},
	{"a byte is changed", verify.FileChanged, true, func(c *runtest.Copy) { c.Edit("README.md", "pull requests", "pull Requests") }},
	{"a file too many", verify.FileExtra, true, func(c *runtest.Copy) { c.Write("notes.txt", "hello") }},
	{"a file too many, listed", verify.FileUnknown, false, func(c *runtest.Copy) { c.Write("notes.txt", "hello") }},
	{"a table too many, listed", verify.FileUnknown, false, func(c *runtest.Copy) { c.Write("parquet/more.parquet", "PAR1") }},
	{"a raw file of no repository, listed", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.Write("raw/other+one.jsonl.zst", c.Read("raw/solodev+scratchpad.jsonl.zst"))
	}},
	{"an empty folder", verify.FolderEmpty, false, func(c *runtest.Copy) { c.Must(os.Mkdir(c.At("contexts/config_D"), 0o755)) }},
	{"a link in place of a file", verify.FileIrregular, true, func(c *runtest.Copy) {
		c.Remove("README.md")
		c.Must(os.Symlink("/dev/null", c.At("README.md")))
	}},
	{"a link in place of a folder", refused, true, func(c *runtest.Copy) {
		c.Must(os.Rename(c.At("evals"), c.Dir+"-evals"))
		c.Must(os.Symlink(c.Dir+"-evals", c.At("evals")))
	}},
	{"a context of no record", verify.FileOrphan, false, func(c *runtest.Copy) { c.Write("contexts/config_A/tidelog__9.json", c.Read(oneText)) }},

	// Files that are gone and that the manifest no longer knows.
	{"no card", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Remove("README.md") }},
	{"no license", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Remove("LICENSE.md") }},
	{"a schema is gone", verify.SchemaDiffers, false, func(c *runtest.Copy) { c.Remove("schemas/record.json") }},
	{"another schema", verify.SchemaDiffers, false, func(c *runtest.Copy) { c.Edit("schemas/record.json", `"minimum": 1`, `"minimum": 0`) }},
	{"a schema too many", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Write("schemas/more.json", "{}") }},
	{"no metadata", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("croissant.json") }},
	{"no configuration", verify.ConfigChanged, false, func(c *runtest.Copy) { c.Remove("config.yaml") }},
	{"no records", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("prs.jsonl") }},
	{"no split", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("evals/eval_100.json") }},
	{"no list of validated tasks", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("evals/validated.json") }},
	{"no funnel", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("audit/funnel.json") }},
	{"no decisions", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("audit/decisions.jsonl") }},
	{"no rejections", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("audit/rejections.jsonl") }},
	{"no repositories", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("audit/repositories.jsonl") }},
	{"no annotation", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove(oneNote) }},
	{"no evidence", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove(oneProof) }},
	{"no context A", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove(oneText) }},
	{"no context C", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("contexts/config_C/tidelog__61.json") }},
	{"no table of records", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("parquet/prs.parquet") }},
	{"no table of comments", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("parquet/annotations.parquet") }},
	{"no table of contexts", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("parquet/contexts.parquet") }},
	{"no table of splits", verify.FileUnlisted, false, func(c *runtest.Copy) { c.Remove("parquet/splits.parquet") }},
	{"no raw records", verify.RawMissing, false, func(c *runtest.Copy) { c.Remove("raw/quayside+tidelog.jsonl.zst") }},
	{"no raw records of a repository without records", verify.RawMissing, false, func(c *runtest.Copy) { c.Remove("raw/solodev+scratchpad.jsonl.zst") }},

	// Of the form.
	{"records with CRLF", verify.NotCanonical, false, func(c *runtest.Copy) { c.Write("prs.jsonl", strings.ReplaceAll(c.Read("prs.jsonl"), "\n", "\r\n")) }},
	{"decisions with CRLF", verify.NotCanonical, false, func(c *runtest.Copy) {
		c.Write("audit/decisions.jsonl", strings.ReplaceAll(c.Read("audit/decisions.jsonl"), "\n", "\r\n"))
	}},
	{"an annotation with CRLF", verify.NotCanonical, false, func(c *runtest.Copy) { c.Write(oneNote, strings.ReplaceAll(c.Read(oneNote), "\n", "\r\n")) }},
	{"a card with CRLF", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Write("README.md", strings.ReplaceAll(c.Read("README.md"), "\n", "\r\n")) }},
	{"metadata with CRLF", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.Write("croissant.json", strings.ReplaceAll(c.Read("croissant.json"), "\n", "\r\n"))
	}},
	{"a blank line between records", verify.NotCanonical, false, func(c *runtest.Copy) { c.Edit("prs.jsonl", "\n", "\n\n") }},
	{"no line feed at the end of the rejections", verify.NotCanonical, false, func(c *runtest.Copy) {
		c.Write("audit/rejections.jsonl", strings.TrimSuffix(c.Read("audit/rejections.jsonl"), "\n"))
	}},
	{"a byte order mark", verify.NotJSON, false, func(c *runtest.Copy) { c.Write(oneProof, "\ufeff"+c.Read(oneProof)) }},
	{"a key twice", verify.NotCanonical, false, func(c *runtest.Copy) { c.Edit(oneNote, `"task_id"`, `"pr_number": 61, "task_id"`) }},
	{"a field that no schema has", verify.NotJSON, false, func(c *runtest.Copy) { c.Edit(oneNote, `"task_id"`, `"extra": 1, "task_id"`) }},
	{"another indentation", verify.NotCanonical, false, func(c *runtest.Copy) { c.Edit("audit/funnel.json", "\n  ", "\n    ") }},
	{"half a file", verify.NotJSON, false, func(c *runtest.Copy) { text := c.Read(oneProof); c.Write(oneProof, text[:len(text)/2]) }},
	{"null for a file", verify.NotJSON, false, func(c *runtest.Copy) { c.Write("evals/eval_100.json", "null\n") }},
	{"a deep nest", verify.NotJSON, false, func(c *runtest.Copy) { c.Write(oneText, strings.Repeat("[", 1_000_000)) }},
	{"a comment in the configuration", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Write("config.yaml", "# mine\n"+c.Read("config.yaml")) }},

	// Of records and tasks, with the tables as they were.
	{"a record twice", verify.TaskTwice, false, func(c *runtest.Copy) {
		runtest.ChangeLines(c, "prs.jsonl", func(l []*artifacts.Record) []*artifacts.Record { return append(l, l[0]) })
	}},
	{"records in another order", verify.ParquetDiffers, false, func(c *runtest.Copy) {
		runtest.ChangeLines(c, "prs.jsonl", func(l []*artifacts.Record) []*artifacts.Record { slices.Reverse(l); return l })
	}},
	{"two annotations exchanged", verify.NamesDiffer, false, func(c *runtest.Copy) { c.Swap(oneNote, "annotations/tidelog__63_human.json") }},
	{"two contexts exchanged", verify.NamesDiffer, false, func(c *runtest.Copy) { c.Swap(oneText, "contexts/config_A/tidelog__63.json") }},
	{"context A in place of C", verify.NamesDiffer, false, func(c *runtest.Copy) { c.Write("contexts/config_C/tidelog__61.json", c.Read(oneText)) }},
	{"two tables exchanged", verify.ParquetDiffers, false, func(c *runtest.Copy) { c.Swap("parquet/contexts.parquet", "parquet/splits.parquet") }},
	{"half a table", verify.ParquetDiffers, false, func(c *runtest.Copy) {
		text := c.Read("parquet/prs.parquet")
		c.Write("parquet/prs.parquet", text[:len(text)/2])
	}},

	// Of the configuration, with its digest fixed.
	{"configuration: another floor", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("config.yaml", "floor: 0.35", "floor: 0.34") }},
	{"configuration: another seed", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("config.yaml", "seed: 1", "seed: 2") }},
	{"configuration: fewer words", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("config.yaml", "min_words: 10", "min_words: 3") }},
	{"configuration: a repository less", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("config.yaml", "- solodev/scratchpad\n", "") }},
	{"configuration: another day", verify.NotRebuilt, false, func(c *runtest.Copy) { c.Edit("config.yaml", "2026-04-15", "2026-04-14") }},
	{"configuration: a list in a file", verify.NotRebuilt, false, func(c *runtest.Copy) {
		text := c.Read("config.yaml")
		from, to := strings.Index(text, "repositories:"), strings.Index(text, "window:")
		c.Write("config.yaml", text[:from]+"repositories: /etc/passwd\n"+text[to:])
	}},
	{"configuration: one to collect by", verify.NotRebuilt, false, func(c *runtest.Copy) { c.Edit("config.yaml", "frozen: true", "frozen: false") }},

	// Of card and metadata.
	{"card: another count", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("README.md", "4 pull requests", "350 pull requests") }},
	{"another license", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("LICENSE.md", "BSD-3-Clause", "MIT") }},
	{"metadata: another description", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("croissant.json", "Merged GitHub pull requests", "Every pull request") }},
	{"metadata: another creator", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("croissant.json", "not named", "Somebody") }},
	{"metadata: another license", verify.RebuiltDiffers, false, func(c *runtest.Copy) { c.Edit("croissant.json", `"license": "`, `"license": "x`) }},
	{"metadata: a field less", verify.CroissantDiffers, false, func(c *runtest.Copy) { c.Edit("croissant.json", `"name": "diff_patch"`, `"name": "diff"`) }},
	{"metadata: another digest", verify.CroissantDiffers, false, func(c *runtest.Copy) { c.Edit("croissant.json", `"sha256": "`, `"sha256": "0`) }},

	// Of the audit.
	{"audit: rejections cut short", verify.RejectionsDiffer, false, func(c *runtest.Copy) {
		runtest.ChangeLines(c, "audit/rejections.jsonl", func(l []*artifacts.Rejection) []*artifacts.Rejection { return l[1:] })
	}},
	{"audit: a verdict of a rejection", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		runtest.ChangeLines(c, "audit/rejections.jsonl", func(l []*artifacts.Rejection) []*artifacts.Rejection {
			l[len(l)-1].Verdicts[0].Detail = "made up"
			return l
		})
	}},

	// Of the raw records, each with a true SHA-256.
	{"raw: files of two repositories exchanged", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.Swap("raw/quayside+tidelog.jsonl.zst", "raw/solodev+scratchpad.jsonl.zst")
	}},
	{"raw: the last five lines cut", verify.NotRebuilt, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine { return l[:len(l)-5] })
	}},
	{"raw: the file cut", verify.RawDamaged, false, func(c *runtest.Copy) {
		text := c.Read("raw/quayside+tidelog.jsonl.zst")
		c.Write("raw/quayside+tidelog.jsonl.zst", text[:len(text)-6])
	}},
	{"raw: no compression at all", verify.RawDamaged, false, func(c *runtest.Copy) { c.Write("raw/quayside+tidelog.jsonl.zst", "{}\n") }},
	{"raw: a line twice", verify.RawDamaged, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine { return append(l, l[0]) })
	}},
	{"raw: lines in another order", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine { slices.Reverse(l); return l })
	}},
	{"raw: an unknown kind", verify.RawDamaged, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine { l[0].Kind = "rootkit"; return l })
	}},
	{"raw: a newer schema", verify.RawDamaged, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine { l[0].Schema = 99; return l })
	}},
	{"raw: a content without its hash", verify.RawDamaged, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine { l[0].Data = json.RawMessage("{}"); return l })
	}},
	{"raw: a file of another git id", verify.RawDamaged, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine {
			i := slices.IndexFunc(l, func(x runtest.RawLine) bool { return x.Kind == "blob" })
			other := "x"
			l[i].Text, l[i].SHA256 = &other, "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
			return l
		})
	}},
	{"raw: a file less", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine {
			i := slices.IndexFunc(l, func(x runtest.RawLine) bool { return x.Kind == "blob" })
			return slices.Delete(l, i, i+1)
		})
	}},
	{"raw: a pull request less", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.Raw(rawTide, func(l []runtest.RawLine) []runtest.RawLine {
			return slices.DeleteFunc(l, func(x runtest.RawLine) bool { return x.Kind == "pull" && x.Key == "72" })
		})
	}},
	{"raw: another title of a released pull request", verify.TextAsReviewed, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "pull", "61", func(p map[string]any) { p["title"] = "another title" })
	}},
	{"raw: another description of a released pull request", verify.TextAsReviewed, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "pull", "61", func(p map[string]any) { p["body"] = "another description" })
	}},
	{"raw: another author of a released pull request", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "pull", "61", func(p map[string]any) { p["author"].(map[string]any)["login"] = "somebody" })
	}},
	{"raw: another day of merging", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "pull", "61", func(p map[string]any) { p["merged_at"] = "2026-02-02T09:00:00Z" })
	}},
	{"raw: another state of a rejected pull request", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "pull", "73", func(p map[string]any) { p["state"] = "MERGED" })
	}},
	{"raw: no conversation in a rejected pull request", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "pull", "72", func(p map[string]any) { p["threads"] = []any{} })
	}},
	{"raw: a thread that is resolved", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "pull", "61", func(p map[string]any) {
			th := p["threads"].([]any)[0].(map[string]any)
			th["is_resolved"] = th["is_resolved"] != true
		})
	}},
	{"raw: another license of the repository", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "repository", "", func(p map[string]any) { p["spdx"] = "MIT" })
	}},
	{"raw: more stars", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "repository", "", func(p map[string]any) { p["stars"] = 100_000 })
	}},
	{"raw: another diff", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "diff", "61@", func(p map[string]any) {
			p["text"] = strings.Replace(p["text"].(string), "\n+", "\n+ ", 1)
		})
	}},
	{"raw: another fork point", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "base", "61@", func(p map[string]any) { p["fork_point"] = strings.Repeat("a", 40) })
	}},
	{"raw: fewer pull requests in the census", verify.RebuiltDiffers, false, func(c *runtest.Copy) {
		c.RawRecord(rawTide, "census", "", func(p map[string]any) { p["pulls"] = p["pulls"].([]any)[1:] })
	}},
}

// refrozenDamages are lies that the whole dataset was frozen with again. Contexts
// says that they are found when the contexts are built again, too.
var refrozenDamages = []struct {
	name     string
	want     verify.Kind
	contexts bool
	damage   func(*whole)
}{
	{"record: another title", verify.TextAsReviewed, false, func(w *whole) { w.task(one).Record.Title = "another" }},
	{"record: another description", verify.TextAsReviewed, false, func(w *whole) { w.task(one).Record.Description += "!" }},
	{"record: another language", verify.EvidenceDiffers, false, func(w *whole) { w.task(one).Record.Language = "Go" }},
	{"record and evidence: another language", verify.RebuiltDiffers, false, func(w *whole) {
		w.task(one).Record.Language, w.task(one).Evidence.Language = "Go", "Go"
	}},
	{"record and evidence: another type", verify.RebuiltDiffers, false, func(w *whole) {
		w.task(one).Record.PRType, w.task(one).Evidence.PRType.Value = "refactor", "refactor"
	}},
	{"record: another difficulty", verify.DifficultyWrong, false, func(w *whole) { w.task(one).Record.Difficulty = model.Type3 }},
	{"record: another score", verify.ScoreSum, false, func(w *whole) { w.task(one).Record.RVSScore = 0.9 }},
	{"record: another part of the score", verify.ScoreRounding, false, func(w *whole) { w.task(one).Record.RVSBreakdown.ReviewDepth = 0.601 }},
	{"record: more lines", verify.LineCounts, false, func(w *whole) { w.task(one).Record.LinesAdded++ }},
	{"record: more files", verify.ChangedFiles, false, func(w *whole) { w.task(one).Record.FilesChanged++ }},
	{"record: another file", verify.ChangedFiles, false, func(w *whole) { w.task(one).Record.ChangedFiles[0] = "other.js" }},
	{"record and evidence: merged on another day", verify.RebuiltDiffers, false, func(w *whole) {
		day := "2026-02-02T09:00:00Z"
		w.task(one).Record.MergedAt, w.task(one).Evidence.MergedAt = day, &day
	}},
	{"record: another base", verify.RebuiltDiffers, false, func(w *whole) { w.task(one).Record.BaseCommit = strings.Repeat("a", 40) }},
	{"record: another head", verify.RebuiltDiffers, false, func(w *whole) { w.task(one).Record.HeadCommit = strings.Repeat("b", 40) }},
	{"record: another repository's link", verify.NamesDiffer, false, func(w *whole) { w.task(one).Record.RepoURL += "x" }},
	{"record: one more reviewer", verify.ScoreCounts, false, func(w *whole) { w.task(one).Record.NumUniqueReviewers++ }},
	{"record and annotation: changes were not requested", verify.RebuiltDiffers, false, func(w *whole) {
		t := w.task(one)
		t.Record.HasRequestedChanges, t.Annotation.HasRequestedChanges = !t.Record.HasRequestedChanges, !t.Record.HasRequestedChanges
	}},
	{"record: one more text of an AI", verify.RemovedCount, false, func(w *whole) { w.task(one).Record.AICommentsRemoved++ }},
	{"record: a human comment less", verify.HumanComments, false, func(w *whole) {
		r := &w.task(one).Record
		r.HumanReviewComments = r.HumanReviewComments[1:]
	}},
	{"record: a line of the diff", verify.ContextDiff, false, func(w *whole) {
		r := &w.task(one).Record
		r.DiffPatch = strings.Replace(r.DiffPatch, "\n ", "\n  ", 1)
	}},
	{"record: no release", verify.SelectedReleased, false, func(w *whole) { w.tasks = w.tasks[1:] }},

	{"annotation: another word", verify.EvidenceDiffers, false, func(w *whole) { w.task(one).Annotation.Comments[0].Body += " indeed" }},
	{"annotation: another line", verify.EvidenceDiffers, false, func(w *whole) { *w.task(one).Annotation.Comments[0].Line++ }},
	{"annotation: a comment less", verify.CountMismatch, false, func(w *whole) {
		a := &w.task(one).Annotation
		a.Comments = a.Comments[1:]
	}},
	{"annotation: resolved", verify.ThreadResolved, false, func(w *whole) {
		resolved := !*w.task(one).Annotation.Comments[0].ThreadResolved
		w.task(one).Annotation.Comments[0].ThreadResolved = &resolved
	}},
	{"annotation and evidence: resolved", verify.RebuiltDiffers, false, func(w *whole) {
		t := w.task(one)
		resolved := !*t.Annotation.Comments[0].ThreadResolved
		t.Annotation.Comments[0].ThreadResolved = &resolved
		for i := range t.Annotation.RequestedChanges {
			if t.Annotation.RequestedChanges[i].CommentID == "c_1" {
				t.Annotation.RequestedChanges[i].ThreadResolved = &resolved
			}
		}
		w.truth(one).Resolved = resolved
	}},
	{"annotation and evidence: a severity made up", verify.RebuiltDiffers, false, func(w *whole) {
		critical, t := "critical", w.task(one)
		t.Annotation.HasSeverityAnnotations = true
		t.Annotation.Comments[0].Severity = &critical
		for i := range t.Annotation.RequestedChanges {
			if t.Annotation.RequestedChanges[i].CommentID == "c_1" {
				t.Annotation.RequestedChanges[i].Severity = &critical
			}
		}
		w.truth(one).Severity = &critical
	}},
	{"annotation: another reviewer", verify.EvidenceDiffers, false, func(w *whole) { w.task(one).Annotation.Comments[0].Reviewer = "nobody" }},

	{"annotation and evidence: a comment on another place", verify.StandsAtRevision, false, func(w *whole) {
		moved := strings.Replace(w.truth(one).DiffHunk, "@@ -", "@@ -1", 1)
		t := w.task(one)
		w.truth(one).DiffHunk, t.Annotation.Comments[0].DiffHunk = moved, moved
		for i := range t.Annotation.RequestedChanges {
			if t.Annotation.RequestedChanges[i].CommentID == "c_1" {
				t.Annotation.RequestedChanges[i].DiffHunk = moved
			}
		}
	}},
	{"evidence: a comment of another record", verify.CommentTwice, false, func(w *whole) { w.truth(two).DatabaseID = w.truth(one).DatabaseID }},
	{"evidence: what a rule found", verify.RebuiltDiffers, false, func(w *whole) { w.truth(one).Rules[0].Evidence = "made up" }},
	{"evidence: another reason", verify.RebuiltDiffers, false, func(w *whole) {
		reason := "too_few_words"
		if *w.dropped().Reason == reason {
			reason = "bot"
		}
		w.dropped().Reason = &reason
	}},
	{"evidence: no reason", verify.ReasonMissing, false, func(w *whole) { w.dropped().Reason = nil }},
	{"evidence: a comment on another day", verify.TextAsReviewed, false, func(w *whole) { w.truth(one).CreatedAt = "2026-01-26T09:00:01Z" }},
	{"evidence: a comment that was edited", verify.RebuiltDiffers, false, func(w *whole) {
		edited := "2026-01-29T09:00:00Z"
		w.truth(one).EditedAt = &edited
	}},
	{"evidence: a dropped comment's text", verify.HumanComments, false, func(w *whole) { w.dropped().Body += " indeed" }},
	{"evidence: an account is a bot", verify.BotComment, false, func(w *whole) { w.truth(one).Class = model.ClassBot }},
	{"evidence: another account", verify.EvidenceDiffers, false, func(w *whole) { w.truth(one).Author = "nobody" }},
	{"evidence: another license", verify.RebuiltDiffers, false, func(w *whole) {
		mit := "MIT"
		w.task(one).Evidence.License.SPDX = &mit
	}},
	{"evidence: another attribution", verify.RebuiltDiffers, false, func(w *whole) { w.task(one).Evidence.Attribution = "by nobody" }},
	{"evidence: a verdict less", verify.RebuiltDiffers, false, func(w *whole) {
		e := &w.task(one).Evidence
		e.Verdicts = e.Verdicts[1:]
	}},
	{"evidence: a verdict that did not pass", verify.NotPassed, false, func(w *whole) { w.task(one).Evidence.Verdicts[2].Outcome = "reject" }},
	{"evidence: a verdict's numbers", verify.RebuiltDiffers, false, func(w *whole) {
		for i, v := range w.task(one).Evidence.Verdicts {
			if len(v.Evidence) > 0 {
				w.task(one).Evidence.Verdicts[i].Evidence[0].Found = "99"
				return
			}
		}
	}},
	{"evidence: another anchor", verify.RebuiltDiffers, false, func(w *whole) { w.truth(one).AnchorNote = "made up" }},
	{"evidence: not on a changed line", verify.IsInDiff, false, func(w *whole) { w.truth(one).IsInDiff = !w.truth(one).IsInDiff }},
	{"evidence: another state of the code", verify.CodeStates, false, func(w *whole) {
		state := model.CodeStates()[0]
		if *w.truth(one).CodeState == state {
			state = model.CodeStates()[len(model.CodeStates())-1]
		}
		w.truth(one).CodeState = &state
	}},
	{"evidence: another distance", verify.RebuiltDiffers, false, func(w *whole) {
		far := 77
		w.truth(one).Distance = &far
	}},
	{"evidence: seen in fewer contexts", verify.Visibility, false, func(w *whole) { w.truth(one).VisibleIn = &[]string{} }},
	{"evidence: another coverage", verify.Visibility, false, func(w *whole) {
		none := artifacts.Float(0.123)
		w.task(one).Evidence.Coverage = &none
	}},
	{"evidence: another input of the score", verify.ScoreInputs, false, func(w *whole) { w.task(one).Evidence.Scores.Inputs.Threads++ }},
	{"evidence: a class of difficulty", verify.DifficultyWrong, false, func(w *whole) {
		e := &w.task(one).Evidence
		class := e.Difficulty.Comments["c_1"]
		class.Class = model.Latent
		e.Difficulty.Comments["c_1"] = class
	}},
	{"evidence: why a comment is so hard", verify.RebuiltDiffers, false, func(w *whole) {
		e := &w.task(one).Evidence
		class := e.Difficulty.Comments["c_1"]
		class.Because = "made up"
		e.Difficulty.Comments["c_1"] = class
	}},
	{"evidence: it takes back another", verify.RebuiltDiffers, false, func(w *whole) { w.task(one).Evidence.Reverts = []string{"quayside/tidelog#1"} }},
	{"evidence: more commits were reviewed", verify.RebuiltDiffers, false, func(w *whole) { w.task(one).Evidence.Revision.Candidates++ }},
	{"evidence: the description of another day", verify.TextAsReviewed, false, func(w *whole) {
		day := "2026-01-20T00:00:00Z"
		w.task(one).Evidence.Revision.DescriptionAsOf = &day
	}},
	{"evidence: a comment less", verify.HumanComments, false, func(w *whole) {
		e := &w.task("tidelog__67").Evidence
		i := slices.IndexFunc(e.Comments, func(k artifacts.EvidenceComment) bool { return !k.GroundTruth && k.Class == model.ClassBot })
		if i < 0 {
			i = slices.IndexFunc(e.Comments, func(k artifacts.EvidenceComment) bool { return !k.GroundTruth })
		}
		e.Comments = slices.Delete(e.Comments, i, i+1)
	}},
	{"evidence: nothing was left out of a layer", verify.RebuiltDiffers, true, func(w *whole) { w.task(one).Evidence.Contexts[2].Layers[2].Fragments += 5 }},

	{"context: more tokens", verify.TokenCount, false, func(w *whole) { w.task(one).Contexts[0].TotalTokens++ }},
	{"context: cut", verify.ContextTruncated, false, func(w *whole) { w.task(one).Contexts[0].WasTruncated = true }},
	{"context: a layer less", verify.DiffsDiffer, false, func(w *whole) { w.text(one, 2, "## Layer 3 - Execution Context", "Execution Context") }},
	{"context: a line of the diff", verify.ContextDiff, false, func(w *whole) { w.text(one, 0, "\n+", "\n+ ") }},
	{"context: another task", verify.RebuiltDiffers, true, func(w *whole) { w.text(one, 0, "Review", "Praise!") }},
	{"context: the score", verify.LeakScore, false, func(w *whole) { w.text(one, 0, "\n## Layer 6", "\nrvs_score: 0.587\n\n## Layer 6") }},
	{"context: the ground truth", verify.LeakComment, false, func(w *whole) {
		w.text(one, 2, "\n## Layer 6", "\n"+w.task(one).Annotation.Comments[0].Body+"\n\n## Layer 6")
	}},
	{"context: code of a layer", verify.RebuiltDiffers, true, func(w *whole) {
		x := &w.task(one).Contexts[2]
		i := strings.Index(x.Rendered, "## Layer 3")
		x.Rendered = x.Rendered[:i] + strings.Replace(x.Rendered[i:], "return", "yield", 1)
		w.recount(x)
	}},

	{"decision: another count", verify.RebuiltDiffers, false, func(w *whole) {
		d := w.line(72)
		d.Detail = strings.Replace(d.Detail, "0 of", "1 of", 1)
	}},
	{"decision: another limit", verify.RebuiltDiffers, false, func(w *whole) { w.line(69).Evidence[0].Limit = "0.31" }},
	{"decision: another code", verify.FunnelDecisions, false, func(w *whole) { w.line(72).Code = "ai_dominated" }},
	{"decision and funnel: another code", verify.RebuiltDiffers, false, func(w *whole) {
		d := w.line(72)
		for i, s := range w.Funnel.Stages {
			if s.Stage == d.Stage {
				w.Funnel.Stages[i].Reasons = map[string]int{"not_merged": s.Reject}
			}
		}
		for i := range w.lines {
			if w.lines[i].Stage == d.Stage {
				w.lines[i].Code = "not_merged"
			}
		}
	}},
	{"decision: one less", verify.FunnelDecisions, false, func(w *whole) {
		w.lines = slices.DeleteFunc(w.lines, func(l artifacts.Rejection) bool { return l.PRNumber != nil && *l.PRNumber == 72 })
	}},
	{"decision: one twice", verify.DecisionTwice, false, func(w *whole) { w.lines = append(w.lines, w.lines[1]) }},
	{"funnel: more came in", verify.FunnelSum, false, func(w *whole) { w.Funnel.Stages[0].In++ }},
	{"repository: another score", verify.RepositoryScore, false, func(w *whole) { *w.Repositories[0].RQS += 9 }},
	{"repository: another part and score", verify.RebuiltDiffers, false, func(w *whole) {
		*w.Repositories[0].Parts[1].Points += 1
		*w.Repositories[0].RQS += 1
		*w.Repositories[0].Best += 1
	}},
	{"repository: more stars", verify.RebuiltDiffers, false, func(w *whole) { w.Repositories[0].Stars++ }},
	{"repository: copyleft", verify.RebuiltDiffers, false, func(w *whole) { w.Repositories[0].Copyleft = !w.Repositories[0].Copyleft }},
	{"repository: another license", verify.RebuiltDiffers, false, func(w *whole) {
		mit := "MIT"
		w.Repositories[0].SPDX = &mit
	}},
	{"repository: one less", verify.RepositoryAudit, false, func(w *whole) { w.Repositories = w.Repositories[1:] }},
	{"tombstones: something was taken out", verify.RebuiltDiffers, false, func(w *whole) {
		w.Tombstones = []model.Tombstone{{Date: "2026-01-01", Kind: "pull_request"}}
	}},

	{"split: another order", verify.RebuiltDiffers, false, func(w *whole) { slices.Reverse(w.Split.TaskIDs) }},
	{"split: another seed", verify.RebuiltDiffers, false, func(w *whole) { w.Split.Seed++ }},
	{"split: a task less", verify.RebuiltDiffers, false, func(w *whole) {
		gone := w.task(w.Split.TaskIDs[0]).Record.Difficulty
		w.Split.TaskIDs = w.Split.TaskIDs[1:]
		w.Split.N--
		for i := range w.Split.Strata {
			if s := &w.Split.Strata[i]; s.Difficulty == gone {
				s.Taken--
				s.Short = true
			}
		}
	}},
	{"split: another target", verify.RebuiltDiffers, false, func(w *whole) {
		s := &w.Split.Strata[0]
		s.Target += 5
		s.Short = s.Taken < s.Target
	}},
	{"split: a stranger", verify.SplitTasks, false, func(w *whole) { w.Split.TaskIDs[0] = "other__1" }},
}

// truth is the first ground-truth comment of a task.
func (w *whole) truth(id string) *artifacts.EvidenceComment {
	return w.comment(id, func(k artifacts.EvidenceComment) bool { return k.CommentID != nil && *k.CommentID == "c_1" })
}

// dropped is a comment that is no ground truth.
func (w *whole) dropped() *artifacts.EvidenceComment {
	return w.comment("", func(k artifacts.EvidenceComment) bool { return !k.GroundTruth && *k.Reason != "reply" })
}

// comment is the first in the evidence of a task, or of any, that fits.
func (w *whole) comment(id string, fits func(artifacts.EvidenceComment) bool) *artifacts.EvidenceComment {
	for _, t := range w.tasks {
		if i := slices.IndexFunc(t.Evidence.Comments, fits); i >= 0 && (id == "" || id == t.Record.TaskID) {
			return &t.Evidence.Comments[i]
		}
	}
	panic("no such comment")
}

// text replaces a text in one of a task's contexts.
func (w *whole) text(id string, config int, old, new string) {
	x := &w.task(id).Contexts[config]
	if !strings.Contains(x.Rendered, old) {
		panic("no " + old)
	}
	x.Rendered = strings.Replace(x.Rendered, old, new, 1)
	w.recount(x)
}

// recount counts a context's tokens again.
func (w *whole) recount(x *artifacts.Context) { x.TotalTokens = w.tokens(x.Rendered) }

// manifestDamages are to what the manifest says beside its files.
var manifestDamages = []struct {
	name   string
	want   verify.Kind
	damage func(*artifacts.Manifest)
}{
	{"benchmark", verify.NotJSON, func(m *artifacts.Manifest) { m.Benchmark = "other" }},
	{"schema", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.SchemaVersion = 7 }},
	{"name", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Name = "other" }},
	{"profile", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Profile = "published" }},
	{"revision", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Revision = "final" }},
	{"pipeline", verify.NamesDiffer, func(m *artifacts.Manifest) { m.PipelineVersion = "v9" }},
	{"freeze date", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.FreezeDate = "2027-04-15" }},
	{"digest of the configuration", verify.ConfigChanged, func(m *artifacts.Manifest) { m.ConfigSHA256 = strings.Repeat("0", 64) }},
	{"promise of one diff", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.SameDiff = nil }},
	{"tokenizer", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Tokenizer = "cl100k_base" }},
	{"encoder", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Encoder = "other" }},
	{"number of records", verify.ManifestCount, func(m *artifacts.Manifest) { m.Records++ }},
	{"floor", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.RVSFloor = 0.1 }},
	{"hard floor", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.RVSHardFloor = 0.1 }},
	{"gate", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.RQSMinScore = 10 }},
	{"number of words", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.MinWords = 3 }},
	{"number of comments", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.MinSubstantiveComments = 1 }},
	{"rule of suggestions", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.SuggestionCounts = false }},
	{"policy", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.GroundTruthPolicy = "standing" }},
	{"number of validated comments", verify.ValidatedTasks, func(m *artifacts.Manifest) { m.Parameters.MinValidated = 9 }},
	{"share of AI", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.MaxAIShare = 0.9 }},
	{"number of lines", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.MaxAddedLines = 9_000 }},
	{"cap of a repository", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.MaxPerRepository = 99 }},
	{"budget", verify.RebuiltDiffers, func(m *artifacts.Manifest) { m.Parameters.Budgets.A++ }},
	{"weight of the score", verify.ScoreSum, func(m *artifacts.Manifest) { m.Parameters.RVSWeights.ReviewDepth = 0.9 }},
	{"digest of a file", verify.FileChanged, func(m *artifacts.Manifest) {
		info := m.Files[oneProof]
		info.SHA256 = strings.Repeat("0", 64)
		m.Files[oneProof] = info
	}},
}
