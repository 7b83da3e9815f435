package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	prettytext "github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

func (a *app) explainCommand() *cobra.Command {
	flags := buildFlags{workers: 1, shards: 1}
	var asJSON bool
	var dataset string
	c := &cobra.Command{
		Use:   "explain PULL_REQUEST",
		Short: "Say everything that was decided about one pull request, and why",
		Long: `explain evaluates all ten filters, the scores and every review comment of one pull
request, also after a rejection. It reads the state and asks GitHub only for what
is not there. With --dataset it reads a frozen dataset instead, which needs no
configuration, no state and no token; of a pull request that was dropped, a dataset
keeps the verdicts up to the one that dropped it, and what was said in it.

PULL_REQUEST is OWNER/NAME#N or the pull request's address; with --dataset also a task id.
Where revisions is all, OWNER/NAME#N@2 is its second record.
Of a dataset of scripts with injected errors it is a sample, a script, or a change as the
audit names them.`,
		Example: "  prforge explain 'celery/celery#9334'\n  prforge explain https://github.com/celery/celery/pull/9334\n  prforge explain tidelog__61 --dataset out/demo",
		Args:    exactArgs("PULL_REQUEST"),
		RunE: func(c *cobra.Command, args []string) error {
			if dataset != "" {
				r, err := openDataset(dataset)
				if err != nil {
					return err
				}
				if explain := stages.BenchmarkOf(r.Manifest.Benchmark).ExplainItem; explain != nil {
					x, err := explain(dataset, args[0])
					if err != nil {
						return err
					}
					if !asJSON {
						fmt.Fprintln(a.stdout, text.Printable(args[0]))
					}
					return a.show(x, asJSON)
				}
			}
			ref, record, err := recordRef(args[0], dataset)
			if err != nil {
				return &usageError{err}
			}
			var e *run.Explanation
			if dataset != "" {
				e, err = stages.ExplainFrom(dataset, ref, record)
			} else {
				e, err = a.explain(c.Context(), flags, ref, record)
			}
			if err != nil {
				return err
			}
			return a.showExplanation(ref, e, asJSON)
		},
	}
	flags.addState(c)
	c.Flags().StringVar(&dataset, "dataset", "", "read this frozen dataset instead of the state")
	c.Flags().BoolVar(&asJSON, "json", false, "everything as JSON")
	return c
}

// pullAddress matches an address from a browser, or OWNER/NAME/N.
var pullAddress = regexp.MustCompile(`^(?:(?:https?://)?github\.com/([^/]+/[^/]+)/pull/([0-9]+)(?:[/?#].*)?|([^/#]+/[^/#]+)/([0-9]+))$`)

// recordRef parses the name of a pull request or of a record of one.
func recordRef(s, dataset string) (model.PullRef, int, error) {
	if m := pullAddress.FindStringSubmatch(s); m != nil {
		s = m[1] + m[3] + "#" + m[2] + m[4]
	}
	if dataset != "" && artifacts.CheckTaskID(s) == nil {
		return stages.PullOfTask(dataset, s)
	}
	ref, err := model.ParsePullRef(artifacts.FirstOf(s))
	return ref, artifacts.RecordOf(s), err
}

// explain evaluates a pull request from the state.
func (a *app) explain(ctx context.Context, flags buildFlags, ref model.PullRef, record int) (*run.Explanation, error) {
	cfg, err := config.Load(flags.config)
	if err != nil {
		return nil, err
	}
	env, err := a.env(cfg, flags)
	if err != nil {
		return nil, err
	}
	var e *run.Explanation
	err = a.withSession(ctx, env, cfg, func(s *run.Session) (err error) {
		e, err = review.Explain(ctx, s, ref, record)
		return err
	})
	return e, err
}

// showExplanation prints an explanation, one screen per comment.
func (a *app) showExplanation(ref model.PullRef, e *run.Explanation, asJSON bool) error {
	if asJSON {
		return a.writeJSON(e)
	}
	fmt.Fprintf(a.stdout, "%s\n%s\n\n%s\n\n%s\n", headText(ref, e.Pull), fateText(e.Verdicts),
		repositoryLine(e.Repository), verdictTable(e.Verdicts))
	fmt.Fprint(a.stdout, show.Text(e.Questions))
	var comments []artifacts.EvidenceComment
	switch {
	case e.Evidence != nil:
		if e.Records > 1 {
			fmt.Fprintf(a.stdout, "\nthe pull request gives %d records; %s@2 is the second\n", e.Records, ref)
		}
		fmt.Fprintf(a.stdout, "\n%s\n", revisionText(e.Evidence.Revision))
		fmt.Fprintf(a.stdout, "\n%s\n", scoreText(e))
		comments = e.Evidence.Comments
	case e.Pull != nil:
		fmt.Fprintf(a.stdout,
			"\nIts review comments, from the raw records, labeled by what they say and by the revision that they stand at:\n")
		comments = e.Pull.Comments
	}
	for i, c := range comments {
		fmt.Fprintf(a.stdout, "\n%s\n%s", strings.Repeat("─", 78), commentText(i+1, len(comments), c, !dropped(e.Verdicts)))
	}
	return nil
}

// headText identifies the pull request; p is nil if nothing else is known.
func headText(ref model.PullRef, p *convert.Seen) string {
	if p == nil {
		return ref.String()
	}
	out := fmt.Sprintf("%s  %s\nby %s, opened %s", ref, show.Clip(p.Title, 160), p.Author, p.CreatedAt)
	if p.MergedAt != "" {
		out += ", merged " + p.MergedAt
	}
	return out + "\n" + p.URL
}

// fateText is the first verdict other than pass: the one that decided.
func fateText(verdicts []artifacts.VerdictLine) string {
	if !dropped(verdicts) {
		return "passed every stage"
	}
	v := verdicts[slices.IndexFunc(verdicts, drops)]
	return fmt.Sprintf("%s at %s: %s: %s", v.Outcome, v.Filter, v.Code, v.Detail)
}

func drops(v artifacts.VerdictLine) bool { return v.Outcome != verdict.OutcomePass }

func dropped(verdicts []artifacts.VerdictLine) bool { return slices.ContainsFunc(verdicts, drops) }

// revisionText says which revision of the pull request is shown.
func revisionText(r artifacts.RevisionEvidence) string {
	if r.Kind != "reviewed" {
		return fmt.Sprintf("revision: what was merged, %s; substantive comments that stand there: %d", r.FinalHead,
			r.Standing)
	}
	out := fmt.Sprintf("revision: %s as it was reviewed; substantive comments that stand there: %d\n", r.Commit,
		r.Standing) +
		fmt.Sprintf("   merged was %s; %d of %d commits could be compared, %d substantive comments stand at none",
			r.FinalHead, r.Reachable, r.Candidates, r.Lost)
	if r.EditedAfterReview {
		out += "\n   the description was edited after the review, and its former text is not known"
	}
	return out
}

func repositoryLine(r artifacts.RepositoryAudit) string {
	line := "repository score "
	if r.RQS == nil {
		return strings.TrimSuffix(line+"unknown: "+r.Detail, ": ")
	}
	line += fmt.Sprintf("%.1f", float64(*r.RQS))
	if r.Code != "" {
		line += fmt.Sprintf(" (%s: %s)", r.Code, r.Detail)
	}
	return line
}

// verdictTable shows the stages that decide, with their evidence.
func verdictTable(verdicts []artifacts.VerdictLine) string {
	t := table.New("stage", "outcome", "code", "seen")
	for _, v := range verdicts {
		var seen []string
		if v.Detail != "" {
			seen = append(seen, v.Detail)
		}
		for _, e := range v.Evidence {
			s := e.What + " " + e.Found
			if e.Limit != "" {
				s += " (limit " + e.Limit + ")"
			}
			seen = append(seen, s)
		}
		t.Row(v.Filter, string(v.Outcome), string(v.Code), show.Clip(strings.Join(seen, "; "), 90))
	}
	return t.Render()
}

// scoreText is the review value with its parts, and the grade; without a number if none was computed.
func scoreText(x *run.Explanation) string {
	value, grade := "review value: not computed", "difficulty, type and language: not computed"
	e, w := x.Evidence, x.Weights
	if in, p := e.Scores.Inputs, e.Scores.Parts; !slices.Contains(x.NotComputed, run.NoScores) {
		value = fmt.Sprintf(`review value %.3f = %.2f x depth %.3f + %.2f x complexity %.3f + %.2f x discussion %.3f + %.2f x test %.3f + %.2f x bug %.3f
from %d substantive comments, %d threads (%d answered), %d change requests, %d reviewers; %d files, %d lines, %d directories`,
			float64(e.Scores.RVS), float64(w.ReviewDepth), float64(p.ReviewDepth), float64(w.CodeComplexity),
			float64(p.CodeComplexity),
			float64(w.DiscussionSignal), float64(p.DiscussionSignal), float64(w.TestChangeSignal), float64(p.TestChangeSignal),
			float64(w.BugFixSignal), float64(p.BugFixSignal),
			in.Substantive, in.Threads, in.AnsweredThreads, in.ChangeRequests, in.Reviewers, in.Files, in.ChangedLines,
			in.Directories)
	}
	if !slices.Contains(x.NotComputed, run.NoGrade) {
		grade = fmt.Sprintf("difficulty %s%s; type %s (%s); language %s",
			e.Difficulty.Value, tieText(e.Difficulty.Because), e.PRType.Value, e.PRType.Because, e.Language)
	}
	return value + "\n" + grade
}

func tieText(ties []artifacts.ReferenceEvidence) string {
	if len(ties) == 0 {
		return ""
	}
	t := ties[0]
	return fmt.Sprintf(" (%s %s %s %s)", t.Named, t.Path, t.Because, t.Via)
}

// commentText is one review comment on one screen. released says whether its pull request was released; otherwise the
// comment is only potential ground truth.
func commentText(n, of int, c artifacts.EvidenceComment, released bool) string {
	var b strings.Builder
	label := "ground truth " + value(c.CommentID)
	if !released {
		label = "would be " + label
	}
	if !c.GroundTruth {
		label = "dropped: " + value(c.Reason)
	}
	fmt.Fprintf(&b, "comment %d of %d by %s (%s, %s)  %s\n", n, of, c.Author, c.AuthorType, c.Class, label)
	place := c.Path
	if c.Line != nil {
		place += fmt.Sprintf(":%d %s", *c.Line, c.Side)
	}
	fmt.Fprintf(&b, "at %s, anchor %s, in diff %t, outdated %t, resolved %t", place, c.Anchor, c.IsInDiff, c.Outdated,
		c.Resolved)
	if c.SubstituteLine != nil {
		fmt.Fprintf(&b, ", see line %d", *c.SubstituteLine)
	}
	if state, valid, known := c.Since(); known {
		fmt.Fprintf(&b, "\n   the code since: %s", state)
		if c.Distance != nil {
			fmt.Fprintf(&b, " (%d lines away)", *c.Distance)
		}
		if c.ElsewhereNamed != nil {
			fmt.Fprintf(&b, "; %s, which it names, was changed elsewhere", *c.ElsewhereNamed)
		}
		fmt.Fprintf(&b, "; validation: %s", valid)
	}
	if c.AnchorNote != "" {
		b.WriteString("\n   " + c.AnchorNote)
	}
	b.WriteString("\n")
	for _, r := range c.Rules {
		mark := "ok  "
		if !r.Passed {
			mark = "FAIL"
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("   %s %-20s %s", mark, r.ID, show.Clip(r.Evidence, 90)), " ") + "\n")
	}
	for _, line := range firstLines(prettytext.WrapSoft(c.Body, 100), 60) {
		fmt.Fprintf(&b, "   | %s\n", strings.TrimRight(line, " "))
	}
	return b.String()
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// firstLines returns the first lines of a text and a last line with the number of the others, which --json shows.
func firstLines(s string, n int) []string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n"), "\n")
	if len(lines) <= n {
		return lines
	}
	return append(lines[:n:n], fmt.Sprintf("(%d more lines: see --json)", len(lines)-n))
}
