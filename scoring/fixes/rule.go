package fixes

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

// Evidence says what leads from a fix to the change that it repairs.
type Evidence string

// The kinds of evidence, strongest first.
const (
	Named    Evidence = "named"             // the fix blames the pull request
	Reverted Evidence = "reverted"          // it reverts the pull request and says why
	Deleted  Evidence = "deleted_lines"     // all lines that it deletes are of the pull request
	Near     Evidence = "neighboring_lines" // it only inserts, among lines of the pull request
)

var (
	fixTitle = regexp.MustCompile(`(?i)\b(?:fix\w*|bug\w*|hotfix\w*|regress\w*|crash\w*|leak\w*|race|races|deadlock\w*|panic\w*|corrupt\w*|incorrect\w*|wrong\w*|broken|hang|hangs|hanging)\b`)
	// tidies are words of titles of commits that repair nothing, whatever they blame.
	tidies = regexp.MustCompile(`(?i)\b(?:chore|perf|refactor\w*|simplif\w*|unused|clean ?up\w*)\b`)
	// noFix are words of titles of commits that repair nothing that users run.
	noFix = regexp.MustCompile(`(?i)^style(?:\([^)]*\))?:|\b(?:docs?|documentation|docstrings?|comments?|typos?|spelling|wording|(?:log|debug) messages?|ci|workflows?|tests?|testing|flak\w*|fuzz\w*|bench\w*|(?:dy|es|py|ts)?lint\w*|clippy|ruff|flake8|rustfmt|nitpick\w*|types?|typing|deps?|bump\w*|perf|refactor\w*|releases?|examples?)\b`)
	// later are words of fixes that follow a requirement which came later.
	later = regexp.MustCompile(`(?i)\b(?:compat\w*|unpin\w*|support\w*|allow\w*|types?|deprecat\w*|new version|perf\w*|cach\w*|improv\w*|clean ?up\w*|workarounds?|preserv\w*|defaults?|updat\w*)\b`)
	// rework are words of titles whose changes rather move faults than make them.
	rework = regexp.MustCompile(`(?i)\b(?:refactor\w*|mov(?:e|es|ed|ing)|backport\w*|polish\w*|migrat\w*|renam\w*|revert\w*|releases?|clean ?up\w*)\b`)
	// outside are words of fixes that need knowledge of what a change runs on.
	outside     = regexp.MustCompile(`(?i)\b(?:windows|macos|cygwin|ipv[46]|net (?:framework|core)|python ?3\.\d+|node(?:js)? ?\d+|java ?\d+|bun|deno|safari|firefox|chrome|ios|android)\b`)
	closesIssue = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s*(?:https?://\S+/issues/|gh-|#)(\d{1,9})\b`)
)

// Wanted reports whether a commit may repair, revert or blame an earlier one, and
// gives the commits that its message names.
func Wanted(subject, body string) (refs []string, ok bool) {
	u := model.Unit{Subject: subject, Body: body}
	for _, n := range Namings(subject, body) {
		if ok = true; n.Commit != "" {
			refs = append(refs, n.Commit)
		}
	}
	for _, m := range revertOf.FindAllStringSubmatch(body, -1) {
		refs = append(refs, m[1])
	}
	return refs, ok || isRevert(u) || isFix(u)
}

func isFix(u model.Unit) bool {
	t := Title(u)
	return fixTitle.MatchString(t) && !noFix.MatchString(t) && !labeledOther(u)
}

// Link leads from a fix to the pull request that it repairs.
type Link struct {
	Fix      *model.LaterCommit
	Unit     string    // the pull request's commit of the first-parent line; "" where only its number is named
	Merged   time.Time // when git has the unit; zero where Unit is ""
	Asked    bool      // GitHub says that the unit is the pull request's
	Evidence Evidence
	Naming   Naming             // of evidence Named: what the message says
	Lines    []model.OriginLine // of the fix, that the pull request wrote
}

// Links are the links of a history by pull request, each list in the order of
// the fixes.
func Links(h *model.LaterHistory, o Options) map[int][]Link {
	out := map[int][]Link{}
	add := func(number int, l Link) {
		if number == 0 || number == Number(l.Fix.Unit) {
			return
		}
		for _, known := range out[number] {
			if known.Fix == l.Fix {
				return // by stronger evidence
			}
		}
		if l.Unit == "" && len(l.Lines) > 0 {
			l.Unit = l.Lines[0].Unit
		}
		l.Merged, l.Asked = h.Units[l.Unit].At, h.Units[l.Unit].Pull.Number == number
		out[number] = append(out[number], l)
	}
	for i := range h.Commits {
		c := &h.Commits[i]
		named := Namings(c.Subject, c.Body)
		if len(named) == 0 {
			named = Namings("", described(c.Pull.Body))
		}
		// a list of several blames none
		if len(named) == 1 && !isRevert(c.Unit) && !rework.MatchString(Title(c.Unit)) && !tidies.MatchString(Title(c.Unit)) {
			n := named[0]
			number, unit := n.Number, c.Refs[n.Commit]
			if unit != "" {
				number = Number(h.Units[unit])
			}
			add(number, Link{Fix: c, Unit: unit, Evidence: Named, Naming: n, Lines: linesOf(h, c, number)})
		}
		if isRevert(c.Unit) {
			pulls := reverted(h, c)
			if len(pulls) > 1 {
				continue // the fault of each is not stated
			}
			for _, number := range slices.Sorted(maps.Keys(pulls)) {
				add(number, Link{Fix: c, Unit: pulls[number], Evidence: Reverted, Lines: linesOf(h, c, number)})
			}
			continue
		}
		if number, evidence := author(h, c, o); isFix(c.Unit) {
			add(number, Link{Fix: c, Evidence: evidence, Lines: linesOf(h, c, number)})
		}
	}
	return out
}

// linesOf are the lines of a fix that a pull request wrote.
func linesOf(h *model.LaterHistory, c *model.LaterCommit, number int) []model.OriginLine {
	var out []model.OriginLine
	for _, l := range c.Change.Lines {
		if number != 0 && Number(h.Units[l.Unit]) == number {
			out = append(out, l)
		}
	}
	return out
}

// reverted are the pull requests that a commit says it reverts, with their units
// where it names these.
func reverted(h *model.LaterHistory, c *model.LaterCommit) map[int]string {
	out := map[int]string{}
	for _, m := range revertOf.FindAllStringSubmatch(c.Body, -1) {
		if unit := c.Refs[m[1]]; unit != "" {
			out[Number(h.Units[unit])] = unit
		}
	}
	for _, m := range revertPull.FindAllStringSubmatch(Title(c.Unit)+"\n"+said(c.Unit), -1) {
		if n, _ := strconv.Atoi(m[1]); out[n] == "" {
			out[n] = ""
		}
	}
	return out
}

// author is the one pull request that wrote what a fix changes: all lines that it
// deletes, or enough of those around what it inserts; 0 where there is none.
func author(h *model.LaterHistory, c *model.LaterCommit, o Options) (number int, evidence Evidence) {
	written, n := map[int]int{}, len(c.Change.Lines)
	for _, l := range c.Change.Lines {
		by := Number(h.Units[l.Unit])
		if written[by]++; written[by] > written[number] || number == 0 {
			number = by
		}
	}
	switch {
	case n == 0 || !fits(c.Change, o):
		return 0, ""
	case !c.Change.Lines[0].Near && written[number] == n:
		return number, Deleted
	case c.Change.Lines[0].Near && float64(written[number]) >= o.NearShare*float64(n):
		return number, Near
	}
	return 0, ""
}

// Accept reports whether a link is a defect that the reviewers of a merged pull request missed, as far as a rule can
// decide. The diff is the pull request's, nil without one.
func Accept(l Link, p *model.PullRequest, d *unidiff.Diff, o Options) verdict.Verdict {
	if p.MergedAt == nil || p.MergeCommit == nil || l.Unit != "" && !sameMerge(l, p) {
		return verdict.Reject(verdict.LinkWrongPull, "the commit that was blamed is not the pull request's merge",
			found("commit", l.Unit, ""))
	}
	age := Age(l, p)
	switch {
	case l.Naming.isElsewhere(p.Ref.Repo):
		return verdict.Reject(verdict.LinkWrongPull, "the message blames a pull request of another repository",
			found("repository", l.Naming.Repo, ""))
	case age < 0:
		return verdict.Reject(verdict.LinkWrongPull, "the fix is older than the merge")
	case l.Evidence == Named && len(l.Lines) == 0 && len(l.Fix.Change.Lines) == 0:
		return verdict.Reject(verdict.LinkNoLines, "the fix is too large, or changes no production code",
			sizes(l.Fix.Change)...)
	case l.Evidence == Reverted && !Stated(l.Fix.Unit):
		return verdict.Reject(verdict.RevertUnexplained, "the revert states no fault")
	case l.Evidence == Named || l.Evidence == Reverted:
		return verdict.Pass(found("evidence", string(l.Evidence), ""), found("fix", l.Fix.Oid, ""))
	case age < o.MinDays || age > o.MaxDays:
		return verdict.Reject(verdict.LinkAge, "the fix came too soon or too late",
			found("days", strconv.Itoa(age), strconv.Itoa(o.MinDays)+" to "+strconv.Itoa(o.MaxDays)))
	case p.ChangedFiles > o.IntroFiles || p.Additions > o.IntroAdded:
		return verdict.Reject(verdict.IntroducingTooLarge, "the introducing change is too large",
			found("files", strconv.Itoa(p.ChangedFiles), strconv.Itoa(o.IntroFiles)),
			found("added lines", strconv.Itoa(p.Additions), strconv.Itoa(o.IntroAdded)))
	case rework.MatchString(p.Title):
		return verdict.Reject(verdict.IntroducingReworks, "the title of the introducing change says that it moves code",
			found("title word", rework.FindString(p.Title), ""))
	case later.MatchString(Title(l.Fix.Unit)):
		return verdict.Reject(verdict.LaterRequirement, "the title of the fix speaks of something that came later",
			found("title word", later.FindString(Title(l.Fix.Unit)), ""))
	}
	return acceptLines(l, p, d, o)
}

// acceptLines is the part of Accept that needs the diff and the fix's issue.
func acceptLines(l Link, p *model.PullRequest, d *unidiff.Diff, o Options) verdict.Verdict {
	issue := 0
	for _, m := range closesIssue.FindAllStringSubmatch(l.Fix.Subject+"\n"+said(l.Fix.Unit), -1) {
		if n, _ := strconv.Atoi(m[1]); issue == 0 || n < issue {
			issue = n
		}
	}
	for _, linked := range l.Fix.Pull.Issues {
		if issue == 0 || linked.Number < issue {
			issue = linked.Number
		}
	}
	switch {
	case issue != 0 && issue < p.Ref.Number:
		return verdict.Reject(verdict.IssueOlder, "the issue that the fix closes is older than the introducing change",
			found("issue", strconv.Itoa(issue), strconv.Itoa(p.Ref.Number)))
	case issue == 0 && !l.Fix.Change.Tests:
		return verdict.Reject(verdict.NotReproducible, "the fix has neither a test nor an issue")
	case d == nil:
		return verdict.Undetermined(verdict.DiffMissing, "there is no diff of the introducing change")
	}
	if like := Likeness(d, l.Lines); like >= o.Similarity {
		return verdict.Reject(verdict.LinesMoved, "the introducing change moved or reworked the lines",
			found("likeness", ratio(like), ratio(o.Similarity)))
	}
	return verdict.Pass(found("evidence", string(l.Evidence), ""), found("fix", l.Fix.Oid, ""))
}

// GradeOf is A or B, with why it is B. B is right too seldom to be released by
// rule alone.
func GradeOf(l Link, p *model.PullRequest, o Options) (grade, why string) {
	age, title := Age(l, p), Title(l.Fix.Unit)
	switch {
	case l.Evidence == Named && !isFix(l.Fix.Unit):
		return "B", "the title of the fix speaks of no fault, or of one in documentation, tests and the like"
	case l.Evidence == Named && !l.Naming.Plain:
		return "B", "the fix names the pull request in passing, or does not say that the fault came with it"
	case l.Evidence == Named && revertTitle.MatchString(p.Title):
		return "B", "the introducing change is a revert"
	case outside.MatchString(title):
		return "B", "the title of the fix speaks of " + outside.FindString(title)
	case l.Evidence == Named:
		return "A", ""
	case l.Evidence == Reverted:
		return "B", "it was reverted, which seldom shows where the fault is"
	case l.Evidence == Near:
		return "B", "the fix only inserts"
	case o.GradeADays == 0:
		return "B", "only lines lead to it"
	case age > o.GradeADays:
		return "B", "the fix came after " + strconv.Itoa(age) + " days"
	case fixTitle.MatchString(p.Title):
		return "B", "the introducing change is a fix, which may have left something"
	case l.Fix.Change.Extends && len(l.Lines) == 1:
		return "B", "the fix extends one line"
	}
	return "A", ""
}

// Age is the number of whole days from the merge to the fix; both times are git's
// where it has them.
func Age(l Link, p *model.PullRequest) int {
	return int(math.Floor(l.Fix.At.Sub(MergedAt(l, p)).Hours() / 24))
}

// MergedAt is the time of the pull request's merge: git's or, if unknown, GitHub's.
func MergedAt(l Link, p *model.PullRequest) time.Time {
	if l.Merged.IsZero() {
		return *p.MergedAt
	}
	return l.Merged
}

// sameMerge reports whether a link's unit is the pull request's merge.
func sameMerge(l Link, p *model.PullRequest) bool {
	return l.Unit == p.MergeCommit.Oid || l.Unit == p.HeadOid || l.Asked
}

func sizes(c model.FixChange) []verdict.Evidence {
	return []verdict.Evidence{found("files", strconv.Itoa(c.Files), ""), found("deleted", strconv.Itoa(c.Deleted), ""),
		found("added", strconv.Itoa(c.Added), "")}
}

func ratio(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

func found(what, is, limit string) verdict.Evidence {
	return verdict.Evidence{What: what, Found: is, Limit: limit}
}
