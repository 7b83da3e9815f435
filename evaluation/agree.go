package evaluation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/unidiff"
)

// Agreement says how far a run's judge can be trusted.
type Agreement struct {
	Comments int `json:"comments"` // judged ones
	// Repeats is Krippendorff's alpha of the labels of the repeats; Unanimous the
	// share of comments to which all gave one label. Null for a single repeat.
	Repeats   stats.Estimate `json:"repeats_alpha"`
	Unanimous stats.Number   `json:"unanimous"`
	// Matched is alpha on what changes a score: whether a comment was matched.
	Matched stats.Estimate `json:"repeats_alpha_matched"`
	// Positions tests whether labels depend on the position among the comments
	// shown; null where the judge is not shown them in an order that was drawn.
	Positions *stats.Positions `json:"positions"`
	Order     Flips            `json:"order"`
	// Others are comparisons with another judge and with people.
	Others []Comparison `json:"others"`
}

// Flips counts labels that changed from one repeat to the next: of comments that
// moved to another third of those shown, and of those that did not. More among
// the moved ones than among the others is a bias of position.
type Flips struct {
	Moved        int `json:"moved"`
	MovedFlipped int `json:"moved_flipped"`
	Still        int `json:"still"`
	StillFlipped int `json:"still_flipped"`
}

// add counts a comment's repeats among n comments shown.
func (f *Flips) add(rounds []Opinion, n int) {
	for i := 1; i < len(rounds); i++ {
		moved, flipped := &f.Still, &f.StillFlipped
		if rounds[i].Shown*3/n != rounds[i-1].Shown*3/n {
			moved, flipped = &f.Moved, &f.MovedFlipped
		}
		*moved++
		if rounds[i].Label != rounds[i-1].Label {
			*flipped++
		}
	}
}

// Comparison is the agreement of the run's majority with somebody else.
type Comparison struct {
	With    string          `json:"with"`
	Labels  stats.Agreement `json:"labels"`
	Matched stats.Agreement `json:"matched"` // on what changes a score
}

// judgedComment is one judged comment of a run.
type judgedComment struct {
	key     RecordKey
	index   int
	comment Comment
	judged  Judged
	rounds  []Opinion
}

func (c judgedComment) id() string { return fmt.Sprintf("%s#%d", c.key, c.index) }

// judgedComments lists the judged comments of some results, in their order.
func judgedComments(results []Result) []judgedComment {
	var out []judgedComment
	for _, r := range results {
		if r.Outcome != Scored || r.Judgement == nil {
			continue
		}
		for i, j := range r.Judgement.Comments {
			c := judgedComment{key: r.RecordKey, index: i, comment: r.Reading.Comments[i], judged: j}
			for _, round := range r.Judgement.Rounds {
				c.rounds = append(c.rounds, round[i])
			}
			out = append(out, c)
		}
	}
	return out
}

// Agree measures a judge against itself: its repeats, and the positions at which
// comments were shown.
func Agree(p Plan, results []Result) Agreement {
	o := p.Statistics()
	all := judgedComments(results)
	a := Agreement{Comments: len(all), Others: []Comparison{}}
	var positions []stats.Shown
	shown := map[RecordKey]int{}
	for _, c := range all {
		shown[c.key]++
	}
	var byLabel, byMatch []stats.Unit
	unanimous := 0
	for _, c := range all {
		label, match := stats.Unit{Cluster: pullOf(c.key.Task)}, stats.Unit{Cluster: pullOf(c.key.Task)}
		for i, o := range c.rounds {
			label.Labels = append(label.Labels, o.Label)
			match.Labels = append(match.Labels, matched(len(o.Matches) > 0))
			positions = append(positions, stats.Shown{List: fmt.Sprintf("%s/%d", c.key, i), Position: o.Shown, Label: o.Label})
		}
		if n := shown[c.key]; n >= 3 {
			a.Order.add(c.rounds, n)
		}
		byLabel, byMatch = append(byLabel, label), append(byMatch, match)
		if c.judged.Unanimous {
			unanimous++
		}
	}
	a.Repeats, a.Matched = stats.Alpha(o, byLabel), stats.Alpha(o, byMatch)
	a.Unanimous = ratio(float64(unanimous), float64(len(all)))
	if p.Judge.Provider != ProviderRules && p.Judge.Mode == ModeRecord {
		tested := stats.TestPositions(o, labels, positions)
		a.Positions = &tested
	}
	return a
}

func matched(yes bool) string {
	if yes {
		return "matched"
	}
	return "not matched"
}

// AgreeWith compares a run's majority with that of another run on the same
// comments of the same answers.
func AgreeWith(o stats.Options, name string, results, others []Result) (Comparison, error) {
	theirs := map[string]judgedComment{}
	for _, c := range judgedComments(others) {
		theirs[c.id()] = c
	}
	var byLabel, byMatch []stats.Rated
	for _, c := range judgedComments(results) {
		other, ok := theirs[c.id()]
		if !ok || other.comment.Body != c.comment.Body {
			continue
		}
		byLabel = append(byLabel, stats.Rated{Cluster: pullOf(c.key.Task), A: c.judged.Label, B: other.judged.Label})
		byMatch = append(byMatch, stats.Rated{Cluster: pullOf(c.key.Task), A: matched(c.judged.Match != ""), B: matched(other.judged.Match != "")})
	}
	if len(byLabel) == 0 {
		return Comparison{}, fmt.Errorf("the two runs have no judged comment in common")
	}
	return Comparison{With: name, Labels: stats.Kappa(o, byLabel), Matched: stats.Kappa(o, byMatch)}, nil
}

// SheetRow is one comment for people to label: nothing in it says who wrote it,
// in which configuration, or what the judge said.
type SheetRow struct {
	ID      string // S1, S2, ...
	Task    string
	URL     string // of the pull request
	File    string
	Line    string
	Comment string
	Truth   string // the people's comments with their ids
	Code    string // the diff around the comment's line; "" where it names none
	Label   string // to fill in
	Match   string // to fill in: an id of Truth
}

// Sheet draws comments to label by hand, the same number of each label of the
// judge as far as there are, in an order that says nothing. The same results,
// number and seed give the same sheet.
func Sheet(results []Result, items map[string]Item, n int, seed uint64) ([]SheetRow, error) {
	var rows []SheetRow
	for i, c := range drawn(results, n, seed) {
		key, err := items[c.key.Task].Review()
		if err != nil {
			return nil, err
		}
		row := SheetRow{ID: fmt.Sprintf("S%d", i+1), Task: c.key.Task, URL: key.URL, Code: codeAt(key.Diff, c.comment), File: c.comment.File, Comment: c.comment.Body}
		if c.comment.Line != nil {
			row.Line = fmt.Sprint(*c.comment.Line)
		}
		var truth []string
		for _, t := range key.Truth {
			truth = append(truth, fmt.Sprintf("[%s] %s: %s", t.ID, t.File, t.Body))
		}
		row.Truth = strings.Join(truth, "\n\n")
		rows = append(rows, row)
	}
	return rows, nil
}

// How much of a diff a sheet shows.
const (
	sheetLines = 15   // before and after the comment's line
	sheetBytes = 8000 // in all
)

// codeAt is the part of a diff that a comment points at: the lines around its
// line, or the first hunk of its file.
func codeAt(diff string, c Comment) string {
	parsed, err := unidiff.Parse(diff)
	if err != nil {
		return "" // the sheet's reader has the URL
	}
	f := parsed.Lookup(c.File)
	if f == nil {
		return ""
	}
	for i, h := range f.Hunks {
		at := slices.IndexFunc(h.Lines, func(l unidiff.Line) bool { return c.Line != nil && l.New == *c.Line })
		if at < 0 && (c.Line != nil || i > 0) {
			continue
		}
		var b strings.Builder
		for _, l := range h.Lines[max(0, at-sheetLines):min(len(h.Lines), max(0, at)+sheetLines+1)] {
			fmt.Fprintf(&b, "%c%s\n", l.Kind, l.Text)
		}
		return strings.ToValidUTF8(b.String()[:min(b.Len(), sheetBytes)], "")
	}
	return ""
}

// drawn are the comments of a sheet.
func drawn(results []Result, n int, seed uint64) []judgedComment {
	byLabel := map[string][]judgedComment{}
	for _, c := range judgedComments(results) {
		byLabel[c.judged.Label] = append(byLabel[c.judged.Label], c)
	}
	var out []judgedComment
	for left, at := min(n, len(judgedComments(results))), 0; left > 0; at++ {
		for _, label := range labels {
			if of := byLabel[label]; at < len(of) && left > 0 {
				out = append(out, of[shuffle(seed, label, len(of))[at]])
				left--
			}
		}
	}
	order := shuffle(seed, "sheet", len(out))
	sorted := make([]judgedComment, len(out))
	for i, j := range order {
		sorted[i] = out[j]
	}
	return sorted
}

// AgreeWithPeople compares a run's majority with labels that people filled into
// a sheet of the same number and seed. Rows without a label are left out.
func AgreeWithPeople(o stats.Options, results []Result, sheet []SheetRow, seed uint64) (Comparison, error) {
	comments := drawn(results, len(sheet), seed)
	var byLabel, byMatch []stats.Rated
	for i, row := range sheet {
		label := strings.ToUpper(strings.TrimSpace(row.Label))
		switch {
		case label == "":
			continue
		case !slices.Contains(labels, label):
			return Comparison{}, fmt.Errorf("%s has the label %q, want one of %s", cmp.Or(row.ID, "a row"), row.Label, strings.Join(labels, ", "))
		case i >= len(comments) || row.ID != fmt.Sprintf("S%d", i+1) || row.Comment != comments[i].comment.Body:
			return Comparison{}, fmt.Errorf("%s is not of a sheet of this run with this seed", cmp.Or(row.ID, "a row"))
		}
		c := comments[i]
		byLabel = append(byLabel, stats.Rated{Cluster: pullOf(c.key.Task), A: c.judged.Label, B: label})
		byMatch = append(byMatch, stats.Rated{Cluster: pullOf(c.key.Task), A: matched(c.judged.Label == confirmed), B: matched(label == confirmed)})
	}
	if len(byLabel) == 0 {
		return Comparison{}, fmt.Errorf("no row of the sheet has a label")
	}
	return Comparison{With: "people", Labels: stats.Kappa(o, byLabel), Matched: stats.Kappa(o, byMatch)}, nil
}
