// Package substance decides for every review comment whether it is ground truth: rule by rule, with the reason of the
// first one that fails (spec section 4, "Substantive"). It also counts the scores' inputs from a conversation.
package substance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Words counts a comment's words of prose as the rules do, without quotes, code, suggestions, HTML comments, link
// targets and images.
func Words(body string) int { return markdown.Read(body).Words }

// Label checks every review comment of a pull request against the rules. It
// never fails and changes nothing: equal facts give equal labels, whatever the
// order of threads and comments, except that Labels.Comments follows it.
func Label(pull *model.PullRequest, registry *authorship.Registry, o Options) *model.Labels {
	l := labeller{pull: pull, registry: registry, options: o, requested: map[string]bool{}}
	labels := &model.Labels{Comments: []model.CommentLabel{}, Reviewers: []string{}}
	l.readReviews(labels)
	for i := range pull.Threads {
		l.readThread(&pull.Threads[i], labels)
	}
	l.addTexts()
	labels.AIShare = l.share.value()
	slices.SortFunc(labels.Reviewers, func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
	labels.Reviewers = slices.CompactFunc(labels.Reviewers, strings.EqualFold)
	return labels
}

// labeller labels one pull request.
type labeller struct {
	pull      *model.PullRequest
	registry  *authorship.Registry
	options   Options
	requested map[string]bool // node ids of reviews of people that requested changes
	share     share
}

// class is the kind of an account in this pull request.
func (l *labeller) class(a model.Account) (model.AccountClass, authorship.Bot) {
	if a.IsGhost() {
		return model.ClassGhost, authorship.Bot{}
	}
	if bot, ok := l.registry.Bot(a); ok {
		return model.ClassBot, bot
	}
	if sameAccount(a, l.pull.Author) {
		return model.ClassAuthor, authorship.Bot{}
	}
	return model.ClassHuman, authorship.Bot{}
}

// readReviews counts submitted reviews of people other than the author. A
// dismissed review keeps its former meaning; pending and hidden ones are never
// used.
func (l *labeller) readReviews(labels *model.Labels) {
	for _, r := range l.pull.Reviews {
		class, _ := l.class(r.Author)
		if class != model.ClassHuman || r.State == model.Pending || r.IsMinimized {
			continue
		}
		labels.Reviewers = append(labels.Reviewers, r.Author.Login)
		if requestedChanges(r, l.pull.Dismissed) {
			labels.ChangeRequests++
			labels.HasRequestedChanges = true
			l.requested[r.NodeID] = true
		}
	}
}

// readThread labels the comments of one thread and counts it.
func (l *labeller) readThread(t *model.Thread, labels *model.Labels) {
	root := starter(t)
	started, answered := false, false
	for i := range t.Comments {
		c := &t.Comments[i]
		label := l.label(t, c, c == root)
		labels.Comments = append(labels.Comments, label)
		machine := label.Class == model.ClassBot || label.AIBecause != ""
		if machine {
			labels.Removed++
		}
		if label.Substantive {
			labels.Substantive++
		}
		if machine || isPending(c) || c.IsMinimized || label.Class == model.ClassGhost {
			continue
		}
		if label.Class == model.ClassHuman {
			labels.Reviewers = append(labels.Reviewers, c.Author.Login)
		}
		if c == root {
			started = label.Class == model.ClassHuman
		} else {
			answered = true
		}
	}
	if started {
		labels.Threads++
		if answered {
			labels.AnsweredThreads++
		}
	}
}

// starter is the comment that starts a thread: the earliest that is not a reply. A thread whose first comment was
// deleted has none.
func starter(t *model.Thread) *model.Comment {
	var first *model.Comment
	for i := range t.Comments {
		c := &t.Comments[i]
		if c.ReplyTo == "" && (first == nil || byTime(*c, *first) < 0) {
			first = c
		}
	}
	return first
}

// label judges one comment.
func (l *labeller) label(t *model.Thread, c *model.Comment, starts bool) model.CommentLabel {
	f := facts{comment: c, starts: starts, text: markdown.Read(c.Body), options: l.options, thread: t.Comments}
	f.sentences = sentences(f.text.Prose, f.has(reasonedPraise))
	if l.options.SuggestionCounts {
		f.changesCode, f.notation = suggested(t, c, f.text.Suggested)
	}
	f.on = textUnder(t, c)
	f.replaces = f.has(replacements) && replacesCode(f.text)
	class, bot := l.class(c.Author)
	f.bot, f.isBot = bot, class == model.ClassBot
	f.isAuthor = sameAccount(c.Author, l.pull.Author)
	f.unverified = unverified(l.pull.Author)
	f.ai, f.isAI = l.registry.AIText(f.text)

	if !isPending(c) {
		l.share.add(class, bot, f.isAI)
	}
	label := model.CommentLabel{CommentID: c.ID, Class: class, BotBecause: bot.Because, AIBecause: f.ai.Rule}
	answers, reason := judge(f)
	if j, ok := l.options.Judged[c.ID]; ok && (reason == "" || slices.Contains(TextCodes(), reason)) {
		reason = ""
		if j.Label != model.LabelGroundTruth {
			reason = verdict.Code(j.Label)
		}
		answers = append(answers, model.Rule{ID: model.RulePeople, Passed: reason == "", Code: string(reason),
			Evidence: j.Annotator + ", " + j.Date})
	}
	if n, of := l.options.Confirmed[c.ID], l.options.ConfirmedBy; of > 0 && reason == "" {
		confirmed := model.Rule{ID: model.RulePeople, Passed: n >= of, Evidence: fmt.Sprintf("%d raters, %d needed", n, of)}
		if !confirmed.Passed {
			reason, confirmed.Code = verdict.NotConfirmed, string(verdict.NotConfirmed)
		}
		answers = append(answers, confirmed)
	}
	label.Rules, label.Reason, label.Substantive = answers, string(reason), reason == ""
	if label.Substantive {
		m := readMarks(f.text.Prose)
		requested := l.requested[c.ReviewNodeID] && c.ReviewNodeID != ""
		label.Severity, label.IsBlocking = m.severity, m.blocking
		if requested && m.blocking == nil && !hedge.MatchString(f.text.Prose) {
			yes := true
			label.IsBlocking = &yes
		}
		label.RequiresChange = requiresChange(f.text, f.sentences, m, requested)
	}
	return label
}

// addTexts counts what is outside the review threads.
func (l *labeller) addTexts() {
	for _, r := range l.pull.Reviews {
		if r.State != model.Pending && strings.TrimSpace(r.Body) != "" {
			l.addText(r.Author, r.Body)
		}
	}
	for _, c := range l.pull.Comments {
		l.addText(c.Author, c.Body)
	}
}

func (l *labeller) addText(author model.Account, body string) {
	class, bot := l.class(author)
	_, marked := l.registry.AIText(markdown.Read(body))
	l.share.add(class, bot, marked)
}
