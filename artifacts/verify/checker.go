package verify

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// Options are the rules that other packages own. If one is nil, the checks that need it are skipped, and the report
// says so.
type Options struct {
	// Workers is how many tasks, or shards of raw records, are checked at once;
	// less than one means one. The report does not depend on it.
	Workers int
	// Tokenizer is the name of the tokenizer of Tokens; datasets that name another one are not recounted.
	Tokenizer string
	Tokens    func(text string) int
	// Parameters are the limits for a published dataset, whose files do not have them; a dataset of ours has its own
	// in the manifest.
	Parameters artifacts.Parameters
	// Bot is the registry of automation and AI-review accounts.
	Bot func(model.Account) bool
	// Words counts the words of prose in a comment.
	Words func(body string) int
	// SecondScore is the second review value of a record's evidence.
	SecondScore func(*artifacts.Evidence) *artifacts.SecondScore
	// Score is the formula of RVS.
	Score func(model.RVSInputs) model.RVS
}

// Formats of datasets, as the report names them.
const (
	FormatPrforge   = "prforge"
	FormatPublished = "swe-prbench"
)

// checker is one verification.
type checker struct {
	o         Options
	dir       string
	m         *artifacts.Manifest
	r         *load.Reader
	*Tally             // of faults
	warnings  *Tally   // of the parts to check or to know
	validated []string // tasks with enough validated comments
	short     []byte   // what evals/short.jsonl must hold
	told      []told   // by the records read so far
	skipped   []string

	published bool                        // the layout of the published dataset: no manifest, no evidence
	languages *languages.Set              // that take part
	count     int                         // of records
	tasks     map[string]model.Difficulty // by task id
	released  map[string]bool             // by artifacts.NameOf
	repos     map[string]int              // records
	decided   decided
	judged    map[int64]model.Judgement // by comment: people's labels
	confirmed map[int64]int             // by comment: how many raters call it ground truth
	pulls     map[string][]told         // by the number of their pull request
}

func (c *checker) skip(what string) { c.skipped = append(c.skipped, what) }

func (c *checker) report(format string) *Report {
	if c.o.Tokens == nil {
		c.skip("token counts: no tokenizer")
	} else if c.m != nil && c.m.Tokenizer != c.o.Tokenizer {
		c.skip(fmt.Sprintf("token counts: the dataset names %s, available is %s", text.Printable(c.m.Tokenizer),
			c.o.Tokenizer))
	}
	if c.o.Bot == nil {
		c.skip("accounts: no registry of bots")
	}
	if c.o.Words == nil {
		c.skip("words of prose: nothing to count them")
	}
	if c.o.Score == nil && !c.published {
		c.skip("parts of RVS from their inputs: no formula")
	}
	r := c.Report(c.dir, format, c.count)
	c.warnings.tell(r)
	r.Skipped = append(r.Skipped, c.skipped...)
	return r
}

// told is the claims of a record that are checked against the others and against the raw records.
type told struct {
	id, pull string            // the task, and OWNER/NAME#N
	words    [sha256.Size]byte // wordsOf its title and description
	asOf     *string           // Evidence.Revision.DescriptionAsOf
	truths   []int64           // the ground truth, by database id
}

// decided is the totals of decisions.jsonl.
type decided struct {
	kinds    map[artifacts.Kind]int
	stages   map[string]map[artifacts.Fate]int
	reasons  map[string]map[string]int
	selected map[string]bool // pull requests
	repos    map[string]artifacts.Fate
	rejected []string // in order
}

// task is one record with its other files and its diff, parsed.
type task struct {
	id       string
	record   *artifacts.Record
	note     *artifacts.Annotation
	evidence *artifacts.Evidence
	contexts []*artifacts.Context
	diff     *changes
}

// changes are the lines of a diff, by displayed path and line number: in the new file for added lines, in the old
// file for the others. A part of a hunk without some of its added lines shifts later lines in the new file, but not
// in the old one.
type changes struct {
	files                     []string
	added, deleted, unchanged map[string]map[int]string
	lines                     [2]int          // how many are added and deleted
	fresh                     map[string]bool // files that did not exist before
	beside                    map[spot]bool   // lines with an added or deleted one directly before or after them
}

// spot is a line of a file on one side of a diff.
type spot struct {
	path string
	side model.Side
	line int
}

func parse(patch string) (*changes, error) {
	diff, err := unidiff.Parse(patch)
	if err != nil {
		return nil, err
	}
	d := &changes{added: map[string]map[int]string{}, deleted: map[string]map[int]string{},
		unchanged: map[string]map[int]string{}, fresh: map[string]bool{}}
	d.beside = map[spot]bool{}
	d.lines = [2]int{diff.AddedLines, diff.DeletedLines}
	for _, f := range diff.Files {
		path := text.Valid(f.Path())
		if !slices.Contains(d.files, path) {
			d.files = append(d.files, path)
			d.added[path], d.deleted[path], d.unchanged[path] = map[int]string{}, map[int]string{}, map[int]string{}
		}
		d.fresh[path] = f.OldPath == ""
		for _, h := range f.Hunks {
			for i, l := range h.Lines {
				if l.Kind == unidiff.Context && (i > 0 && h.Lines[i-1].Kind != unidiff.Context || i+1 < len(h.Lines) &&
					h.Lines[i+1].Kind != unidiff.Context) {
					d.beside[spot{path, model.Left, l.Old}], d.beside[spot{path, model.Right, l.New}] = true, true
				}
				switch l.Kind {
				case unidiff.Added:
					d.added[path][l.New] = l.Text
				case unidiff.Deleted:
					d.deleted[path][l.Old] = l.Text
				default:
					d.unchanged[path][l.Old] = l.Text
				}
			}
		}
	}
	return d, nil
}

// leakRunes is the length of the searched part of a comment: shorter texts are too common, and a renderer would
// hardly break a sentence within it.
const leakRunes = 80

// touches reports whether a line of a file is one that the diff adds (right) or
// deletes (left).
func (d *changes) touches(path string, side model.Side, line int) bool {
	rows := d.added
	if side == model.Left {
		rows = d.deleted
	}
	_, ok := rows[path][line]
	return ok
}
