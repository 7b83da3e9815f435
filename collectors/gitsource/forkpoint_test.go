package gitsource_test

import (
	"context"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
)

const gone = "1234567890123456789012345678901234567890"

// merged is a pull request as the API would tell it.
type merged struct{ head, merge, baseRef, fork string }

// start makes a base branch of two commits and a branch of two from the first
// of them, and gives the fork point.
func start(o *origin) (fork string) {
	o.write("a.py", numbered(40))
	o.write("b.py", numbered(10))
	fork = o.commit("one")
	o.git("checkout", "-q", "-b", "topic")
	o.change("a.py", strings.Replace(numbered(40), "line c", "line C", 1))
	o.change("new.py", "x = 1\n")
	o.git("checkout", "-q", "main")
	o.change("b.py", numbered(12))
	return fork
}

func TestForkPoint(t *testing.T) {
	tests := []struct {
		name   string
		method string // "" when none may be found
		build  func(o *origin) merged
	}{
		{"merge commit", gitsource.MethodMerge, func(o *origin) merged {
			fork := start(o)
			o.git("merge", "-q", "--no-ff", "topic", "-m", "merge")
			merge := o.rev("HEAD")
			tip := o.change("b.py", numbered(13))
			return merged{o.rev("topic"), merge, tip, fork}
		}},
		{"squash", gitsource.MethodSquash, func(o *origin) merged {
			fork := start(o)
			o.git("merge", "-q", "--squash", "topic")
			merge := o.commit("squashed")
			return merged{o.rev("topic"), merge, merge, fork}
		}},
		{"rebase merge", gitsource.MethodSquash, func(o *origin) merged {
			fork := start(o)
			o.git("cherry-pick", "main..topic")
			return merged{o.rev("topic"), o.rev("main"), o.rev("main"), fork}
		}},
		{"base merged into head", gitsource.MethodMerge, func(o *origin) merged {
			start(o)
			o.git("checkout", "-q", "topic")
			o.git("merge", "-q", "main", "-m", "update")
			fork := o.rev("main")
			o.change("new.py", "x = 2\n")
			o.git("checkout", "-q", "main")
			o.change("b.py", numbered(14))
			o.git("merge", "-q", "--no-ff", "topic", "-m", "merge")
			return merged{o.rev("topic"), o.rev("main"), o.rev("main"), fork}
		}},
		{"base merged into head, then squashed", gitsource.MethodSquash, func(o *origin) merged {
			start(o)
			o.git("checkout", "-q", "topic")
			o.git("merge", "-q", "main", "-m", "update")
			fork := o.rev("main")
			o.git("checkout", "-q", "main")
			o.change("b.py", numbered(14))
			o.git("merge", "-q", "--squash", "topic")
			o.commit("squashed")
			return merged{o.rev("topic"), o.rev("main"), o.rev("main"), fork}
		}},
		{"criss-cross", gitsource.MethodSquash, func(o *origin) merged {
			start(o)
			onMain, onTopic := o.rev("main"), o.rev("topic")
			o.git("checkout", "-q", "topic")
			o.git("merge", "-q", onMain, "-m", "main into topic")
			o.change("new.py", "x = 3\n")
			o.git("checkout", "-q", "main")
			o.git("merge", "-q", onTopic, "-m", "topic into main")
			o.git("merge", "-q", "--squash", "topic")
			o.commit("squashed")
			return merged{o.rev("topic"), o.rev("main"), o.rev("main"), onMain}
		}},
		{"pushed as it was", gitsource.MethodAncestor, func(o *origin) merged {
			o.change("a.py", numbered(5))
			o.change("a.py", numbered(6))
			fork := o.rev("HEAD")
			o.change("a.py", numbered(7))
			head := o.change("b.py", numbered(7))
			return merged{head, head, head, fork}
		}},
		{"pushed as it was, the base known from before", gitsource.MethodBaseRef, func(o *origin) merged {
			fork := o.change("a.py", numbered(5))
			head := o.change("b.py", numbered(7))
			return merged{head, head, fork, fork}
		}},
		{"no merge commit", gitsource.MethodBaseRef, func(o *origin) merged {
			fork := start(o)
			return merged{o.rev("topic"), "", o.rev("main"), fork}
		}},
		{"base branch force-pushed", gitsource.MethodAncestor, func(o *origin) merged {
			fork := start(o)
			return merged{o.rev("topic"), gone, strings.Replace(gone, "1", "2", 1), fork}
		}},
		{"stacked on another branch", gitsource.MethodMerge, func(o *origin) merged {
			start(o)
			o.git("checkout", "-q", "-b", "stacked", "topic")
			fork := o.rev("topic")
			head := o.change("more.py", "y = 1\n")
			o.git("checkout", "-q", "topic")
			o.change("new.py", "x = 9\n")
			o.git("merge", "-q", "--no-ff", "stacked", "-m", "merge")
			return merged{head, o.rev("topic"), o.rev("topic"), fork}
		}},
		{"head is gone", "", func(o *origin) merged {
			fork := start(o)
			return merged{gone, o.rev("main"), o.rev("main"), fork}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := newOrigin(t)
			m := tt.build(o)
			diff := o.diff(m.fork, "HEAD")
			if m.head != gone {
				diff = o.diff(m.fork, m.head)
			}
			o.git("branch", "-f", "keep", "HEAD")
			got, err := o.open(options()).ForkPoint(t.Context(), m.pull(), diff)
			if err != nil {
				t.Fatal(err)
			}
			if tt.method == "" {
				if got.ForkPoint != "" || got.Verified || got.Problem == "" {
					t.Errorf("got %+v, want a problem", got)
				}
				return
			}
			if got.ForkPoint != m.fork || !got.Verified || got.Method != tt.method || got.Problem != "" {
				t.Errorf("got %+v, want %s by %s", got, m.fork, tt.method)
			}
		})
	}
}

func (m merged) pull() *model.PullRequest {
	p := &model.PullRequest{Ref: model.PullRef{Repo: model.RepoRef{Owner: "o", Name: "r"}, Number: 1}, HeadOid: m.head, BaseRefOid: m.baseRef}
	if m.merge != "" {
		p.MergeCommit = &model.MergeCommit{Oid: m.merge}
	}
	return p
}

func TestForkPointByComparison(t *testing.T) {
	o := newOrigin(t)
	fork := start(o)
	asked := 0
	opts := options()
	opts.Compare = func(_ context.Context, base, head string) (string, error) {
		asked++
		return fork, nil
	}
	m := merged{o.rev("topic"), gone, gone, fork}
	got, err := o.open(opts).ForkPoint(t.Context(), m.pull(), o.diff(fork, m.head))
	if err != nil || got.ForkPoint != fork || got.Method != gitsource.MethodCompare || asked != 1 {
		t.Errorf("got %+v, %v after %d questions", got, err, asked)
	}
}

// A diff that is not the difference of any candidate and the head is never
// taken for verified.
func TestForkPointOfAnotherDiff(t *testing.T) {
	o := newOrigin(t)
	fork := start(o)
	m := merged{o.rev("topic"), "", o.rev("main"), fork}
	diff := o.diff(fork, m.head)
	cut := diff[:strings.LastIndex(diff, "diff --git")]
	tests := map[string]string{
		"no files":       "\n",
		"not a diff":     "<html>busy</html>",
		"a file missing": cut,
		"another line":   strings.Replace(diff, " x line b", " x line z", 1),
		"another object": strings.Replace(diff, "index ", "index 0", 1),
		"another mode":   strings.Replace(diff, " 100644", " 100755", 1),
	}
	repo := o.open(options())
	for name, text := range tests {
		if text == diff {
			t.Fatalf("%s: the diff was not changed", name)
		}
		got, err := repo.ForkPoint(t.Context(), m.pull(), text)
		if err != nil || got.ForkPoint != "" || got.Verified || got.Problem == "" {
			t.Errorf("%s: got %+v, %v; want a problem", name, got, err)
		}
	}
}

// Where GitHub refuses the diff, the file list shows the fork point.
func TestForkPointByFileList(t *testing.T) {
	o := newOrigin(t)
	fork := start(o)
	o.git("checkout", "-q", "topic")
	o.git("mv", "b.py", "moved.py")
	head := o.commit("move")
	m := merged{head, "", o.rev("main"), fork}
	list := func(files ...model.ChangedFile) *model.PullRequest {
		p := m.pull()
		p.Files, p.ChangedFiles = files, len(files)
		return p
	}
	a, n := model.ChangedFile{Path: "a.py"}, model.ChangedFile{Path: "new.py"}
	moved := model.ChangedFile{Path: "moved.py", Change: model.FileRenamed}
	cut := list(a)
	cut.ChangedFiles = 3
	tests := []struct {
		name  string
		pull  *model.PullRequest
		found bool
	}{
		{"the list", list(a, n, moved), true},
		{"a list cut off", cut, true},
		{"one file fewer", list(a, moved), false},
		{"one file more", list(a, n, moved, model.ChangedFile{Path: "c.py"}), false},
		{"no list", list(), false},
	}
	repo := o.open(options())
	for _, tt := range tests {
		got, err := repo.ForkPoint(t.Context(), tt.pull, "")
		if err != nil || (got.ForkPoint == fork) != tt.found || got.Verified {
			t.Errorf("%s: got %+v, %v", tt.name, got, err)
		}
	}
}
