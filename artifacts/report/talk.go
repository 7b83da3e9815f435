package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/page"
)

// talk is the conversation of a pull request.
type talk struct {
	URL         string          `json:"url"`
	Author      string          `json:"author"`
	CreatedAt   string          `json:"created_at"`
	MergedAt    string          `json:"merged_at,omitempty"`
	Description []markdown.Node `json:"description"`
	Comments    []comment       `json:"comments"`
}

// comment is a review comment; its hunk is an index into the list of hunks.
type comment struct {
	ID         string             `json:"id"` // c_N, or GitHub's
	URL        string             `json:"url"`
	Author     string             `json:"author"`
	Class      model.AccountClass `json:"class"`
	BotBecause *string            `json:"bot_because,omitempty"`
	CreatedAt  string             `json:"created_at"`
	Text       []markdown.Node    `json:"text"`
	Hunk       int                `json:"hunk"`
	Thread     int                `json:"thread"`
	Reply      bool               `json:"reply,omitempty"`

	Path           string             `json:"path"`
	Side           model.Side         `json:"side"`
	Line           *int               `json:"line,omitempty"`
	OriginalPath   string             `json:"original_path,omitempty"` // where it is another
	OriginalLine   *int               `json:"original_line,omitempty"`
	OriginalCommit *string            `json:"original_commit,omitempty"`
	Anchor         model.AnchorMethod `json:"anchor,omitempty"`
	AnchorNote     string             `json:"anchor_note,omitempty"`
	InDiff         bool               `json:"in_diff,omitempty"`
	VisibleIn      *[]string          `json:"visible_in,omitempty"`

	CodeState  *model.CodeState  `json:"code_state,omitempty"`
	Distance   *int              `json:"distance,omitempty"`
	Standing   *bool             `json:"standing,omitempty"`
	Elsewhere  *string           `json:"elsewhere,omitempty"` // what the comment names and was changed elsewhere
	Validation *model.Validation `json:"validation,omitempty"`
	Difficulty *string           `json:"difficulty,omitempty"` // class of a ground-truth comment, and why

	Outdated bool `json:"outdated,omitempty"`
	Resolved bool `json:"resolved,omitempty"`
	Hidden   bool `json:"hidden,omitempty"` // minimized on GitHub

	Label    string       `json:"label"` // truth, or the reason that it is none
	AIRule   *string      `json:"ai_rule,omitempty"`
	Rules    []model.Rule `json:"rules"`
	Severity *string      `json:"severity,omitempty"`
	Blocking *bool        `json:"blocking,omitempty"`
	Change   bool         `json:"change,omitempty"` // a change is required
}

// newComment leaves hunks to the caller.
func newComment(c *artifacts.EvidenceComment) comment {
	out := comment{
		ID: strconv.FormatInt(c.DatabaseID, 10), URL: c.URL, Author: c.Author, Class: c.Class, BotBecause: c.BotBecause,
		CreatedAt: c.CreatedAt,
		Text:      markdown.Tree(c.Body), Thread: c.Thread, Reply: c.ReplyTo != nil,
		Path: c.Path, Side: c.Side, Line: c.Line, OriginalLine: c.OriginalLine, OriginalCommit: c.OriginalCommit,
		Anchor: c.Anchor, AnchorNote: c.AnchorNote, InDiff: c.IsInDiff, VisibleIn: c.VisibleIn,
		CodeState: c.CodeState, Distance: c.Distance, Standing: c.Standing, Elsewhere: c.ElsewhereNamed,
		Validation: c.Validation,
		Outdated:   c.Outdated, Resolved: c.Resolved, Hidden: c.Minimized, Label: label(c), AIRule: c.AIRule, Rules: c.Rules,
		Severity: c.Severity, Blocking: c.IsBlocking, Change: c.RequiresChange,
	}
	if c.CommentID != nil {
		out.ID = *c.CommentID
	}
	if c.OriginalPath != c.Path {
		out.OriginalPath = c.OriginalPath
	}
	return out
}

// label is the label of a comment in a list.
func label(c *artifacts.EvidenceComment) string {
	switch {
	case c.GroundTruth:
		return truth
	case c.Reason != nil:
		return *c.Reason
	}
	return "unlabeled"
}

// said adds comments to the conversation, and their hunks to the code.
func (t *talk) said(d *diff, comments []artifacts.EvidenceComment) {
	places := map[string]int{}
	for i := range comments {
		c := newComment(&comments[i])
		hunk := comments[i].DiffHunk
		place, ok := places[hunk]
		if !ok {
			place = len(d.Hunks)
			places[hunk] = place
			d.Hunks = append(d.Hunks, hunk)
		}
		c.Hunk = place
		t.Comments = append(t.Comments, c)
	}
}

// labels counts the comments by their labels.
func (t *talk) labels() map[string]int {
	out := map[string]int{}
	for _, c := range t.Comments {
		out[c.Label]++
	}
	return out
}

// index adds the description and then each comment to an index, and returns the
// number of the description.
func (t *talk) index(terms *page.Terms) int {
	first := terms.Text()
	words(terms, t.Description)
	for i := range t.Comments {
		terms.Text()
		t.Comments[i].index(terms)
	}
	return first
}

// index adds the search text of a comment.
func (c *comment) index(terms *page.Terms) {
	terms.Words(c.Author)
	terms.Words(c.Path)
	words(terms, c.Text)
	terms.Fact("label", c.Label)
	terms.Fact("author", string(c.Class))
	terms.Fact("anchor", string(c.Anchor))
	for _, r := range c.Rules {
		if !r.Passed {
			terms.Fact("rule", r.ID)
		}
	}
	if c.CodeState != nil {
		terms.Fact("state", string(*c.CodeState))
	}
	if c.Validation != nil {
		terms.Fact("validation", string(*c.Validation))
	}
	if c.VisibleIn != nil {
		for _, config := range *c.VisibleIn {
			terms.Fact("shown", config)
		}
		if len(*c.VisibleIn) == 0 {
			terms.Fact("shown", "nowhere")
		}
	}
	for mark, is := range map[string]bool{
		"changed_line": c.InDiff, "no_changed_line": !c.InDiff, "requires_change": c.Change, "blocking": c.Blocking != nil &&
			*c.Blocking,
		"outdated": c.Outdated, "resolved": c.Resolved, "hidden": c.Hidden, "reply": c.Reply,
		"changed_elsewhere": c.Elsewhere != nil && *c.Elsewhere != "",
	} {
		if is {
			terms.Fact("at", mark)
		}
	}
}

// words adds the words of a text as it was laid out.
func words(terms *page.Terms, nodes []markdown.Node) {
	for _, n := range nodes {
		terms.Words(n.Text)
		words(terms, n.Nodes)
	}
}

// ofTask returns the conversation of a record, and its code.
func ofTask(t *artifacts.Task) (*talk, *diff) {
	e := &t.Evidence
	said := &talk{URL: t.Record.PRURL, Author: e.Author, CreatedAt: e.CreatedAt, MergedAt: t.Record.MergedAt,
		Description: markdown.Tree(t.Record.Description), Comments: []comment{}}
	code := &diff{Text: t.Record.DiffPatch, Hunks: []string{}}
	code.addContexts(t.Contexts)
	said.said(code, e.Comments)
	for i := range said.Comments {
		if class, ok := e.Difficulty.Comments[said.Comments[i].ID]; ok {
			says := string(class.Class)
			if class.Because != "" {
				says += ": " + class.Because
			}
			said.Comments[i].Difficulty = &says
		}
	}
	return said, code
}

// ofSeen returns the conversation of a pull request that was not released. It keeps the last lines of each hunk, up
// to a number; 0 keeps all.
func ofSeen(s *convert.Seen, lines int) (*talk, *diff) {
	said := &talk{URL: s.URL, Author: s.Author, CreatedAt: s.CreatedAt, MergedAt: s.MergedAt,
		Description: markdown.Tree(s.Description), Comments: []comment{}}
	code := &diff{Hunks: []string{}}
	said.said(code, s.Comments)
	for i, hunk := range code.Hunks {
		code.Hunks[i] = endOf(hunk, lines)
	}
	return said, code
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)`)

// endOf is the end of a hunk, which a comment is about. Its head has the new beginning and the number of omitted
// lines.
func endOf(hunk string, lines int) string {
	all := strings.Split(hunk, "\n")
	head := hunkHead.FindStringSubmatch(hunk)
	if lines == 0 || head == nil || len(all) <= lines+1 {
		return hunk
	}
	left, _ := strconv.Atoi(head[1])  // digits, by the pattern
	right, _ := strconv.Atoi(head[2]) // likewise
	out := len(all) - lines
	for _, line := range all[1:out] {
		switch {
		case strings.HasPrefix(line, "+"):
			right++
		case strings.HasPrefix(line, "-"):
			left++
		case !strings.HasPrefix(line, `\`):
			left, right = left+1, right+1
		}
	}
	return fmt.Sprintf("@@ -%d +%d @@ lines above in the page as a folder: %d\n%s", left, right, out-1,
		strings.Join(all[out:], "\n"))
}

// addContexts adds the contexts, which share most of their layers.
func (d *diff) addContexts(contexts []artifacts.Context) {
	for _, c := range contexts {
		x := shownText{c.ConfigName, c.TotalTokens, []int{}}
		for _, l := range artifacts.Layers(c.Rendered) {
			place := slices.IndexFunc(d.Layers, func(other artifacts.Layer) bool {
				return other.Heading == l.Heading && slices.Equal(other.Parts, l.Parts)
			})
			if place < 0 {
				place = len(d.Layers)
				d.Layers = append(d.Layers, l)
			}
			x.Layers = append(x.Layers, place)
		}
		d.Contexts = append(d.Contexts, x)
	}
}
