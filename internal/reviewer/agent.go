package reviewer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Repository is the configuration of reviewers that read the code of a record.
const Repository = "repository"

// Sandboxed is how a program runs that reads the repository, besides Model.Command,
// Env and TimeoutSeconds.
type Sandboxed struct {
	// Folder is the program's own, which it finds read-only at /work/agent, where it
	// starts; "" for none.
	Folder string `json:"folder,omitempty" yaml:"folder"`
	// FolderSHA256 is the digest of what lay in Folder when the run was planned.
	FolderSHA256 string `json:"folder_sha256,omitempty" yaml:"-"`
	// Container is an image, NAME@sha256:DIGEST, that the program runs in by docker or
	// podman; "" for the sandbox. Without a Command the image's own runs.
	Container string `json:"container,omitempty" yaml:"container"`
	// Settings become variables, RB_CONFIG_NAME.
	Settings map[string]string `json:"settings,omitempty" yaml:"settings"`
	// Allow are the hosts that it may reach on port 443; none is no network.
	Allow []string `json:"allow,omitempty" yaml:"allow"`
	// ModelBaseURL is where its model is; the host is allowed.
	ModelBaseURL string `json:"model_base_url,omitempty" yaml:"model_base_url"`
	// Attempts is how often it is run where it gives no review; 0 for twice.
	Attempts int    `json:"attempts,omitempty" yaml:"attempts"`
	Limits   Limits `json:"limits,omitzero" yaml:"limits"`
}

// Limits bound a program; 0 for the provider's default.
type Limits struct {
	MemoryMB  int `json:"memory_mb,omitempty" yaml:"memory_mb"`
	DiskMB    int `json:"disk_mb,omitempty" yaml:"disk_mb"` // of the checkout and what it writes
	Processes int `json:"processes,omitempty" yaml:"processes"`
	OutputMB  int `json:"output_mb,omitempty" yaml:"output_mb"` // of standard output and error
}

// ToolsRepository lets a model list, read and search the checkout of a record.
const ToolsRepository = "repository"

// Budget bounds what a model with tools takes for one review; 0 for the default.
type Budget struct {
	Calls  int `json:"calls,omitempty" yaml:"calls"`   // of the model
	Tokens int `json:"tokens,omitempty" yaml:"tokens"` // input and output of all calls
}

// Or is the budget with defaults, which suffice to read about twenty files.
func (b Budget) Or() Budget {
	return Budget{Calls: cmp.Or(b.Calls, 30), Tokens: cmp.Or(b.Tokens, 300_000)}
}

// Pull is what a reviewer that reads the repository is said of a pull request: the
// pr.json of ReviewBench's contract.
type Pull struct {
	Repo   string `json:"repo"` // https://github.com/OWNER/NAME
	Number int    `json:"pr_number"`
	Base   string `json:"base"` // the fork point
	Head   string `json:"head"`
	NWO    string `json:"nwo"` // OWNER/NAME
	Title  string `json:"title"`
	Body   string `json:"body"`
}

// Prompt is the question of the configuration Repository: the pull request on the
// first line, then the widest text that the dataset has of it, which is what a judge
// is shown.
func (p Pull) Prompt(context string) (string, error) {
	line, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("describe %s#%d: %w", p.NWO, p.Number, err)
	}
	return string(line) + "\n\n" + context, nil
}

// ReadPull reads the pull request of a question.
func ReadPull(prompt string) (p Pull, err error) {
	line, _, _ := strings.Cut(prompt, "\n")
	if err = json.Unmarshal([]byte(line), &p); err == nil && (p.Head == "" || p.Base == "") {
		err = errors.New("it has no head and no base")
	}
	if err != nil {
		err = fmt.Errorf("the question describes no pull request: %w", err)
	}
	return p, err
}
