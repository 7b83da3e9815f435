package model

import (
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

// Candidate is one pull request on its way through the pipeline. Every section
// is written once, by the stage named beside it; nil means "not reached".
type Candidate struct {
	Repo       *Repository        // collect
	Pull       *PullRequest       // collect
	Labels     *Labels            // label
	Diff       *Diff              // fetch-diff
	Parsed     *unidiff.Diff      // fetch-diff: Diff.Text; nil where it cannot be parsed, as ParseError says
	ParseError error              // fetch-diff
	Base       *Base              // fetch-base
	Sources    bool               // fetch-base: the tree at the fork point can be read
	Revisions  []RevisionDiff     // fetch-base: one for each earlier commit commented on, by From
	Final      *Final             // what was merged; its parts are written by fetch-diff and fetch-base
	Reviewed   *Reviewed          // revision: the revision that the candidate shows; nil in final mode
	States     []CommentState     // code-state: one for every comment, in the order of Labels.Comments
	Anchors    []Anchor           // anchor: one for every comment, in the order of Labels.Comments
	RVS        *RVS               // score
	Grade      *Grade             // grade
	Decisions  []verdict.Decision // one for each stage passed, in order
}

// SetDiff sets the diff and parses it. Nil means that there is none.
func (c *Candidate) SetDiff(d *Diff) {
	c.Diff, c.Parsed, c.ParseError = d, nil, nil
	if d != nil {
		c.Parsed, c.ParseError = unidiff.Parse(d.Text)
	}
}

// SetFinalDiff sets the diff of what was merged, which is the candidate's own
// unless it shows a reviewed revision.
func (c *Candidate) SetFinalDiff(d *Diff) {
	c.Final.Diff, c.Final.Parsed = d, nil
	if c.Reviewed == nil {
		c.SetDiff(d)
		c.Final.Parsed = c.Parsed
		return
	}
	if d != nil {
		c.Final.Parsed, _ = unidiff.Parse(d.Text) // one that cannot be parsed is none
	}
}
