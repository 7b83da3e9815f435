package evaluate

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/model"
)

// A pull request of the dataset's own repository is a task by its number, one that was
// opened again elsewhere by its branch or title.
func TestPullTasks(t *testing.T) {
	key, err := json.Marshal(evaluation.Key{Repo: "o/r", Number: 7})
	noError(t, err)
	items := map[string]evaluation.Item{"r__7": {ID: "r__7", Key: key}, "r__7@2": {ID: "r__7@2", Key: key}}
	for name, tc := range map[string]struct {
		repo  string
		pull  model.PullRequest
		tasks string
	}{
		"by number":           {"O/R", model.PullRequest{Ref: model.PullRef{Number: 7}}, "r__7"},
		"another number":      {"o/r", model.PullRequest{Ref: model.PullRef{Number: 8}, Title: "r__7"}, ""},
		"by branch":           {"me/r", model.PullRequest{Ref: model.PullRef{Number: 1}, HeadRef: "r__7", Title: "Fix it"}, "r__7"},
		"by title":            {"me/r", model.PullRequest{Ref: model.PullRef{Number: 1}, Title: " r__7: Fix it"}, "r__7"},
		"further in title":    {"me/r", model.PullRequest{Ref: model.PullRef{Number: 1}, Title: "Fix r__7"}, ""},
		"number elsewhere":    {"me/r", model.PullRequest{Ref: model.PullRef{Number: 7}, Title: "Fix it"}, ""},
		"another revision":    {"me/r", model.PullRequest{Ref: model.PullRef{Number: 1}, Title: "r__7@2"}, ""},
		"a task of its own":   {"me/r", model.PullRequest{Ref: model.PullRef{Number: 1}, Title: "r__77"}, ""},
		"nothing that it has": {"me/r", model.PullRequest{Ref: model.PullRef{Number: 1}}, ""},
	} {
		ref, err := model.ParseRepoRef(tc.repo)
		noError(t, err)
		tasks, err := newPullTasks(ref, items)
		noError(t, err)
		if got := tasks.of(&tc.pull); got != tc.tasks {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestCommentsBy(t *testing.T) {
	line := 12
	by := func(login, body string) model.Comment {
		return model.Comment{Author: model.Account{Login: login}, Body: body, State: "SUBMITTED"}
	}
	edited := by("bot", "Addressed in 1a2b3c")
	edited.Edits = []model.Edit{{Body: "The lock is not released"}, {Body: edited.Body}}
	pending := by("bot", "not sent")
	pending.State = string(model.Pending)
	thread := func(side model.Side, subject model.SubjectType, comments ...model.Comment) model.Thread {
		return model.Thread{Path: "a.go", Side: side, Subject: subject, OriginalLine: &line, Comments: comments}
	}
	p := &model.PullRequest{Threads: []model.Thread{
		thread(model.Right, model.SubjectLine, edited, by("bot", "a reply")),
		thread(model.Left, model.SubjectLine, by("Bot", "of the old file")),
		thread(model.Right, model.SubjectFile, by("bot", "of the file")),
		thread(model.Right, model.SubjectLine, by("ada", "a person's"), by("bot", "answers")),
		thread(model.Right, model.SubjectLine, pending),
		thread(model.Right, model.SubjectLine),
	}}
	want := []evaluation.Comment{{Body: "The lock is not released", File: "a.go", Line: &line}, {Body: "of the old file", File: "a.go"}, {Body: "of the file", File: "a.go"}}
	if got, reviewed := commentsBy(p, "bot"); !reviewed || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %+v", reviewed, got)
	}
	// A review without comments has nothing to say; a pending one is none.
	silent := &model.PullRequest{Reviews: []model.Review{{Author: model.Account{Login: "bot"}, State: model.Approved}, {Author: model.Account{Login: "other"}, State: model.Pending}}}
	for login, want := range map[string]bool{"bot": true, "other": false, "nobody": false} {
		if got, reviewed := commentsBy(silent, login); reviewed != want || len(got) != 0 {
			t.Errorf("%s: %v, %+v", login, reviewed, got)
		}
	}
}
