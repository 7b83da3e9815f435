package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/unidiff"
)

// Snapshots checks a folder of snapshots beside a dataset: each file, the index and, against the dataset, that no
// record, which shown reads, has anything later. If the dataset is "" it checks only the folder.
func Snapshots(ctx context.Context, dir, dataset string, shown ShownOf) (*Report, error) {
	r, err := load.Open(dir)
	if err != nil {
		return nil, err
	}
	c := &checker{dir: dir, m: &r.Manifest, r: r, Tally: NewTally(Kinds()), warnings: NewTally(Kinds())}
	if err := c.files(ctx); err != nil {
		return nil, err
	}
	of := &snapshotCheck{checker: c, shown: shown}
	if dataset == "" {
		c.skip("no record has anything later: prforge verify DATASET --snapshots DIR compares them with the dataset")
	} else if err := of.open(dataset); err != nil {
		return nil, err
	}
	if err := of.run(ctx); err != nil {
		return nil, err
	}
	report := c.Report(dir, FormatPrforge, c.m.Records)
	c.warnings.tell(report)
	report.Skipped = append(report.Skipped, c.skipped...)
	return report, nil
}

// AddSnapshots adds what is wrong with the snapshots in the dataset of a report, if it has any.
func (r *Report) AddSnapshots(ctx context.Context, shown ShownOf) error {
	d, err := load.Open(r.Dataset)
	if err != nil {
		return err
	}
	c := &checker{dir: r.Dataset, m: &d.Manifest, r: d, Tally: NewTally(Kinds()), warnings: NewTally(Kinds())}
	err = c.snapshotsOf(ctx, shown)
	r.Checks += c.Checks
	r.Faults = append(r.Faults, c.faults()...)
	c.warnings.tell(r)
	return err
}

// snapshots checks the snapshots in a dataset of reviews.
func (c *checker) snapshots(ctx context.Context) error { return c.snapshotsOf(ctx, ReviewsShown) }

// snapshotsOf checks the snapshots in a dataset.
func (c *checker) snapshotsOf(ctx context.Context, shown ShownOf) error {
	if _, has := c.m.Files[artifacts.FileSnapshotIndex]; !has {
		return nil
	}
	return (&snapshotCheck{c, c.r, shown}).run(ctx)
}

// snapshotCheck checks snapshots in one folder against their dataset, which may be the same folder, or nil.
type snapshotCheck struct {
	*checker
	dataset *load.Reader
	shown   ShownOf
}

// open opens the dataset and compares it with the one in the manifest.
func (c *snapshotCheck) open(dataset string) (err error) {
	if c.dataset, err = load.Open(dataset); err != nil {
		return err
	}
	sum, err := load.ManifestDigest(dataset)
	if err != nil {
		return err
	}
	same := c.m.Snapshots != nil && c.m.Snapshots.Manifest == sum
	c.Check(SnapshotIndex, same, "%s: they are of another dataset", artifacts.FileManifest)
	return nil
}

func (c *snapshotCheck) run(ctx context.Context) error {
	index, listed := map[string][]snapshot.Stat{}, map[string]snapshot.Stat{}
	err := lines(c.checker, artifacts.FileSnapshotIndex, schema.Snapshot, func(place string, s *snapshot.Stat) {
		_, twice := listed[s.TaskID]
		c.Check(SnapshotIndex, !twice, "%s: %s comes twice", place, s.TaskID)
		listed[s.TaskID] = *s
		index[s.Repository] = append(index[s.Repository], *s)
	})
	if err != nil {
		return err
	}
	later := map[string][]snapshot.Later{}
	if c.dataset != nil {
		if later, err = c.laterFacts(listed); err != nil {
			return err
		}
	}
	known := map[string]bool{artifacts.FileSnapshotIndex: true}
	repos := slices.Sorted(maps.Keys(index))
	for _, repo := range repos {
		if ref, err := model.ParseRepoRef(repo); c.Check(SnapshotIndex, err == nil, "%s: %q", artifacts.FileSnapshotIndex,
			repo) {
			known[artifacts.FileSnapshots(ref)] = true
		}
	}
	for path := range c.m.Files {
		c.Check(SnapshotIndex, known[path] || !strings.HasPrefix(path, "snapshots/"), "%s is of no record", path)
	}
	_, err = inParallel(c.checker, repos, func(own *checker, repo string) (struct{}, error) {
		return struct{}{}, (&snapshotCheck{own, c.dataset, c.shown}).file(ctx, repo, index[repo], later[repo])
	})
	return err
}

// file checks a repository's file against the lines of the index, and searches it for later content.
func (c *snapshotCheck) file(ctx context.Context, repo string, index []snapshot.Stat, later []snapshot.Later) error {
	ref, err := model.ParseRepoRef(repo)
	if err != nil {
		return nil // noted before
	}
	f, err := load.OpenFile(c.dir, artifacts.FileSnapshots(ref))
	if errors.Is(err, fs.ErrNotExist) {
		c.Note(SnapshotDamaged, "%s is missing", artifacts.FileSnapshots(ref))
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	stats, found, err := searched(ctx, f, later)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !c.Check(SnapshotDamaged, err == nil, "%s: %v", artifacts.FileSnapshots(ref), err) {
		return nil
	}
	for i, s := range stats {
		if s.Problem == "" {
			stats[i].File = artifacts.FileSnapshots(ref)
		}
	}
	same := slices.EqualFunc(stats, index, func(a, b snapshot.Stat) bool {
		x, err := artifacts.CanonicalLine(a)
		y, err2 := artifacts.CanonicalLine(b)
		return err == nil && err2 == nil && bytes.Equal(x, y)
	})
	c.Check(SnapshotIndex, same, "%s: the file of %s holds something else", artifacts.FileSnapshotIndex, repo)
	for _, s := range stats {
		c.warnings.Check(SnapshotDates, len(s.Later) == 0, "%s: %d commits", s.TaskID, len(s.Later))
	}
	for _, f := range found {
		switch f.Kind {
		case snapshot.FoundCommit:
			c.Note(SnapshotCommit, "%s: object %s names %s", f.TaskID, f.Object, f.Text)
		case snapshot.FoundLine:
			c.warnings.Note(SnapshotLines, "%s: file %s has %q", f.TaskID, f.Object, f.Text)
		case snapshot.FoundPassage:
			c.warnings.Note(SnapshotText, "%s: object %s has %q", f.TaskID, f.Object, f.Text)
		}
	}
	return nil
}

// searched reads a file whole.
func searched(ctx context.Context, f io.Reader, later []snapshot.Later) ([]snapshot.Stat, []snapshot.Finding, error) {
	r, err := snapshot.NewReader(f, snapshot.DefaultLimits())
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	found, err := r.Search(ctx, later)
	if err != nil {
		return nil, nil, err
	}
	return r.Stats(), found, nil
}

// laterFacts checks that the index lists the dataset's records, and gathers, by repository, each record's later
// facts.
func (c *snapshotCheck) laterFacts(listed map[string]snapshot.Stat) (map[string][]snapshot.Later, error) {
	records, err := c.shown(c.dataset)
	if err != nil {
		return nil, err
	}
	pulls := map[string][]Shown{} // by their own names
	for _, r := range records {
		s, ok := listed[r.TaskID]
		c.Check(SnapshotIndex, ok && s.Head == r.Head && s.Base == r.Base && s.Repository == r.Repo,
			"%s is not in %s as the record is", r.TaskID, artifacts.FileSnapshotIndex)
		name := r.Repo + "#" + strconv.Itoa(r.Number)
		pulls[name] = append(pulls[name], r)
	}
	c.Check(SnapshotIndex, len(records) == len(listed), "%d records, and %d in %s", len(records), len(listed),
		artifacts.FileSnapshotIndex)
	out := map[string][]snapshot.Later{}
	for path := range c.dataset.Manifest.Files {
		if !strings.HasPrefix(path, artifacts.DirRaw) || path == artifacts.FileAnswers {
			continue
		}
		if err := c.laterIn(path, pulls, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Shown is what a record shows, and what was said of it later.
type Shown struct {
	TaskID, Repo      string
	Number            int
	Head, Base, Title string
	Said              []string // texts of which no object may have a passage
	Commits           []string // that no object may name
}

// ShownOf reads what the records of a dataset show.
type ShownOf func(*load.Reader) ([]Shown, error)

// ReviewsShown is what the records of a dataset of reviews show.
func ReviewsShown(d *load.Reader) ([]Shown, error) {
	var out []Shown
	for r, err := range d.Records() {
		if err != nil {
			return nil, err
		}
		note, err := d.Annotation(r.TaskID)
		if err != nil {
			return nil, err
		}
		shown := Shown{TaskID: r.TaskID, Repo: r.Repo, Number: r.PRNumber, Head: r.HeadCommit, Base: r.BaseCommit,
			Title: r.Title}
		for _, k := range note.Comments {
			shown.Said = append(shown.Said, k.Body)
		}
		out = append(out, shown)
	}
	return out, nil
}

// laterIn reads the later facts from a repository's raw records.
func (c *snapshotCheck) laterIn(path string, pulls map[string][]Shown, out map[string][]snapshot.Later) error {
	f, err := load.OpenFile(c.dataset.Dir, path)
	if err != nil {
		return err
	}
	defer f.Close()
	added := map[string][]string{} // by number: what the final diffs add
	numbers := map[string]bool{}
	for _, records := range pulls {
		numbers[strconv.Itoa(records[0].Number)] = true
	}
	for r, err := range store.ReadExport(f, store.Diff, store.Pull) { // in this order
		if err != nil {
			return err
		}
		if !numbers[r.Key] {
			continue
		}
		if r.Kind == store.Diff {
			added[r.Key] = addedLines(r.Content)
			continue
		}
		var p model.PullRequest
		if err := json.Unmarshal(r.Content, &p); err != nil {
			return err
		}
		for _, record := range pulls[p.Ref.String()] {
			out[record.Repo] = append(out[record.Repo], laterOf(record, &p, added[r.Key]))
		}
	}
	return nil
}

// addedLines are what a diff adds, without blank lines.
func addedLines(content []byte) []string {
	var d model.Diff
	if json.Unmarshal(content, &d) != nil {
		return nil
	}
	parsed, err := unidiff.Parse(d.Text)
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range parsed.Files {
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				if text := strings.TrimSuffix(l.Text, "\r"); l.Kind == unidiff.Added && strings.TrimSpace(text) != "" {
					out = append(out, text)
				}
			}
		}
	}
	return out
}

// laterOf is the later facts of a record: what the final head adds, what was said, the title if it changed, and the
// commits that GitHub names.
func laterOf(r Shown, p *model.PullRequest, added []string) snapshot.Later {
	l := snapshot.Later{TaskID: r.TaskID, Commits: append(r.Commits, p.HeadOid)}
	if p.HeadOid != r.Head {
		l.Lines = added
	}
	if p.Title != r.Title {
		l.Passages = append(l.Passages, p.Title)
	}
	for _, text := range r.Said {
		l.Passages = append(l.Passages, passages(text)...)
	}
	if p.MergeCommit != nil {
		l.Commits = append(l.Commits, p.MergeCommit.Oid)
	}
	for _, f := range p.ForcePushes {
		l.Commits = append(l.Commits, f.After)
	}
	return l
}

// passages are the lines of a comment's own words that are long enough to be distinctive.
func passages(body string) []string {
	var out []string
	for _, p := range markdown.Paragraphs(body) {
		for line := range strings.Lines(p.Text) {
			text := []rune(strings.TrimSpace(line))
			if !p.Code && len(text) >= leakRunes/2 && text[0] != '>' {
				out = append(out, string(text[:min(leakRunes, len(text))]))
			}
		}
	}
	return out
}
