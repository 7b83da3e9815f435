package verify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/model"
)

// TestPublished names each defect of the table in spec section 10 in a dataset
// in the published layout.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		name   string
		want   []verify.Kind
		damage func(t *artifacts.Task)
	}{
		{"none", nil, func(*artifacts.Task) {}},
		{"another repository's name", []verify.Kind{verify.NamesDiffer}, func(t *artifacts.Task) { t.Record.RepoName = "other" }},
		{"a bot", []verify.Kind{verify.BotComment}, func(t *artifacts.Task) { rename(t, "bob", "coderabbitai") }},
		{"the author's own", []verify.Kind{verify.OwnComment}, func(t *artifacts.Task) {
			t.Record.Description = "Tested at https://github.com/Bob/widget/actions, see https://github.com/acme/widget/pull/9."
		}},
		{"too short", []verify.Kind{verify.ShortComment}, func(t *artifacts.Task) { rewrite(t, "Does `parse` leak?") }},
		{"counts differ", []verify.Kind{verify.CountMismatch}, func(t *artifacts.Task) { t.Record.NumSubstantiveComments = 3 }},
		{"no line", []verify.Kind{verify.MissingLine}, func(t *artifacts.Task) {
			lineLost(t)
			t.Record.Difficulty = model.Type2 // by the published rubric
		}},
		{"deleted side", []verify.Kind{verify.SideUnaware, verify.DifficultyWrong}, func(t *artifacts.Task) {
			t.Annotation.Comments[1].IsInDiff = false
		}},
		{"added side", []verify.Kind{verify.IsInDiff, verify.DifficultyWrong}, func(t *artifacts.Task) {
			t.Annotation.Comments[0].IsInDiff, t.Annotation.RequestedChanges[0].IsInDiff = false, false
		}},
		{"below the floor", []verify.Kind{verify.BelowFloor}, belowFloor},
		{"difficulty", []verify.Kind{verify.DifficultyWrong}, func(t *artifacts.Task) { t.Record.Difficulty = model.Type2 }},
		{"resolved unknown", []verify.Kind{verify.ThreadResolved}, func(t *artifacts.Task) { t.Annotation.Comments[1].ThreadResolved = nil }},
		{"tokens", []verify.Kind{verify.TokenCount}, func(t *artifacts.Task) { t.Contexts[0].TotalTokens-- }},
		{"hollow and alike", []verify.Kind{verify.HollowContext, verify.ConfigsAlike}, func(t *artifacts.Task) {
			replace(&t.Contexts[1], "- APP_MODE -> mode -> src/app.py:3", "")
			t.Contexts[2].Rendered, t.Contexts[2].TotalTokens = t.Contexts[1].Rendered, t.Contexts[1].TotalTokens
		}},
		{"difficulty shown", []verify.Kind{verify.LeakDifficulty}, func(t *artifacts.Task) { pad(&t.Contexts[0], "- difficulty=Type1_Direct") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			task := artifactstest.Tasks()[0]
			c.damage(task)
			dir := publish(t, task)
			got, text := published(t, dir)
			if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(c.want))) {
				t.Errorf("got %v, want %v\n%s", got, c.want, text)
			}
		})
	}
}

func TestPublishedSplit(t *testing.T) {
	dir := publish(t, artifactstest.Tasks()[0])
	if err := os.Mkdir(filepath.Join(dir, "evals"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, artifacts.FileSplit, `{"strata": ["Type1_Direct", "Type3_Latent"]}`)
	if got, text := published(t, dir); !slices.Equal(got, []verify.Kind{verify.DifficultyNames}) {
		t.Errorf("got %v\n%s", got, text)
	}
}

func published(t *testing.T, dir string) ([]verify.Kind, string) {
	t.Helper()
	r, err := verify.Published(t.Context(), dir, options())
	if err != nil {
		t.Fatal(err)
	}
	var kinds []verify.Kind
	for _, f := range r.Faults {
		kinds = append(kinds, f.Kind)
	}
	return kinds, fmt.Sprintf("%+v", r)
}

// publish writes a task in the published layout.
func publish(t *testing.T, task *artifacts.Task) string {
	t.Helper()
	dir := t.TempDir()
	put := func(path string, v any, form func(any) ([]byte, error)) {
		b, err := form(v)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, path, string(b))
	}
	put(artifacts.FileRecords, task.Record, artifacts.CanonicalLine)
	put(artifacts.FileAnnotation(task.Record.TaskID), task.Annotation, artifacts.Canonical)
	for _, x := range task.Contexts {
		put(artifacts.FileContext(x.ConfigName, task.Record.TaskID), x, artifacts.Canonical)
	}
	return dir
}
