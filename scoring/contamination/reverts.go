package contamination

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// Merged holds the facts that link a revert to what it reverts.
type Merged struct {
	Ref         model.PullRef
	Title, Body string
	Commits     []string // its merge commit and its head, full SHA-1
}

// Revert links a pull request that undoes another one with it.
type Revert struct {
	Revert   model.PullRef
	Reverted model.PullRef // Number 0 when only the commit is known
	Commit   string        // the commit that the text names; "" if it names none
	Because  string        // what said so: "body", "commit", "title"
}

// Links are the reverts among pull requests in both directions, each list in
// order and without repetition: b is in Reverts[a] if and only if a is in
// RevertedBy[b].
type Links struct {
	Reverts    map[model.PullRef][]model.PullRef
	RevertedBy map[model.PullRef][]model.PullRef
}

// LinksOf finds the links among merged pull requests; see Reverts. A commit that belongs to none of them makes no
// link.
func LinksOf(pulls []Merged) Links {
	l := Links{map[model.PullRef][]model.PullRef{}, map[model.PullRef][]model.PullRef{}}
	for _, r := range Reverts(pulls) {
		if r.Reverted.Number != 0 && !slices.Contains(l.Reverts[r.Revert], r.Reverted) {
			l.Reverts[r.Revert] = append(l.Reverts[r.Revert], r.Reverted)
			l.RevertedBy[r.Reverted] = append(l.RevertedBy[r.Reverted], r.Revert)
		}
	}
	return l
}

var (
	revertsPull   = regexp.MustCompile(`(?i)\breverts?:?\s+(?:pull request\s+)?(?:([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9._-]{1,100}))?#(\d{1,9})\b`)
	revertsLink   = regexp.MustCompile(`(?i)\breverts?:?\s+(?:pull request\s+)?https?://[^/\s]+/([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9._-]{1,100})/pull/(\d{1,9})\b`)
	revertsCommit = regexp.MustCompile(`(?i)\bthis reverts commit ([0-9a-f]{7,40})\b`)
	revertsTitle  = regexp.MustCompile(`^Revert "(.+)"\s*(?:\(#\d+\))?$`)
	numberSuffix  = regexp.MustCompile(`\s*\(#\d+\)$`)
)

// Reverts finds the links among merged pull requests, by the reverting one.
// The body's "Reverts owner/repo#1" counts first, then "This reverts commit
// SHA", then the title Revert "..." where exactly one other pull request of the
// repository has the quoted title. A pull request reverts each other one once,
// and never itself.
func Reverts(pulls []Merged) []Revert {
	var links []Revert
	x := newMergedIndex(pulls)
	for _, p := range pulls {
		found := named(p)
		if len(found) == 0 {
			found = byCommit(p, x)
		}
		if len(found) == 0 {
			found = byTitle(p, x)
		}
		links = append(links, found...)
	}
	slices.SortFunc(links, func(a, b Revert) int {
		if c := compareRefs(a.Revert, b.Revert); c != 0 {
			return c
		}
		if c := compareRefs(a.Reverted, b.Reverted); c != 0 {
			return c
		}
		return strings.Compare(a.Commit, b.Commit)
	})
	return slices.Compact(links)
}

func named(p Merged) []Revert {
	var out []Revert
	for _, pattern := range []*regexp.Regexp{revertsPull, revertsLink} {
		for _, m := range pattern.FindAllStringSubmatch(p.Body, -1) {
			ref := model.PullRef{Repo: p.Ref.Repo}
			if m[1] != "" {
				ref.Repo = model.RepoRef{Owner: m[1], Name: m[2]}
				if strings.EqualFold(ref.Repo.String(), p.Ref.Repo.String()) {
					ref.Repo = p.Ref.Repo
				}
			}
			ref.Number, _ = strconv.Atoi(m[3]) // at most nine digits, by the pattern
			if ref.Number > 0 && ref != p.Ref {
				out = append(out, Revert{Revert: p.Ref, Reverted: ref, Because: "body"})
			}
		}
	}
	return out
}

// shortCommit is the least number of digits that revertsCommit takes.
const shortCommit = 7

// mergedIndex finds pull requests by their numbers, commits and titles.
type mergedIndex struct {
	byTitle  map[namedIn][]Merged // by plainTitle
	byCommit map[namedIn][]Merged // by a commit's first shortCommit digits
}

type namedIn struct {
	repo model.RepoRef
	name string
}

func newMergedIndex(pulls []Merged) mergedIndex {
	x := mergedIndex{map[namedIn][]Merged{}, map[namedIn][]Merged{}}
	for _, p := range pulls {
		title := namedIn{p.Ref.Repo, plainTitle(p.Title)}
		x.byTitle[title] = append(x.byTitle[title], p)
		var seen []string
		for _, c := range p.Commits {
			if len(c) >= shortCommit && !slices.Contains(seen, c[:shortCommit]) {
				seen = append(seen, c[:shortCommit])
				short := namedIn{p.Ref.Repo, c[:shortCommit]}
				x.byCommit[short] = append(x.byCommit[short], p)
			}
		}
	}
	return x
}

func byCommit(p Merged, x mergedIndex) []Revert {
	var out []Revert
	for _, m := range revertsCommit.FindAllStringSubmatch(p.Body, -1) {
		sha := strings.ToLower(m[1])
		isIt := func(c string) bool { return strings.HasPrefix(c, sha) }
		link := Revert{Revert: p.Ref, Commit: sha, Because: "commit"}
		near := x.byCommit[namedIn{p.Ref.Repo, sha[:shortCommit]}]
		if ref, ok := only(p, near, func(other Merged) bool { return slices.ContainsFunc(other.Commits, isIt) }); ok {
			link.Reverted = ref
		}
		out = append(out, link)
	}
	return out
}

func byTitle(p Merged, x mergedIndex) []Revert {
	m := revertsTitle.FindStringSubmatch(strings.TrimSpace(p.Title))
	if m == nil {
		return nil
	}
	ref, ok := only(p, x.byTitle[namedIn{p.Ref.Repo, plainTitle(m[1])}], func(Merged) bool { return true })
	if !ok {
		return nil
	}
	return []Revert{{Revert: p.Ref, Reverted: ref, Because: "title"}}
}

// only is the one pull request other than p that matches; false if none or
// several do.
func only(p Merged, pulls []Merged, matches func(Merged) bool) (model.PullRef, bool) {
	var found []model.PullRef
	for _, other := range pulls {
		if other.Ref != p.Ref && matches(other) {
			found = append(found, other.Ref)
		}
	}
	if len(found) != 1 {
		return model.PullRef{}, false
	}
	return found[0], true
}

// plainTitle is a title without the number that squash merges append.
func plainTitle(s string) string { return numberSuffix.ReplaceAllString(strings.TrimSpace(s), "") }
