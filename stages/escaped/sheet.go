package escaped

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring/escaped"
	"github.com/prforge/prforge/scoring/fixes"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/run"
)

// Questions of the sheet, and the answers to the first one.
const (
	askedIntroduced = "introduced"
	askedFindable   = "findable"

	yes = "yes"
	no  = "no"
)

// asked is a link of grade B that people are asked about.
type asked struct {
	item   label.Item
	diff   string
	answer escaped.Answer // about it, by nobody yet
}

// sheet asks people about the links of grade B of a dataset. Those that are already
// answered stay on it, so that labels find their items in a dataset that was built with them.
func sheet(ctx context.Context, host pipeline.Host, dir string) (evaluate.Asked, error) {
	s := label.Sheet{
		Title:   "Links of grade B",
		Changes: map[string]string{},
		Intro: []string{
			"A pull request was reviewed and merged. A later commit repairs something, and a rule says that the pull request brought the fault in. You see what the later commit says, the lines of the pull request that it touches, and the whole change of the pull request.",
			"Answer for yourself, without the answers of others. Two independent answers decide whether the link becomes a record.",
		},
		Questions: []label.Question{
			{Key: askedIntroduced, Ask: "Did the pull request introduce the fault that the later commit repairs?",
				Options: []label.Option{
					{Value: yes, Means: "The fault was not there before this change, and it is there after it."},
					{Value: no,
						Means: "The change moved it, or it was there before, or it came later, or the later commit repairs no fault of this change: a new wish, a chore, another case."},
				}},
			{Key: askedFindable, Ask: "What does a reviewer of that time need to find it?",
				When: &label.Answered{Question: askedIntroduced, Value: yes}, Options: []label.Option{
					{Value: escaped.FindableDiff, Means: "The change alone shows it."},
					{Value: escaped.FindableRepository, Means: "The change and other code of the repository show it."},
					{Value: escaped.FindableOutside,
						Means: "It takes knowledge that neither has: another version, a platform, what users do."},
					{Value: escaped.FindableUnknown, Means: "It was introduced here, and how it could be found cannot be said."},
				}},
		},
	}
	all, err := gradeB(ctx, host, dir)
	if err != nil {
		return evaluate.Asked{}, err
	}
	if err := complete(dir, all); err != nil {
		return evaluate.Asked{}, err
	}
	about := map[string]escaped.Answer{}
	for _, a := range all {
		s.Items, s.Changes[a.item.Change], about[a.item.ID] = append(s.Items, a.item), a.diff, a.answer
	}
	return evaluate.Asked{Sheet: s, AnswersIn: ".yaml",
		Answers: func(labels []label.Label) ([]byte, error) { return answersYAML(about, labels) }}, nil
}

// gradeB are the links of grade B of a dataset, by its raw records.
func gradeB(ctx context.Context, host pipeline.Host, dir string) (out []*asked, err error) {
	shards, err := reopen(ctx, host, dir, verdict.StageGrade, newAsked)
	for _, sh := range shards {
		out = append(out, sh.Finalists...)
	}
	return out, err
}

// complete compares the links with the decisions that the dataset's audit has for grade B: raw records give others
// under another version of the rule.
func complete(dir string, all []*asked) error {
	d, err := load.Open(dir)
	if err != nil {
		return err
	}
	for line, err := range d.Decisions() {
		if err != nil {
			return err
		}
		if line.Code == verdict.GradeB &&
			!slices.ContainsFunc(all,
				func(a *asked) bool { return a.answer.Repo == line.Repo && a.answer.PRNumber == *line.PRNumber }) {
			return fmt.Errorf("%s: the audit has %s#%d of grade B, and its raw records do not give it any more: build the dataset again", dir, line.Repo, *line.PRNumber)
		}
	}
	return nil
}

// newAsked is the link of a pull request that the rule cannot decide; none if its grade
// is A.
func newAsked(p run.Passed) []*asked {
	o, c := ownOf(p.Item), p.Candidate
	if o.grade == "A" {
		return nil
	}
	fix, ref := o.link.Fix, p.Ref.String()
	it := label.Item{ID: label.ID(ref, fix.Oid), Title: c.Pull.Title, URL: c.Pull.URL, Description: c.Pull.Body,
		Body: said(o.link, c), Change: ref, Beside: []label.Other{}}
	if lines := fixes.Place(c.Parsed, o.link.Lines); len(lines) > 0 {
		it.At = label.Place{File: lines[0].Path, Line: &lines[0].Line}
	}
	return []*asked{{item: it, diff: c.Diff.Text, answer: escaped.Answer{Repo: p.Ref.Repo.String(), PRNumber: p.Ref.Number,
		Fix: fix.Oid}}}
}

// maxShown is how many lines an item lists.
const maxShown = 20

// said is what a link says, in Markdown. The message comes last, so that no markup of it
// reaches the rest.
func said(l fixes.Link, c *model.Candidate) string {
	var b strings.Builder
	fmt.Fprintf(&b,
		"Commit %s of %s, %d days after the merge. Evidence: %s. Lines of the pull request that it touches:\n\n",
		l.Fix.Oid, l.Fix.At.UTC().Format(time.DateOnly), fixes.Age(l, c.Final.Pull), l.Evidence)
	for _, line := range l.Lines[:min(len(l.Lines), maxShown)] {
		fmt.Fprintf(&b, "    %s: %s\n", line.From, strings.TrimSpace(line.Text)) // indented: code, whatever it holds
	}
	if more := len(l.Lines) - maxShown; more > 0 {
		fmt.Fprintf(&b, "\nand %d more.\n", more)
	}
	statement, source := fixes.Statement(l.Fix.Unit, c.Pull.Body)
	fmt.Fprintf(&b, "\nWhat it says (source: %s):\n\n%s", source, statement)
	return b.String()
}

// answersYAML are labels as entries of escaped.answers, by pull request and rater. A
// rater who is unsure, or did not answer what applies, gives none; of two answers to the
// same item the first counts.
func answersYAML(about map[string]escaped.Answer, labels []label.Label) ([]byte, error) {
	entries := []escaped.Answer{}
	for _, l := range labels {
		a := about[l.Item]
		a.By, a.Introduced, a.Findable = l.Rater, l.Answers[askedIntroduced] == yes, escaped.FindableUnknown
		if a.Introduced {
			a.Findable = l.Answers[askedFindable]
		}
		answered := a.Introduced || l.Answers[askedIntroduced] == no
		if !l.Again && answered && a.Check() == nil {
			entries = append(entries, a)
		}
	}
	slices.SortFunc(entries, func(a, b escaped.Answer) int {
		return cmp.Or(strings.Compare(a.Repo, b.Repo), cmp.Compare(a.PRNumber, b.PRNumber), strings.Compare(a.Fix, b.Fix),
			strings.Compare(a.By, b.By))
	})
	return yaml.Marshal(map[string]any{"escaped": map[string]any{"answers": entries}})
}
