package fakegithub

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// searchLimit is the number of results that GitHub's search gives at most.
const searchLimit = 1000

// search answers queries for pull requests: repo:, is:, type:, author:, base:,
// and merged:, closed:, created:, updated: with a date, a comparison or a range.
// Words without a colon and unknown qualifiers match nothing, rather than
// everything.
func (c *call) search() (any, error) {
	if c.text("type") == "REPOSITORY" {
		return c.searchRepositories()
	}
	var found []*pullState
	for _, r := range c.query.site.repos {
		if !r.readable() {
			continue
		}
		for _, p := range r.pulls {
			if p.matches(strings.Fields(c.text("query"))) {
				found = append(found, p)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b *pullState) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return firstResults(c, found)
}

// searchRepositories answers queries for repositories: language:, license:, stars: and
// created:, pushed: with a number or date, a comparison or a range; archived:, is:public,
// fork: and sort:. The most stars come first.
func (c *call) searchRepositories() (any, error) {
	var found []*repoState
	for _, r := range c.query.site.repos {
		if r.readable() && r.matches(strings.Fields(c.text("query"))) {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b *repoState) int { return b.Stars - a.Stars })
	return firstResults(c, found)
}

// firstResults is a page of what GitHub's search gives of so many hits.
func firstResults[T any](c *call, found []T) (any, error) {
	p, err := paged(anyList(found[:min(len(found), searchLimit)]), c.args)
	if err != nil {
		return nil, err
	}
	p.total = len(found)
	return p, nil
}

func (r *repoState) matches(terms []string) bool {
	for _, term := range terms {
		key, value, _ := strings.Cut(term, ":")
		value = strings.Trim(value, `"`)
		ok := false
		switch key {
		case "language":
			ok = strings.EqualFold(value, r.Language)
		case "license":
			ok = strings.EqualFold(value, r.License)
		case "archived":
			ok = value == strconv.FormatBool(r.IsArchived)
		case "is":
			ok = value == "public" && r.Access == Public
		case "stars":
			low, high, span := strings.Cut(value, "..")
			ok = span && !less(strconv.Itoa(r.Stars), low) && (high == "*" || !less(high, strconv.Itoa(r.Stars)))
		case "created":
			ok = inRange(value, r.CreatedAt)
		case "pushed":
			ok = inRange(value, r.pushedAt())
		case "sort":
			ok = true
		}
		if !ok {
			return false
		}
	}
	return true
}

// less compares numbers in text; what is none is least.
func less(a, b string) bool {
	x, _ := strconv.Atoi(a)
	y, _ := strconv.Atoi(b)
	return x < y
}

func (p *pullState) matches(terms []string) bool {
	for _, term := range terms {
		key, value, ok := strings.Cut(term, ":")
		value = strings.Trim(value, `"`)
		if !ok || !p.fulfills(key, value) {
			return false
		}
	}
	return true
}

func (p *pullState) fulfills(key, value string) bool {
	switch key {
	case "repo":
		return strings.EqualFold(value, p.repo.FullName())
	case "is", "type":
		switch value {
		case "pr", "public":
			return true
		case "closed":
			return p.Method != StillOpen
		}
		return strings.EqualFold(value, p.state())
	case "author":
		return value == p.Author
	case "base":
		return value == p.base(p.repo.Repo)
	case "merged":
		return p.isMerged() && inRange(value, p.ClosedAt)
	case "closed":
		return !p.ClosedAt.IsZero() && inRange(value, p.ClosedAt)
	case "created":
		return inRange(value, p.CreatedAt)
	case "updated":
		return inRange(value, p.updated)
	case "sort":
		return true
	}
	return false
}

// inRange understands A..B, *..B, A..*, >A, >=A, <A, <=A and A, with dates or
// times; a date as an upper end means its whole day.
func inRange(spec string, t time.Time) bool {
	if from, to, ok := strings.Cut(spec, ".."); ok {
		return (from == "*" || compareMoment(t, from) >= 0) && (to == "*" || compareMoment(t, to) <= 0)
	}
	for _, op := range []struct {
		sign string
		ok   func(int) bool
	}{
		{">=", func(c int) bool { return c >= 0 }}, {"<=", func(c int) bool { return c <= 0 }},
		{">", func(c int) bool { return c > 0 }}, {"<", func(c int) bool { return c < 0 }},
		{"", func(c int) bool { return c == 0 }},
	} {
		if moment, ok := strings.CutPrefix(spec, op.sign); ok {
			return op.ok(compareMoment(t, moment))
		}
	}
	return false
}

// compareMoment compares a time with a date or time in text: at the precision
// of the text.
func compareMoment(t time.Time, text string) int {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return t.UTC().Truncate(24 * time.Hour).Compare(day)
	}
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return -2 // matches no lower end
	}
	return t.Compare(moment)
}
