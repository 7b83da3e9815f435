// Package harbor writes a dataset as tasks of Harbor, which runs agents on Docker and in
// clouds. An image is built from a record's snapshot, without a network. The answers are
// in a task's solution alone: the verifier checks the form of a review and hands it on.
package harbor

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/stages/evaluate"
)

//go:embed verify.py
var verifier string

//go:embed metric.py
var metric string

//go:embed instruction.md
var instruction string

// Options are what is exported.
type Options struct {
	Evaluation *evaluate.Evaluation // dataset and snapshots
	Out        string
	// Image is what images are built from, by digest; it has git, bash and python3.
	Image        string
	Organization string   // before the names of tasks
	Name         string   // of the dataset
	Allow        []string // hosts that agents may reach; none is no network
}

var (
	image = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9./:_-]*@sha256:[a-f0-9]{64}$`)
	name  = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)
	host  = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$`)
)

// Check refuses options that no export can be made by.
func (o Options) Check() error {
	switch {
	case !image.MatchString(o.Image):
		return fmt.Errorf("image: %q is not NAME@sha256:DIGEST", o.Image)
	case !isName(o.Organization) || !isName(o.Name):
		return fmt.Errorf("%q of organization %q is no name of letters, digits, single dots, dashes and underscores", o.Name,
			o.Organization)
	}
	for _, h := range o.Allow {
		if !host.MatchString(h) {
			return fmt.Errorf("allow: %q is no name of a host in lower case", h)
		}
	}
	return nil
}

// isName reports whether Harbor takes a name.
func isName(s string) bool { return name.MatchString(s) && !strings.Contains(s, "..") }

// taskName is the name of a record's task and of its folder: the record's id, or where
// Harbor does not take that one, as of the repository .github, one made from it.
func taskName(id string) string {
	if isName(id) {
		return id
	}
	return fmt.Sprintf("record-%x", sha256.Sum256([]byte(id)))[:23]
}

// Export writes the tasks that have a snapshot to a new folder, and says how many. The
// same dataset and snapshots give the same bytes.
func Export(ctx context.Context, o Options) (tasks int, err error) {
	if err := o.Check(); err != nil {
		return 0, err
	}
	b, items, set, err := o.Evaluation.Repositories()
	if err != nil {
		return 0, err
	}
	if err := os.Mkdir(o.Out, 0o755); err != nil {
		return 0, err
	}
	var list strings.Builder
	for _, it := range items {
		dir := filepath.Join(o.Out, taskName(it.ID))
		if err := o.task(ctx, b, it, set, dir); err != nil {
			return 0, fmt.Errorf("export %s: %w", it.ID, err)
		}
		sum, err := digest.Folder(dir)
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(&list, "[[tasks]]\nname = %s\ndigest = \"sha256:%s\"\n\n", quote(o.Organization+"/"+taskName(it.ID)), sum)
	}
	scores := strings.ReplaceAll(metric, "EXPECTED = 0", fmt.Sprintf("EXPECTED = %d", len(items)))
	dataset := fmt.Sprintf(`schema_version = "1.0"

[dataset]
name = %s
description = "%d pull requests at the revision that people reviewed, with their repositories. Scores: prforge eval import --harbor JOB."
keywords = ["code-review", "prforge"]

%s[[files]]
path = "metric.py"
digest = "sha256:%x"
`, quote(o.Organization+"/"+o.Name), len(items), list.String(), sha256.Sum256([]byte(scores)))
	return len(items), write(o.Out, map[string]string{"dataset.toml": dataset, "metric.py": scores})
}

// task writes the folder of one.
func (o Options) task(ctx context.Context, b evaluate.Benchmark, it evaluation.Item, set *snapshot.Set,
	dir string) error {
	pull, err := reviewer.ReadPull(it.Prompts[reviewer.Repository])
	if err != nil {
		return err
	}
	about, err := json.MarshalIndent(pull, "", "  ")
	if err != nil {
		return err
	}
	answer, err := oracle(b, it, pull)
	if err != nil {
		return err
	}
	expected, err := json.MarshalIndent(evaluate.HarborReview{Task: it.ID, Pull: pull, Findings: json.RawMessage("null")},
		"", "  ")
	if err != nil {
		return err
	}
	network := `network_mode = "no-network"`
	if len(o.Allow) > 0 {
		hosts, err := json.Marshal(o.Allow)
		if err != nil {
			return err
		}
		network = "network_mode = \"allowlist\"\nallowed_hosts = " + string(hosts)
	}
	files := map[string]string{
		"task.toml": fmt.Sprintf(taskToml, quote(o.Organization+"/"+taskName(it.ID)),
			quote("Code review of "+pull.NWO), quote(it.ID), quote(pull.Base), quote(pull.Head), network),
		"instruction.md": strings.NewReplacer("{{HEAD}}", pull.Head, "{{BASE}}", pull.Base, "{{REPO}}", pull.Repo,
			"{{NUMBER}}", fmt.Sprint(pull.Number)).Replace(instruction),
		"environment/Dockerfile": fmt.Sprintf(dockerfile, o.Image, pull.NWO, pull.Number, pull.Base, pull.Head),
		"tests/Dockerfile":       "FROM " + o.Image + "\nCOPY . /tests/\nWORKDIR /tests\n",
		"tests/expected.json":    string(expected) + "\n",
		"tests/verify.py":        verifier,
		"tests/test.sh":          "#!/bin/bash\nset -euo pipefail\nexec python3 /tests/verify.py /tests/expected.json /work/out/findings.json /logs/verifier\n",
		"solution/findings.json": answer,
		"solution/solve.sh":      "#!/bin/bash\nset -euo pipefail\nmkdir -p /work/out\ncp /solution/findings.json /work/out/findings.json\n",
	}
	if err := write(dir, files); err != nil {
		return err
	}
	return work(ctx, set, it, string(about)+"\n", filepath.Join(dir, "environment", "work.tar.gz"))
}

// oracle is a file of findings that says what people said.
func oracle(b evaluate.Benchmark, it evaluation.Item, pull reviewer.Pull) (string, error) {
	text, err := b.Refer("oracle", it, reviewer.Repository)
	if err != nil {
		return "", err
	}
	var comments []struct {
		Body string `json:"body"`
		File string `json:"file"`
		Line int    `json:"line"`
	}
	if err := json.Unmarshal([]byte(text), &comments); err != nil {
		return "", fmt.Errorf("read the oracle's comments: %w", err)
	}
	findings := []any{}
	for _, c := range comments {
		line := max(1, c.Line)
		findings = append(findings, map[string]any{"file": c.File, "start_line": line, "end_line": line, "message": c.Body,
			"producer": "oracle"})
	}
	data, err := json.MarshalIndent(map[string]any{"pr": pull, "agent": "oracle", "findings": findings}, "", "  ")
	return string(data) + "\n", err
}

// work writes what lies below /work in the image: the checkout, the change and the
// pull request, and an empty folder for the findings.
func work(ctx context.Context, set *snapshot.Set, it evaluation.Item, about, file string) (err error) {
	key, err := it.Review()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "prforge-harbor-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := set.Checkout(ctx, it.ID, filepath.Join(dir, "repo")); err != nil {
		return err
	}
	if err := errors.Join(write(filepath.Join(dir, "pr"), map[string]string{"diff.patch": key.Diff, "pr.json": about}),
		os.Mkdir(filepath.Join(dir, "out"), 0o755)); err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := archive(&packed, dir); err != nil {
		return err
	}
	return os.WriteFile(file, packed.Bytes(), 0o644)
}

// write writes files by their slash paths below a folder.
func write(dir string, files map[string]string) error {
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		mode := os.FileMode(0o644)
		if strings.HasSuffix(path, ".sh") {
			mode = 0o755
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), mode)); err != nil {
			return err
		}
	}
	return nil
}

// quote is a string of TOML. JSON's are.
func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(data)
}
