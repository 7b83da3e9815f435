package find

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Text is a commented list of repositories, to go on from by hand: what passed, then as
// comments what did not, and what was not scored.
func (f *Found) Text(asked string, listed int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Found by prforge repo find %s\n", asked)
	fmt.Fprintf(&b, "# %d repositories, the best %d scored.\n", len(f.Candidates), f.Afford)
	for _, why := range slices.Sorted(maps.Keys(f.LeftOut)) {
		fmt.Fprintf(&b, "# left out: %d %s\n", f.LeftOut[why], why)
	}
	for _, q := range f.Incomplete {
		fmt.Fprintf(&b, "# more than GitHub lists: %s\n", q)
	}
	var failed, open []Candidate
	for _, c := range f.Candidates {
		switch {
		case c.Score == nil:
			open = append(open, c)
		case c.Score.Passes:
			fmt.Fprintf(&b, "%s # score %.1f, %d records expected; %s\n", c.Ref, float64(*c.Score.RQS), c.Score.Yield, c.why())
		default:
			failed = append(failed, c)
		}
	}
	if len(failed) > 0 {
		b.WriteString("\n# Scored, and not good enough:\n")
	}
	for _, c := range failed {
		fmt.Fprintf(&b, "# %s # %s; %s\n", c.Ref, c.verdict(), c.why())
	}
	if len(open) > 0 {
		b.WriteString("\n# Not scored, the most promising first:\n")
	}
	for _, c := range open[:min(len(open), listed)] {
		fmt.Fprintf(&b, "# %s # %s\n", c.Ref, c.why())
	}
	if more := len(open) - listed; more > 0 {
		fmt.Fprintf(&b, "# and %d more\n", more)
	}
	return b.String()
}

func (c Candidate) verdict() string {
	if c.Score.RQS == nil {
		return oneLine(c.Score.Detail)
	}
	return fmt.Sprintf("score %.1f: %s", float64(*c.Score.RQS), oneLine(c.Score.Detail))
}

// oneLine keeps a text from ending its comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// why is what the first look saw.
func (c Candidate) why() string {
	var parts []string
	if c.Merged >= 0 {
		parts = append(parts, fmt.Sprintf("%d merged in the window", c.Merged))
	}
	if a := c.Activity; a != nil {
		parts = append(parts, fmt.Sprintf("%d review comments by people in %d months", a.Comments(), len(a.Months)))
	}
	if f := c.Facts; f != nil {
		parts = append(parts, fmt.Sprintf("%d merged ever", f.Merged), fmt.Sprintf("%d stars", f.Stars), oneLine(f.Language),
			oneLine(f.SPDX))
	}
	return strings.Join(parts, ", ")
}
