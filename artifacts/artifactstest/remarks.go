package artifactstest

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// remark is one review comment of a sample pull request.
type remark struct {
	by      string
	body    string
	path    string
	side    model.Side
	line    int // 0 for none
	method  model.AnchorMethod
	inDiff  bool
	truth   bool
	reason  verdict.Code
	replies bool // answers the comment before it
	change  bool
}

// candidate is a model.Candidate under construction.
type candidate model.Candidate

// add puts one review comment with its label and its anchor into a candidate.
func (c *candidate) add(id int64, r remark) {
	number := len(c.Pull.Threads) + 1
	comment := model.Comment{
		ID: id, NodeID: fmt.Sprintf("PRRC_%d", id), URL: fmt.Sprintf("https://github.com/%s/pull/%d#discussion_r%d",
			c.Pull.Ref.Repo, c.Pull.Ref.Number, id),
		Author: account(r.by), Association: "MEMBER", Body: r.body, CreatedAt: day.Add(time.Duration(id) * time.Minute),
		DiffHunk: hunk(r), OriginalOid: oid("e", number), State: "SUBMITTED",
	}
	var line *int
	if r.line > 0 {
		line = &r.line
	}
	if r.replies {
		last := &c.Pull.Threads[len(c.Pull.Threads)-1]
		comment.ReplyTo = last.Comments[0].NodeID
		last.Comments = append(last.Comments, comment)
	} else {
		c.Pull.Threads = append(c.Pull.Threads, model.Thread{
			NodeID: fmt.Sprintf("PRRT_%d", id), Path: r.path, Side: r.side, Line: line, OriginalLine: line,
			Subject:    model.SubjectLine,
			IsResolved: id%2 == 0, Comments: []model.Comment{comment},
		})
	}
	label := model.CommentLabel{CommentID: id, Class: class(r.by), Substantive: r.truth, Reason: string(r.reason),
		RequiresChange: r.change}
	if label.Class == model.ClassBot {
		label.BotBecause = "registry: " + r.by
		c.Labels.Removed++
	}
	label.Rules = []model.Rule{{ID: "human", Passed: r.truth, Code: string(r.reason)}}
	if r.truth {
		c.Labels.Substantive++
	}
	c.Labels.Comments = append(c.Labels.Comments, label)
	anchor := model.Anchor{CommentID: id, Path: r.path, Side: r.side, Line: line, Method: r.method, InDiff: r.inDiff,
		OriginalLine: line}
	c.Anchors = append(c.Anchors, anchor)
	if !r.truth {
		return
	}
	grade := model.CommentDifficulty{CommentID: id, Class: model.Direct, Because: "changed_line"}
	switch {
	case r.method == model.AnchorNone:
		grade.Class, grade.Because = model.Latent, "names: "+r.path
		c.Grade.Because = append(c.Grade.Because,
			model.Reference{CommentID: id, Named: r.path, Path: r.path, Via: "src/app.py", Because: "imports"})
	case !r.inDiff:
		grade.Class, grade.Because = model.Contextual, "context_line"
	}
	c.Grade.Comments = append(c.Grade.Comments, grade)
}

// hunk is the diff hunk down to the line commented on, as GitHub gives it.
func hunk(r remark) string {
	rows := []string{"@@ -1,3 +1,4 @@", "+import sys", " def parse(text):", "-    return text", "+    return text.strip()",
		" MODE = \"a\""}
	switch {
	case r.line == 0:
		return "@@ -1,2 +1,3 @@\n def load():\n+    return None"
	case r.side == model.Left:
		rows = rows[:4]
	case r.line == 3:
		rows = rows[:5]
	}
	return strings.Join(rows, "\n")
}

// finish scores the candidate and adds its trail.
func (c *candidate) finish() *model.Candidate {
	score := Score(model.RVSInputs{
		Substantive: c.Labels.Substantive, Threads: 3, ChangeRequests: c.Labels.ChangeRequests, Files: 2, ChangedLines: 4,
		Directories:     2,
		AnsweredThreads: 1, Reviewers: len(c.Labels.Reviewers), TestsModified: true, BugFix: true,
	})
	c.RVS = &score
	for _, stage := range []string{"merged", "base-accessible", "review-value"} {
		c.Decisions = append(c.Decisions,
			verdict.Decision{Stage: stage, Verdict: verdict.Pass(verdict.Evidence{What: stage, Found: "yes"})})
	}
	return (*model.Candidate)(c)
}

func class(login string) model.AccountClass {
	switch login {
	case "ann":
		return model.ClassAuthor
	case "ghost":
		return model.ClassGhost
	case "coderabbitai":
		return model.ClassBot
	}
	return model.ClassHuman
}

func account(login string) model.Account {
	a := model.Account{Login: login, Type: model.User, ID: int64(len(login))}
	switch class(login) {
	case model.ClassGhost:
		a = model.Account{Login: login, Type: model.Ghost}
	case model.ClassBot:
		a.Type = model.Bot
	}
	return a
}

// oid is a full object id that is unique by digit and number.
func oid(digit string, number int) string {
	return strings.Repeat(digit, 38) + fmt.Sprintf("%02d", number)
}

var day = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)

// Score is the formula of spec section 6.
func Score(in model.RVSInputs) model.RVS {
	unit := func(part, whole float64) float64 { return math.Min(1, part/whole) }
	r := model.RVS{Inputs: in}
	r.Depth = unit(float64(in.Substantive)+1.5*float64(in.Threads)+2*float64(in.ChangeRequests), 20)
	r.Complexity = .2*unit(float64(in.Files), 10) + .6*unit(float64(in.ChangedLines), 400) +
		.2*unit(float64(in.Directories), 10)
	r.Discussion = unit(float64(in.AnsweredThreads+in.Reviewers), 15)
	switch {
	case in.TestsModified:
		r.Test = 1
	case in.TestsAdded:
		r.Test = .5
	}
	if in.BugFix {
		r.Bug = 1
	}
	for _, part := range []*float64{&r.Depth, &r.Complexity, &r.Discussion, &r.Test, &r.Bug} {
		*part = math.Round(*part*1000) / 1000
	}
	r.Score = math.Round(1000*(.25*r.Depth+.20*r.Complexity+.20*r.Discussion+.15*r.Test+.20*r.Bug)) / 1000
	return r
}
