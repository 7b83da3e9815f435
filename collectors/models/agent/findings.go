package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/text"
)

// maxFindings is the maximum size of a file of findings in bytes.
const maxFindings = 8 << 20

// review is a program's output.
type review struct {
	text    string // the findings, as comments in the form that models answer in
	usage   reviewer.Usage
	log     string // the end of standard error
	refused []string
}

// findings is the used part of the file of findings.
type findings struct {
	Pull struct {
		Number int    `json:"pr_number"`
		Head   string `json:"head"`
	} `json:"pr"`
	Findings *[]struct {
		File    string `json:"file"`
		Start   int    `json:"start_line"`
		End     int    `json:"end_line"`
		Message string `json:"message"`
	} `json:"findings"`
	// Usage is our extension: the review's usage, if the program knows it.
	Usage struct {
		Input  int64   `json:"input_tokens"`
		Output int64   `json:"output_tokens"`
		Cached int64   `json:"cached_tokens"`
		USD    float64 `json:"cost_usd"`
	} `json:"usage"`
}

// read reads a program's findings from the folder out. The error is a *failure.
func (r *review) read(how sandbox.Result, out string, pull reviewer.Pull, secrets []string) error {
	switch {
	case how.Status == sandbox.OverTime:
		return failuref("it was over its limit of time")
	case how.Status != sandbox.Exited:
		return failuref("it was over its limit of %s", how.Status)
	case how.Code != 0:
		return failuref("it ended with exit code %d", how.Code)
	}
	data, err := readFindings(out)
	if err != nil {
		return err
	}
	r.text, r.usage, err = Comments(data, pull, secrets)
	return err
}

// Comments reads a file of findings about a pull request as comments in the form of a model's answer, without
// secrets, and their usage. The error describes the fault of the file.
func Comments(data []byte, pull reviewer.Pull, secrets []string) (answer string, usage reviewer.Usage, err error) {
	var f findings
	if err := json.Unmarshal(data, &f); err != nil {
		return "", usage, failuref("%s is not what the contract asks for: %s", findingsFile,
			text.Clip(text.OneLine(err.Error()), 200))
	}
	switch {
	case f.Pull.Head != pull.Head || f.Pull.Number != pull.Number:
		return "", usage, failuref("%s is about another head or pull request", findingsFile)
	case f.Findings == nil:
		return "", usage, failuref("%s has no findings, not even an empty list", findingsFile)
	}
	type comment struct {
		Body string `json:"body"`
		File string `json:"file"`
		Line int    `json:"line"`
	}
	comments := []comment{}
	for i, x := range *f.Findings {
		if !local(x.File) || x.Start < 1 || x.End < x.Start || strings.TrimSpace(x.Message) == "" {
			return "", usage, failuref("finding %d of %s lacks a path within the repository, lines from 1, or a message", i+1,
				findingsFile)
		}
		comments = append(comments, comment{masked(text.Valid(x.Message), secrets), masked(text.Valid(x.File), secrets),
			x.Start})
	}
	list, err := json.Marshal(comments)
	if u := f.Usage; min(u.Input, u.Output, u.Cached) >= 0 && u.Cached <= u.Input && u.USD >= 0 {
		usage = reviewer.Usage{Input: u.Input, Output: u.Output, Cached: u.Cached, USD: u.USD}
	}
	return string(list), usage, err
}

// local reports whether a path is one within a repository, as git writes it.
func local(name string) bool {
	return name != "" && name == path.Clean(name) && fs.ValidPath(name) && name != "." &&
		!strings.ContainsAny(name, "\\\x00\n")
}

// readFindings reads the file and refuses links and pipes: it reads nothing outside the program's folder and waits
// for nothing.
func readFindings(out string) ([]byte, error) {
	root, err := os.OpenRoot(out)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(findingsFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, failuref("it left no %s", findingsFile)
	case err != nil:
		return nil, failuref("its %s cannot be read", findingsFile)
	case !info.Mode().IsRegular():
		return nil, failuref("its %s is no file", findingsFile)
	case info.Size() > maxFindings:
		return nil, failuref("its %s is larger than %d bytes", findingsFile, maxFindings)
	}
	f, err := root.Open(findingsFile)
	if err != nil {
		return nil, failuref("its %s cannot be read", findingsFile)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFindings))
	return bytes.TrimPrefix(data, []byte("\ufeff")), err
}

// failure is an attempt without a review. Another attempt may succeed.
type failure struct{ why string }

func (f *failure) Error() string { return f.why }

func failuref(format string, args ...any) error { return &failure{fmt.Sprintf(format, args...)} }
