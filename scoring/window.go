package scoring

import (
	"fmt"
	"slices"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// WindowOptions select the pull requests of a repository (spec section 2).
type WindowOptions struct {
	Since, Until time.Time // merged or closed in [Since, Until)
	MaxPulls     int       // at most so many merged ones, and so many closed ones
}

// Split selects pull requests: merged within the window, newest first, up to a limit; those beyond are over. It also
// selects pull requests closed without a merge in the same span, for the audit.
func (o WindowOptions) Split(census *model.Census) (inside, over []model.PullSummary) {
	var merged, closed []model.PullSummary
	for _, p := range census.Pulls {
		switch {
		case !o.contains(p):
		case p.MergedAt != nil:
			merged = append(merged, p)
		default:
			closed = append(closed, p)
		}
	}
	newestFirst(merged)
	newestFirst(closed)
	if len(merged) > o.MaxPulls {
		merged, over = merged[:o.MaxPulls:o.MaxPulls], merged[o.MaxPulls:]
	}
	if len(over) > 0 {
		oldest := *merged[len(merged)-1].MergedAt
		closed = slices.DeleteFunc(closed, func(p model.PullSummary) bool { return p.ClosedAt.Before(oldest) })
	}
	closed = closed[:min(len(closed), o.MaxPulls)]
	return append(merged, closed...), over
}

func (o WindowOptions) contains(p model.PullSummary) bool {
	at := endedAt(p)
	return at != nil && !at.Before(o.Since) && at.Before(o.Until)
}

// Verdict says whether a pull request was merged or closed within the window.
func (o WindowOptions) Verdict(p model.PullSummary) verdict.Verdict {
	found := verdict.Evidence{What: "merged or closed at", Limit: o.Since.Format(time.RFC3339) + " to " +
		o.Until.Format(time.RFC3339)}
	if at := endedAt(p); at != nil {
		found.Found = at.Format(time.RFC3339)
	}
	if !o.contains(p) {
		return verdict.Reject(verdict.OutsideWindow, "it was not merged within the window", found)
	}
	return verdict.Pass(found)
}

// Over is the verdict about a merged pull request beyond the cap.
func (o WindowOptions) Over(p model.PullSummary) verdict.Verdict {
	return verdict.Reject(verdict.OverWindowCap, fmt.Sprintf("%d newer pull requests of the repository are looked at",
		o.MaxPulls),
		verdict.Evidence{What: "merged at", Found: p.MergedAt.Format(time.RFC3339)})
}

// MergedBetween lists the pull requests merged in [from, to), newest first.
func MergedBetween(census *model.Census, from, to time.Time) []model.PullSummary {
	var out []model.PullSummary
	for _, p := range census.Pulls {
		if p.MergedAt != nil && !p.MergedAt.Before(from) && p.MergedAt.Before(to) {
			out = append(out, p)
		}
	}
	newestFirst(out)
	return out
}

// endedAt is when a pull request was merged or closed; nil while it is open.
func endedAt(p model.PullSummary) *time.Time {
	if p.MergedAt != nil {
		return p.MergedAt
	}
	return p.ClosedAt
}

func newestFirst(pulls []model.PullSummary) {
	slices.SortFunc(pulls, func(a, b model.PullSummary) int {
		if c := endedAt(b).Compare(*endedAt(a)); c != 0 {
			return c
		}
		return b.Number - a.Number
	})
}
