package review

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/run"
)

// rawReader reads the raw records of a frozen dataset for display. It labels comments again by the dataset's own
// configuration.
type rawReader struct {
	dir     string
	session *run.Session // the rules, without a state
}

// newRawReader opens the raw records of a dataset. It returns nil if the dataset has none, or lacks their
// configuration.
func newRawReader(dir string) (*rawReader, error) {
	for _, name := range []string{artifacts.FileConfig, artifacts.DirRaw} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return nil, nil
		}
	}
	cfg, err := run.Configuration(dir)
	if err != nil {
		return nil, err
	}
	s, err := run.Rules(run.Env{}, cfg)
	if err != nil {
		return nil, err
	}
	return &rawReader{dir, s}, nil
}

// files returns the files of raw records, by name; only a repository's own file if one has its name.
func (r *rawReader) files(of *model.RepoRef) ([]string, error) {
	if of != nil {
		if _, err := os.Lstat(filepath.Join(r.dir, artifacts.FileRaw(*of))); err == nil {
			return []string{artifacts.FileRaw(*of)}, nil
		}
	}
	entries, err := fs.ReadDir(os.DirFS(r.dir), strings.TrimSuffix(artifacts.DirRaw, "/"))
	if err != nil {
		return nil, fmt.Errorf("read raw records: %w", err)
	}
	var out []string
	for _, e := range entries {
		if name := artifacts.DirRaw + e.Name(); name != artifacts.FileAnswers && strings.HasSuffix(name, ".jsonl.zst") {
			out = append(out, name)
		}
	}
	return out, nil
}

// all yields what is known about every pull request, file by file in the order of the records: first the conversation
// of each, then the later code of some.
func (r *rawReader) all(of *model.RepoRef) iter.Seq2[report.RawFact, error] {
	return func(yield func(report.RawFact, error) bool) {
		names, err := r.files(of)
		if err != nil {
			yield(report.RawFact{}, err)
			return
		}
		for _, name := range names {
			for fact, err := range r.file(name) {
				if err != nil {
					err = fmt.Errorf("%s: %w", name, err)
				}
				if !yield(fact, err) || err != nil {
					return
				}
			}
		}
	}
}

func (r *rawReader) file(name string) iter.Seq2[report.RawFact, error] {
	return func(yield func(report.RawFact, error) bool) {
		sets, err := r.revisions(name)
		if err != nil {
			yield(report.RawFact{}, err)
			return
		}
		repo := "" // of the pull requests, which come before the revisions
		for record, err := range r.records(name, store.Pull, store.Revisions) {
			var fact report.RawFact
			switch {
			case err != nil:
			case record.Kind == store.Pull:
				fact.Seen, err = r.seen(record.Content, sets)
				if err == nil {
					repo = fact.Seen.Repo
				}
			default:
				fact.Repo = repo
				fact.Number, err = strconv.Atoi(record.Key)
				if err == nil {
					err = json.Unmarshal(record.Content, &fact.Revisions)
				}
			}
			if !yield(fact, err) || err != nil {
				return
			}
		}
	}
}

// records yields the records of some kinds in a file.
func (r *rawReader) records(name string, kinds ...store.Kind) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		f, err := load.OpenFile(r.dir, name)
		if err != nil {
			yield(store.Record{}, err)
			return
		}
		defer f.Close()
		for record, err := range store.ReadExport(f, kinds...) {
			if !yield(record, err) {
				return
			}
		}
	}
}

// revisions returns the commented revisions of pull requests, by number, for those that reached stage revision.
func (r *rawReader) revisions(name string) (map[string]*model.RevisionSet, error) {
	sets := map[string]*model.RevisionSet{}
	for record, err := range r.records(name, store.Candidates) {
		if err != nil {
			return nil, err
		}
		set := new(model.RevisionSet)
		if err := json.Unmarshal(record.Content, set); err != nil {
			return nil, err
		}
		sets[record.Key] = set
	}
	return sets, nil
}

// seen reads a pull request and labels its comments by their text and by whether they apply to the chosen revision.
func (r *rawReader) seen(content []byte, sets map[string]*model.RevisionSet) (*convert.Seen, error) {
	var pull model.PullRequest
	if err := json.Unmarshal(content, &pull); err != nil {
		return nil, err
	}
	labels := substance.Label(&pull, r.session.Registry, r.session.Substance)
	if set := sets[strconv.Itoa(pull.Ref.Number)]; set != nil {
		if all := revisionsOf(r.session, set, &pull, labels); len(all) > 0 &&
			enoughStand(r.session, all[0]).Outcome == verdict.OutcomePass {
			labels = atRevision(labels, all[0])
		}
	}
	return convert.NewSeen(&pull, labels)
}

// Raw yields a frozen dataset's raw records of its pull requests, for the audit page; nil without raw records.
func Raw(dir string) (report.Raw, error) {
	r, err := newRawReader(dir)
	if r == nil || err != nil {
		return nil, err
	}
	return report.Raw(r.all(nil)), nil
}

// SeenPull is the raw records of one pull request; nil if there are none.
func SeenPull(dir string, ref model.PullRef) (*convert.Seen, error) {
	r, err := newRawReader(dir)
	if r == nil || err != nil {
		return nil, err
	}
	for fact, err := range r.all(&ref.Repo) {
		if err != nil {
			return nil, err
		}
		if s := fact.Seen; s != nil && s.Number == ref.Number && strings.EqualFold(s.Repo, ref.Repo.String()) {
			return s, nil
		}
	}
	return nil, nil
}
