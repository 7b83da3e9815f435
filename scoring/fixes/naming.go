// Package fixes finds the changes that later fixes repair: a later commit names the change that introduced a fault,
// reverts it for a stated reason, or repairs its lines. It is a rule over facts of git and GitHub. docs/escaped.md
// measures its precision.
package fixes

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// Naming is a change that a message blames for a fault.
type Naming struct {
	Number int    // of the pull request; 0 where Commit is set
	Repo   string // the repository that the number is of, without its owner; "" where the message does not say
	Commit string // the beginning of a commit's id, at least seven digits; "" where Number is set
	Plain  bool   // the sentence itself says that a fault came with it
}

// Is reports whether the change is the given pull request or one of its commits.
func (n Naming) Is(p model.PullRef, commits ...string) bool {
	if n.Number != 0 {
		return n.Number == p.Number && !n.isElsewhere(p.Repo)
	}
	for _, c := range commits {
		if n.Commit != "" && strings.HasPrefix(c, n.Commit) {
			return true
		}
	}
	return false
}

// isElsewhere reports whether the number is of a repository of another name. An owner that differs may be a former one.
func (n Naming) isElsewhere(repo model.RepoRef) bool {
	return n.Repo != "" && !strings.EqualFold(n.Repo, repo.Name)
}

// namingReach is how far from a reference, in bytes, a word of blame counts.
const namingReach = 90

var (
	reference = regexp.MustCompile(`(?i)(?:/pull/|/pulls/|\bgh-|#)(\d{1,9})\b|\b([0-9a-f]{7,40})\b`)
	blame     = regexp.MustCompile(`(?i)regress|introduc\w* (?:an? |the )?(?:\w+ )?(?:issue|problem|error)|(?:issue|problem|error)s?\b[^.\n]{0,40}introduc|\bcaus|broke|break|bug|mistake|accident|oversight|missed|forgot|fail|lost|stopped|revert|wrong|incorrect`)
	// excused are phrases of messages that name another change without blaming it.
	excused = regexp.MustCompile(`(?i)uncovered|same bug|tests? from|implemented in|which solved|newly introduced|follow-?up to|started using|(?:first|previous|earlier) attempt`)
	// closing comes before an issue that the message closes, or before what it reverts.
	closing = regexp.MustCompile(`(?i)(?:\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|issues?|(?:back|cherry[ -]?)(?:port|pick)(?:ed)?(?: of| from)?|reverts(?: commit)?|pull request|refs?|see)\s*:?\s*|/issues/)$`)
	// plainBefore and plainAfter are what a sentence that plainly blames a change has before and after it, and hedged what
	// it has before one that it excuses, suspects or mentions.
	plainBefore = regexp.MustCompile(`(?i)\bregress|\bbro(?:ke|ken)\b|\bcause(?:d| is| was)\b|\b` + faultNoun +
		`\b.*\b(?:introduc\w*|in|from|by|with|of|since)\W*(?:(?:the|an?|in|by|from|with|pr|pull request|commit|changes?)\b\W*)*$`)
	plainAfter = regexp.MustCompile(`(?i)\bregress|\bbro(?:ke|ken)\b|^\W*(?:forgot|missed)\b|\bintroduc\w* .{0,30}\b` +
		faultNoun + `\b`)
	hedged    = regexp.MustCompile(`(?i)\b(?:probabl[ey]|likely|maybe|perhaps|possibly|might|fixed in|first part|tried to|work(?:ing|ed)? on|workaround|found)\b`)
	sentence  = regexp.MustCompile(`[.!?](?:\s|$)|\n[-*] `)
	linkStart = regexp.MustCompile(`https?://\S*$`)
	// inRepository matches a repository before its number: "o/n" of o/n#12 and https://github.com/o/n/pull/12.
	inRepository = regexp.MustCompile(`\b[\w.-]+/([\w.-]+)$`)
	// squashed are the titles of a branch's commits, which a squash lists.
	squashed = regexp.MustCompile(`(?m)^\* .*$`)
	trailers = regexp.MustCompile(`(?mi)^(?:co-authored-by|signed-off-by|reviewed-by|change-id|\(cherry picked from commit).*$`)
)

// faultNoun matches what a message calls a fault.
const faultNoun = `(?:regress\w*|bugs?|issues?|problems?|errors?|failures?|crash\w*|panics?|leaks?|races?|deadlocks?|mistakes?|oversights?|typos?)`

// Namings are the changes that a commit's message blames for a fault, in their
// order, each once: a pull request or a commit within ninety bytes of a word of
// blame, in the same paragraph. Numbers that the message closes or reverts, and
// the number of the commit's own pull request, are not. The word lists are from
// 33 messages that were read, of which 27 named the culprit.
func Namings(subject, body string) []Naming {
	subject = ownNumber.ReplaceAllString(subject, "")
	if strings.HasPrefix(subject, "Merge pull request #") || revertTitle.MatchString(subject) { // a revert repeats a title
		subject = ""
	}
	if excused.MatchString(subject) || excused.MatchString(body) {
		return nil
	}
	var out []Naming
	seen := map[Naming]int{}
	for paragraph := range strings.SplitSeq(subject+"\n\n"+prose(body), "\n\n") {
		for _, n := range namings(paragraph) {
			key := Naming{Number: n.Number, Commit: n.Commit}
			i, known := seen[key]
			if !known {
				seen[key] = len(out)
				out = append(out, n)
				continue
			}
			out[i].Plain = out[i].Plain || n.Plain
			if out[i].Repo != n.Repo {
				out[i].Repo = "" // the number stands alone, too
			}
		}
	}
	return out
}

// prose is what the author of a message says in it.
func prose(body string) string {
	return squashed.ReplaceAllString(trailers.ReplaceAllString(strings.ReplaceAll(body, "\r\n", "\n"), ""), "")
}

// WithoutTrailers is a message without the lines that name people, such as "Signed-off-by: ".
func WithoutTrailers(body string) string {
	return strings.TrimSpace(trailers.ReplaceAllString(body, ""))
}

// namings are those of one paragraph.
func namings(text string) []Naming {
	var out []Naming
	for _, m := range reference.FindAllStringSubmatchIndex(text, -1) {
		before, after := text[max(0, m[0]-namingReach):m[0]], text[m[1]:min(len(text), m[1]+namingReach)]
		if closing.MatchString(before) && !strings.HasPrefix(strings.ToLower(after), " regress") {
			continue
		}
		// a pseudonym is no commit
		if strings.HasSuffix(before, "@u-") || !blame.MatchString(before) && !blame.MatchString(after) {
			continue
		}
		plain := isPlain(text[max(0, m[0]-4*namingReach):m[0]], after)
		if m[2] >= 0 {
			if n, err := strconv.Atoi(text[m[2]:m[3]]); err == nil && n > 0 {
				out = append(out, Naming{Number: n, Repo: repositoryOf(before), Plain: plain})
			}
			continue
		}
		if id := strings.ToLower(text[m[4]:m[5]]); strings.ContainsAny(id, "0123456789") &&
			strings.ContainsAny(id, "abcdef") {
			out = append(out, Naming{Commit: id, Plain: plain})
		}
	}
	return out
}

// repositoryOf is the name of the repository that stands right before a number; "" if none does.
func repositoryOf(before string) string {
	if m := inRepository.FindStringSubmatch(before); m != nil {
		return m[1]
	}
	return ""
}

// isPlain reports whether the sentence around a reference says that a fault came with the change.
func isPlain(before, after string) bool {
	before = linkStart.ReplaceAllString(before, "")
	before = before[max(0, len(before)-namingReach):]
	if ends := sentence.FindAllStringIndex(before, -1); ends != nil {
		before = before[ends[len(ends)-1][1]:]
	}
	if end := sentence.FindStringIndex(after); end != nil {
		after = after[:end[0]]
	}
	before, after = strings.ReplaceAll(before, "\n", " "), strings.ReplaceAll(after, "\n", " ")
	return !hedged.MatchString(before) && (plainBefore.MatchString(before) || plainAfter.MatchString(after))
}
