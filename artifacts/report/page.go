package report

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/page"
	"github.com/prforge/prforge/internal/verdict"
)

// The page's sources. They are concatenated: there is no build step.
var (
	//go:embed overview.js
	overviewJS string
	//go:embed repositories.js
	repositoriesJS string
	//go:embed list.js
	listJS string
	//go:embed comments.js
	commentsJS string
	//go:embed pull.js
	pullJS string
	//go:embed diff.js
	diffJS string
	//go:embed contexts.js
	contextsJS string
	//go:embed report.js
	reportJS string
)

// PageOptions select what a page holds besides the dataset's own files, and its form.
type PageOptions struct {
	// Raw is the raw records; nil leaves the page without the texts of rejected pull requests.
	Raw Raw
	// Create opens a file beside the page, by its slash path; nil makes a page of
	// one file (page.Page).
	Create func(path string) (io.WriteCloser, error)
}

// WriteHTML writes the whole dataset as a page that opens from disk and makes no requests: its policy admits only its
// one script and its one style, by their hashes. Strangers' texts are in blocks of data. The script reads them on
// demand and only ever shows them as text. Equal datasets give equal bytes.
func WriteHTML(w io.Writer, r *load.Reader, o PageOptions) error {
	s, err := Summarize(r)
	if err != nil {
		return err
	}
	p := page.Page{
		Name: "prforge audit", Title: s.Name, Create: o.Create,
		Views: []page.View{{Name: "", Label: "Overview"}, {Name: "pulls", Label: "Pull requests"},
			{Name: "comments", Label: "Comments"}, {Name: "repos", Label: "Repositories"}},
		Keys: []page.Key{
			{Keys: "/", Does: "search"}, {Keys: "j k ↓ ↑", Does: "next and previous in a list; comment in a pull request"},
			{Keys: "Enter", Does: "open; in the search the first hit"},
			{Keys: "n p", Does: "next and previous page, or pull request"},
			{Keys: "Esc", Does: "back"}, {Keys: "?", Does: "this help"},
		},
		Script: overviewJS + repositoriesJS + listJS + commentsJS + pullJS + diffJS + contextsJS + bugsJS + reportJS,
	}
	if r.Manifest.NotForPublication {
		p.Note = artifacts.NotForPublication
	}
	x, err := newIndex(r, s)
	if err != nil {
		return err
	}
	asks := r.Manifest.Benchmark == artifacts.Bugs
	if asks {
		p.Views[2] = page.View{Name: "questions", Label: "Questions"} // nobody's comments are kept
		if x.Bugs, err = load.SummarizeBugs(r); err != nil {
			return err
		}
	}
	out, err := p.Begin(w, x)
	if err != nil {
		return err
	}
	if err := writeBlocks(out, r, o); err != nil {
		return err
	}
	if asks {
		if err := writeQuestions(out, r.Dir); err != nil {
			return err
		}
	}
	return out.Close()
}

func newIndex(r *load.Reader, s *Summary) (*index, error) {
	m := &r.Manifest
	x := &index{
		Summary: s, Manifest: manifest{m.Tokenizer, m.Encoder, string(m.Profile), string(m.Revision), m.Parameters},
		Codes: map[verdict.Code]string{},
	}
	for _, reason := range verdict.Reasons() {
		x.Codes[reason.Code] = reason.Text
	}
	split, err := load.ReadJSON[model.Split](r.Dir, artifacts.FileSplit)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the other benchmarks have none
		return nil, err
	}
	x.Split = split
	return x, nil
}

// blocks writes the page's data of pull requests.
type blocks struct {
	rows                  map[string]*row // by OWNER/NAME#N
	place                 map[*row]int
	why, talk, diff, went *page.Chunks
	terms                 page.Terms
	hunkLines             int // of rejected pull requests, 0 for all
}

// hunkLines is how many lines of a hunk of a rejected pull request a page of one file has: as many as the page shows
// at first (HUNK_LINES in hunk.js), less the head.
const hunkLines = 11

func writeBlocks(w *page.Writer, r *load.Reader, o PageOptions) error {
	l, err := readLists(r)
	if err != nil {
		return err
	}
	b := &blocks{
		rows: map[string]*row{}, place: map[*row]int{},
		why: w.Chunks("why"), talk: w.Chunks("talk"), diff: w.Chunks("diff"), went: w.Chunks("went"),
	}
	if o.Create == nil {
		b.hunkLines = hunkLines
	}
	for i, p := range l.Pulls {
		b.rows[key(p.Repo, p.Number)+p.Record], b.place[p] = p, i
	}
	if err := b.tasks(r); err != nil {
		return err
	}
	if err := b.dropped(r); err != nil {
		return err
	}
	if err := b.raw(o.Raw); err != nil {
		return err
	}
	if err := errors.Join(b.why.Flush(), b.talk.Flush(), b.diff.Flush(), b.went.Flush()); err != nil {
		return err
	}
	if err := w.Terms("terms", &b.terms); err != nil {
		return err
	}
	return w.Block("lists", l)
}

func readLists(r *load.Reader) (*lists, error) {
	l := &lists{Pulls: []*row{}, Repositories: []*artifacts.RepositoryAudit{}}
	for d, err := range r.Decisions() {
		if err != nil {
			return nil, err
		}
		if isRow(d) {
			l.Pulls = append(l.Pulls, &row{Repo: d.Repo, Number: *d.PRNumber, Record: d.Item, Outcome: d.Outcome, Stage: d.Stage,
				Code: d.Code, Detail: d.Detail})
		}
	}
	for a, err := range r.Repositories() {
		if err != nil {
			return nil, err
		}
		l.Repositories = append(l.Repositories, a)
	}
	return l, nil
}

// isRow reports whether a decision is about a pull request, or about a further
// record of one.
func isRow(d *artifacts.Decision) bool {
	return (d.Kind == artifacts.KindPullRequest || d.Kind == artifacts.KindRevision) && d.PRNumber != nil
}

func key(repo string, number int) string { return fmt.Sprintf("%s#%d", repo, number) }

// tasks writes the data of the released pull requests.
func (b *blocks) tasks(r *load.Reader) error {
	if bench := r.Manifest.Benchmark; bench != artifacts.Review && bench != "" { // the others have no reviews to tell of
		return nil
	}
	for t, err := range r.Tasks() {
		if err != nil {
			return err
		}
		p := b.rows[artifacts.NameOf(&t.Record)]
		if p == nil || p.Why != 0 {
			continue // the dataset contradicts itself: verify says so
		}
		p.fill(t)
		if p.Why, err = b.why.Add(b.place[p], why{t.Evidence.Verdicts, newFacts(t)}); err != nil {
			return err
		}
		said, code := ofTask(t)
		if err := b.words(p, said, code); err != nil {
			return err
		}
	}
	return nil
}

func (p *row) fill(t *artifacts.Task) {
	r := &t.Record
	p.Title, p.Language, p.Difficulty, p.PRType, p.RVS = r.Title, r.Language, r.Difficulty, r.PRType, r.RVSScore
	p.Task, p.GroundTruth, p.Lines, p.Files = r.TaskID, len(t.Annotation.Comments), r.LinesAdded+r.LinesRemoved,
		r.FilesChanged
	for _, c := range t.Contexts {
		p.Tokens = append(p.Tokens, c.TotalTokens)
	}
}

// words writes the conversation of a pull request and the code that it is about.
func (b *blocks) words(p *row, said *talk, code *diff) (err error) {
	p.Labels, p.At = said.labels(), said.index(&b.terms)
	if p.Talk, err = b.talk.Add(b.place[p], said); err != nil {
		return err
	}
	p.Diff, err = b.diff.Add(b.place[p], code)
	return err
}

// dropped writes the verdicts about what was not released. For an item that was neither released nor rejected a
// dataset has only the last verdict.
func (b *blocks) dropped(r *load.Reader) error {
	for d, err := range r.Rejections() {
		if err != nil {
			return err
		}
		if err := b.verdicts(b.rows[d.Name()], d.Verdicts); err != nil {
			return err
		}
	}
	for d, err := range r.Decisions() {
		if err != nil {
			return err
		}
		if !isRow(d) {
			continue
		}
		last := artifacts.VerdictLine{Filter: d.Stage, Outcome: verdict.Outcome(d.Outcome), Code: d.Code, Detail: d.Detail,
			Evidence: d.Evidence}
		if err := b.verdicts(b.rows[d.Name()], []artifacts.VerdictLine{last}); err != nil {
			return err
		}
	}
	return nil
}

func (b *blocks) verdicts(p *row, lines []artifacts.VerdictLine) (err error) {
	if p != nil && p.Why == 0 {
		p.Why, err = b.why.Add(b.place[p], why{Verdicts: lines})
	}
	return err
}

// raw writes what only the raw records hold: the conversations of pull requests that were not released, and the later
// code of the released ones.
func (b *blocks) raw(facts Raw) error {
	if facts == nil {
		return nil
	}
	for f, err := range facts {
		if err != nil {
			return err
		}
		if s := f.Seen; s != nil {
			if p := b.rows[key(s.Repo, s.Number)]; p != nil && p.Talk == 0 {
				p.Title = s.Title
				said, code := ofSeen(s, b.hunkLines)
				if err := b.words(p, said, code); err != nil {
					return err
				}
			}
			continue
		}
		if p := b.rows[key(f.Repo, f.Number)]; p != nil && p.Task != "" && p.Went == 0 && len(f.Revisions) > 0 {
			if p.Went, err = b.went.Add(b.place[p], f.Revisions); err != nil {
				return err
			}
		}
	}
	return nil
}
