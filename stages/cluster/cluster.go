// Package cluster runs the review benchmark on many machines, in steps that pass
// their results on through an exchange: collect, analyze, merge (docs/cluster.md).
package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors/exchange"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

// Cluster is one build spread over machines that share an exchange: one process collects (Collect), any number
// analyze a share of the repositories each, without GitHub (AnalyzeShare), and one merges and freezes (Merge). A
// repository's object depends only on configuration, version and raw records, so every writer writes the same bytes,
// and its presence says that the work is done.
type Cluster struct {
	x   exchange.Exchange
	run string // the name that all objects of the run are below
}

// New returns the run of a configuration by a version of the program: another
// of either is another run in the same exchange.
func New(x exchange.Exchange, cfg *config.Config, version string) (*Cluster, error) {
	if cfg.Summary.Provider == "openai" || cfg.Encoder.Provider == "openai" {
		return nil,
			errors.New("a build that asks models cannot be spread over machines, which would ask them from everywhere: use prforge build")
	}
	if cfg.Snapshots {
		return nil,
			errors.New("a build that is spread over machines collects no snapshots: leave snapshots out, and run prforge snapshots on the dataset")
	}
	digest, err := cfg.Digest()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(digest + "\n" + version))
	return &Cluster{x: x, run: "run-" + hex.EncodeToString(sum[:8])}, nil
}

// clusterPlan is run.json: which repositories a run is about.
type runPlan struct {
	Repositories []string `json:"repositories"`
}

func (c *Cluster) planName() string { return c.run + "/run.json" }
func (c *Cluster) rawName(ref model.RepoRef) string {
	return c.run + "/raw/" + ref.FileName() + ".jsonl.zst"
}
func (c *Cluster) resultName(ref model.RepoRef) string {
	return c.run + "/results/" + ref.FileName() + ".jsonl.zst"
}

// releasedName is the path of a repository's raw records in the dataset's form, if takedowns or pseudonyms change the
// collected ones.
func (c *Cluster) releasedName(ref model.RepoRef) string {
	return c.run + "/released/" + ref.FileName() + ".jsonl.zst"
}

// put writes an object that a function writes.
func (c *Cluster) put(ctx context.Context, name string, write func(io.Writer) error) error {
	r, err := run.Written(write)()
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = c.x.Create(ctx, name, r)
	return err
}

// sizes are the sizes of the run's objects, by name.
func (c *Cluster) sizes(ctx context.Context) (map[string]int64, error) {
	objects, err := c.x.List(ctx, c.run+"/")
	if err != nil {
		return nil, err
	}
	out := make(map[string]int64, len(objects))
	for _, o := range objects {
		out[o.Name] = o.Size
	}
	return out, nil
}

// RepositoryStatus says how far a cluster is with one repository.
type RepositoryStatus struct {
	Repository string `json:"repository"`
	Collected  bool   `json:"collected"`
	Analyzed   bool   `json:"analysed"` //nolint:misspell // the released name
}

// Status lists how far a run is. The run is named by the caller, or the
// only one in the exchange where the name is "".
func Status(ctx context.Context, x exchange.Exchange, steps string) ([]RepositoryStatus, error) {
	if steps == "" {
		var err error
		if steps, err = onlyRun(ctx, x); err != nil {
			return nil, err
		}
	}
	c := &Cluster{x: x, run: steps}
	plan, err := c.plan(ctx)
	if err != nil {
		return nil, err
	}
	have, err := c.sizes(ctx)
	if err != nil {
		return nil, err
	}
	var out []RepositoryStatus
	for _, name := range plan.Repositories {
		ref, err := model.ParseRepoRef(name)
		if err != nil {
			return nil, err
		}
		_, collected := have[c.rawName(ref)]
		_, analyzed := have[c.resultName(ref)]
		out = append(out, RepositoryStatus{name, collected, analyzed})
	}
	return out, nil
}

// onlyRun is the name of the one run in an exchange.
func onlyRun(ctx context.Context, x exchange.Exchange) (string, error) {
	objects, err := x.List(ctx, "run-")
	if err != nil {
		return "", err
	}
	var runs []string
	for _, o := range objects {
		if steps, ok := strings.CutSuffix(o.Name, "/run.json"); ok {
			runs = append(runs, steps)
		}
	}
	switch len(runs) {
	case 0:
		return "", errors.New("the exchange holds no run: prforge collect begins one")
	case 1:
		return runs[0], nil
	}
	return "", fmt.Errorf("the exchange holds %d runs, of other configurations or versions: name one of %s", len(runs),
		strings.Join(runs, ", "))
}

// maxPlan bounds the plan of a run in the exchange, in bytes.
const maxPlan = 256 << 20

func (c *Cluster) plan(ctx context.Context) (*runPlan, error) {
	r, err := c.x.Open(ctx, c.planName())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the exchange holds no %s: prforge collect begins a run", c.run)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readPlan(r, maxPlan)
}

// readPlan reads a plan of fewer bytes than the limit.
func readPlan(r io.Reader, limit int64) (*runPlan, error) {
	limited := &io.LimitedReader{R: r, N: limit}
	plan := new(runPlan)
	err := json.NewDecoder(limited).Decode(plan)
	if limited.N <= 0 {
		return nil, fmt.Errorf("the plan of the run has %d bytes or more, which is too long", limit)
	}
	return plan, err
}

// shares gives each repository to one of n shares: the largest first, each to
// the share with the least so far. Sizes are those of the raw records.
func shares(refs []model.RepoRef, size func(model.RepoRef) int64, n int) [][]model.RepoRef {
	refs = slices.Clone(refs)
	slices.SortFunc(refs, func(a, b model.RepoRef) int {
		return cmp.Or(cmp.Compare(size(b), size(a)), cmp.Compare(a.FileName(), b.FileName()))
	})
	out := make([][]model.RepoRef, n)
	load := make([]int64, n)
	for _, ref := range refs {
		least := 0
		for i := range load {
			if load[i] < load[least] {
				least = i
			}
		}
		out[least] = append(out[least], ref)
		load[least] += size(ref) + 1 // an empty one takes time, too
	}
	return out
}

// MissingError lists the output of an earlier step that is missing in the exchange.
type MissingError struct {
	Step         string   // the command that makes it
	Repositories []string // of which it is missing
}

// Error names what is missing and the command that makes it.
func (e *MissingError) Error() string {
	return fmt.Sprintf("%d repositories are missing, which prforge %s makes: %s", len(e.Repositories), e.Step,
		strings.Join(e.Repositories, ", "))
}

// repositoryResult is the first line of a repository's result; the tasks of its finalists
// follow, one per line.
type repositoryResult struct {
	Shard *review.Shard `json:"shard"`
	// what kept a finalist from being made a task of, by pull request and record
	Failed map[string]*pipeline.Trail `json:"failed"`
}

func writeResult(w io.Writer, r *repositoryResult, tasks review.TaskSeq) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	lines := json.NewEncoder(z)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(r); err != nil {
		return err
	}
	for t, err := range tasks {
		if err == nil {
			err = lines.Encode(t)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// readResult reads a repository's result and gives its tasks to a function;
// nil reads the first line alone.
func (c *Cluster) readResult(ctx context.Context, ref model.RepoRef,
	each func(*artifacts.Task) error) (*repositoryResult, error) {
	r, err := c.x.Open(ctx, c.resultName(ref))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	z, err := store.Unpack(r)
	if err != nil {
		return nil, fmt.Errorf("read the result of %s: %w", ref, err)
	}
	defer z.Close()
	lines := json.NewDecoder(z)
	out := new(repositoryResult)
	if err := lines.Decode(out); err != nil {
		return nil, fmt.Errorf("read the result of %s: %w", ref, err)
	}
	for each != nil {
		task := new(artifacts.Task)
		err := lines.Decode(task)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = each(task)
		}
		if err != nil {
			return nil, fmt.Errorf("read the result of %s: %w", ref, err)
		}
	}
	return out, nil
}
