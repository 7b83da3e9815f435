package bugs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/run/runtest"
)

// verifyFolder verifies a dataset by its manifest.
func verifyFolder(t *testing.T, dir string) (*verify.Report, error) {
	t.Helper()
	m, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	return verifyDataset(t.Context(), dir, m)
}

func verified(t *testing.T, dir string) map[verify.Kind]string {
	t.Helper()
	report, err := verifyFolder(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[verify.Kind]string{}
	for _, f := range report.Faults {
		out[f.Kind] = f.Example
	}
	return out
}

// Whatever is changed in a frozen dataset, verify names it, though the manifest
// is made to agree.
func TestVerifyBugsSeesEveryDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("verifies a dataset forty times")
	}
	whole := world.Built(t) // mode file: the demo adds no line with an import that can be wrong
	b := world.FromCollected(t)
	b.Config.Bugs.Mode, b.Config.Bugs.MinAdded = bugs.ModeChange, 1
	runBugs(t, b, nil)
	if got := verified(t, b.Out); len(got) != 0 {
		t.Fatalf("an intact dataset has %v", got)
	}
	runtest.IntactCopies(t, b.Out, func(dir string) (*verify.Report, error) { return verifyFolder(t, dir) })
	if err := artifactstest.FollowsSchemas(b.Out); err != nil {
		t.Error(err)
	}
	fault := func(a *model.BugAnswer) bool { return a.Fault != nil }
	named := func(a *model.BugAnswer) bool {
		return a.Fault != nil && a.Fault.Name != "" && a.Kind != "E5" && a.Kind != "U3" && a.Kind != "U4"
	}
	imported := func(a *model.BugAnswer) bool { return a.Kind == "E5" }
	control := func(a *model.BugAnswer) bool { return a.Fault == nil }
	untouched := func(a *model.BugAnswer) bool { return a.Kind == bugs.Untouched }
	for name, tc := range map[string]struct {
		of     func(*model.BugAnswer) bool
		damage func(*model.BugQuestion, *model.BugAnswer, *model.BugEvidence)
		want   bugs.FaultKind
	}{
		"head blob": {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) {
			a.HeadBlob = strings.Repeat("0", 40)
		}, bugs.FaultEdit},
		"edit":       {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.Edits[0].Old += "x" }, bugs.FaultEdit},
		"line":       {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.Fault.ReportLine++ }, bugs.FaultProof},
		"class":      {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.Fault.Error = "ImportError2" }, bugs.FaultProof},
		"level":      {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.Level = 1 + a.Level%4 }, bugs.FaultProof},
		"rule":       {fault, func(_ *model.BugQuestion, _ *model.BugAnswer, e *model.BugEvidence) { e.Rule = "R7" }, bugs.FaultProof},
		"chance":     {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.Chance /= 2 }, bugs.FaultChance},
		"added line": {named, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.AddedLines = nil }, bugs.FaultLine},
		"base blob":  {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.BaseBlob = &a.HeadBlob }, bugs.FaultSource},
		"license":    {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.License = nil }, bugs.FaultSource},
		"context": {fault, func(q *model.BugQuestion, _ *model.BugAnswer, _ *model.BugEvidence) {
			q.Contexts[1].Text += "\n--- a.py\nx = 1\n"
		}, bugs.FaultView},
		"in file: module of a context": {imported, func(q *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) {
			q.Contexts[0].Text = strings.ReplaceAll(q.Contexts[0].Text, "has the names ", "has the names "+a.Fault.Name+", ")
		}, bugs.FaultProof},
		"leak: blob in a context": {fault, func(q *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) {
			q.Contexts[1].Text += a.HeadBlob
		}, bugs.FaultLeak},
		"in file: decidable": {imported, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) {
			a.DecidableIn = []string{"A", "B", "C"}
		}, bugs.FaultProof},
		"evidence: bound names": {fault, func(_ *model.BugQuestion, _ *model.BugAnswer, e *model.BugEvidence) { e.BoundNames = e.BoundNames[1:] }, bugs.FaultSource},
		"evidence: refused": {fault, func(_ *model.BugQuestion, _ *model.BugAnswer, e *model.BugEvidence) {
			e.Refused = map[string]string{"U1": "lazy"}
		}, bugs.FaultSource},
		"schema":                 {fault, func(q *model.BugQuestion, _ *model.BugAnswer, _ *model.BugEvidence) { q.Prompt = "" }, bugs.FaultKind(faultSchema)},
		"schema of the evidence": {fault, func(_ *model.BugQuestion, _ *model.BugAnswer, e *model.BugEvidence) { e.Rule = "R7" }, bugs.FaultKind(faultSchema)},
		"control's kind":         {untouched, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.Kind = "reindented" }, bugs.FaultEdit},
		"control's level":        {control, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.Level = 1 }, bugs.FaultControl},
		"leak: account": {fault, func(q *model.BugQuestion, _ *model.BugAnswer, _ *model.BugEvidence) {
			q.View = "thanks to @someone\n" + q.View
		}, bugs.FaultLeak},
		"leak: commit": {fault, func(q *model.BugQuestion, _ *model.BugAnswer, _ *model.BugEvidence) {
			q.View = "as of 0123456789abcdef\n" + q.View
		}, bugs.FaultLeak},
		"tokens": {fault, func(q *model.BugQuestion, _ *model.BugAnswer, _ *model.BugEvidence) { q.Tokens++ }, bugs.FaultView},
		"view":   {fault, func(q *model.BugQuestion, _ *model.BugAnswer, _ *model.BugEvidence) { q.View += "    1  | x = 1\n" }, bugs.FaultView},
		"leak: blob": {fault, func(q *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) {
			q.View = a.HeadBlob + "\n" + q.View
		}, bugs.FaultLeak},
		"leak: task": {fault, func(q *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) {
			q.View = a.TaskID + "\n" + q.View
		}, bugs.FaultLeak},
		"leak: number": {fault, func(q *model.BugQuestion, _ *model.BugAnswer, _ *model.BugEvidence) { q.View = "fixes #12\n" + q.View }, bugs.FaultLeak},
		"leak: address": {fault, func(q *model.BugQuestion, _ *model.BugAnswer, _ *model.BugEvidence) {
			q.View = "https://example.org\n" + q.View
		}, bugs.FaultLeak},
		"control's partner": {control, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.ControlOf = &a.QuestionID }, bugs.FaultControl},
		"control's key":     {control, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.Chance = 0.5 }, bugs.FaultControl},
		"another id": {fault, func(q *model.BugQuestion, a *model.BugAnswer, e *model.BugEvidence) {
			q.QuestionID, a.QuestionID, e.QuestionID = "q00000000000000000000", "q00000000000000000000", "q00000000000000000000"
		}, bugs.FaultDraw},
		"original twice": {fault, func(_ *model.BugQuestion, a *model.BugAnswer, _ *model.BugEvidence) { a.PRNumber++ }, bugs.FaultTwice},
	} {
		t.Run(name, func(t *testing.T) {
			dir, from := filepath.Join(t.TempDir(), "damaged"), b.Out
			if strings.HasPrefix(name, "in file") {
				from = whole.Out
			}
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			drafts, err := readDrafts(dir)
			if err != nil {
				t.Fatal(err)
			}
			done := false
			for i := range drafts {
				if d := &drafts[i]; !done && tc.of(&d.Answer) {
					tc.damage(&d.Question, &d.Answer, &d.Evidence)
					done = true
				}
			}
			if !done {
				t.Fatal("no question to damage")
			}
			rewrite(t, dir, drafts)
			if got := verified(t, dir); got[verify.Kind(tc.want)] == "" {
				t.Errorf("verify says %v, not %s", got, tc.want)
			}
		})
	}
	t.Run("a question missing", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "damaged")
		if err := os.CopyFS(dir, os.DirFS(b.Out)); err != nil {
			t.Fatal(err)
		}
		drafts, err := readDrafts(dir)
		if err != nil {
			t.Fatal(err)
		}
		rewrite(t, dir, drafts[1:])
		if got := verified(t, dir); got[verify.Kind(bugs.FaultDraw)] == "" {
			t.Errorf("verify says %v", got)
		}
	})
	t.Run("other quotas", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "damaged")
		if err := os.CopyFS(dir, os.DirFS(b.Out)); err != nil {
			t.Fatal(err)
		}
		drafts, err := readDrafts(dir)
		if err != nil {
			t.Fatal(err)
		}
		other := b.Config.Bugs
		other.Quotas.Indentation = 1
		data, err := artifacts.Canonical(other)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, artifacts.FileBugOptions), data, 0o644); err != nil {
			t.Fatal(err)
		}
		rewrite(t, dir, drafts)
		if got := verified(t, dir); got[verify.Kind(bugs.FaultDraw)] == "" {
			t.Errorf("verify says %v", got)
		}
	})
	t.Run("another split", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "damaged")
		if err := os.CopyFS(dir, os.DirFS(b.Out)); err != nil {
			t.Fatal(err)
		}
		split, err := load.ReadJSON[model.Split](dir, artifacts.FileBugSplit)
		if err != nil {
			t.Fatal(err)
		}
		split.TaskIDs, split.N = split.TaskIDs[1:], split.N-1
		data, err := artifacts.Canonical(split)
		if err != nil {
			t.Fatal(err)
		}
		drafts, err := readDrafts(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, artifacts.FileBugSplit), data, 0o644); err != nil {
			t.Fatal(err)
		}
		rewrite(t, dir, drafts)
		if got := verified(t, dir); got[faultSplit] == "" {
			t.Errorf("verify says %v", got)
		}
	})
	t.Run("a file changed", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "damaged")
		if err := os.CopyFS(dir, os.DirFS(b.Out)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, artifacts.FileCard), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := verified(t, dir); got["bug-files"] == "" {
			t.Errorf("verify says %v", got)
		}
	})
}

// What is damaged in the raw records is found, though every record has a true
// SHA-256 and the manifest lists the file as it is.
func TestVerifyBugsSeesDamagedRawRecords(t *testing.T) {
	b := world.Built(t)
	const repo = "lanternworks+parcelpost"
	const file = "raw/" + repo + ".jsonl.zst"
	first := func(kind string) func(*runtest.Copy, func([]runtest.RawLine, int) []runtest.RawLine) {
		return func(c *runtest.Copy, damage func([]runtest.RawLine, int) []runtest.RawLine) {
			c.Raw(repo, func(l []runtest.RawLine) []runtest.RawLine {
				return damage(l, slices.IndexFunc(l, func(x runtest.RawLine) bool { return x.Kind == kind }))
			})
		}
	}
	for name, tc := range map[string]struct {
		want   verify.Kind
		damage func(*runtest.Copy)
	}{
		"cut":            {verify.RawDamaged, func(c *runtest.Copy) { text := c.Read(file); c.Write(file, text[:len(text)-6]) }},
		"no compression": {verify.RawDamaged, func(c *runtest.Copy) { c.Write(file, "{}\n") }},
		"missing":        {verify.RawMissing, func(c *runtest.Copy) { c.Remove(file) }},
		"of no hash": {verify.RawDamaged, func(c *runtest.Copy) {
			first("pull")(c, func(l []runtest.RawLine, i int) []runtest.RawLine { l[i].Data = json.RawMessage("{}"); return l })
		}},
		"unknown kind": {verify.RawDamaged, func(c *runtest.Copy) {
			first("pull")(c, func(l []runtest.RawLine, i int) []runtest.RawLine { l[i].Kind = "rootkit"; return l })
		}},
		"repository less": {verify.RawMissing, func(c *runtest.Copy) {
			c.Raw(repo, func(l []runtest.RawLine) []runtest.RawLine {
				return slices.DeleteFunc(l, func(x runtest.RawLine) bool { return x.Kind == "repository" })
			})
		}},
		"bases less": {verify.Kind(bugs.FaultSource), func(c *runtest.Copy) {
			c.Raw(repo, func(l []runtest.RawLine) []runtest.RawLine {
				return slices.DeleteFunc(l, func(x runtest.RawLine) bool { return x.Kind == "base" })
			})
		}},
		"pull requests less": {verify.Kind(bugs.FaultSource), func(c *runtest.Copy) {
			c.Raw(repo, func(l []runtest.RawLine) []runtest.RawLine {
				return slices.DeleteFunc(l, func(x runtest.RawLine) bool { return x.Kind == "pull" })
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := runtest.CopyOf(t, b.Out)
			tc.damage(c)
			c.Relist()
			report, err := verifyFolder(t, c.Dir)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(report.Faults, func(f verify.Fault) bool { return f.Kind == tc.want }) {
				t.Errorf("found %+v, want %s", report.Faults, tc.want)
			}
		})
	}
}

// rewrite puts questions back and makes the manifest agree.
func rewrite(t *testing.T, dir string, drafts []bugs.Draft) {
	t.Helper()
	m, err := load.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	var questions, answers bytes.Buffer
	put := func(path string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, path), data, 0o644); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		m.Files[path] = artifacts.FileInfo{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(data))}
	}
	line := func(b *bytes.Buffer, v any) {
		data, err := artifacts.CanonicalLine(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	for path := range m.Files {
		if strings.HasPrefix(path, "bugs/evidence/") {
			delete(m.Files, path)
			if err := os.Remove(filepath.Join(dir, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, d := range drafts {
		line(&questions, d.Question)
		line(&answers, d.Answer)
		data, err := artifacts.Canonical(d.Evidence)
		if err != nil {
			t.Fatal(err)
		}
		put(artifacts.FileBugEvidence(d.Evidence.QuestionID), data)
	}
	for _, path := range []string{artifacts.FileBugSplit, artifacts.FileBugOptions} {
		data, err := load.ReadBytes(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		put(path, data)
	}
	put(artifacts.FileBugQuestions, questions.Bytes())
	put(artifacts.FileBugAnswers, answers.Bytes())
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, artifacts.FileManifest), data, 0o644); err != nil {
		t.Fatal(err)
	}
}
