// Package jobs writes the job files that spread a build over a cluster.
package jobs

import (
	"embed"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
)

//go:embed *.tmpl
var files embed.FS

// Jobs is the input for the job files of a cluster.
type Jobs struct {
	Program, Config, At, Out string // quoted for a shell
	ConfigFile               string // likewise
	AtYAML                   string // quoted for YAML
	OutName                  string
	Image                    string
	Bucket                   bool
	Shares, Last, AtOnce     int
}

// Write writes the job files for a scheduler: slurm or kubernetes. It reports whether it knows the scheduler.
func (j Jobs) Write(w io.Writer, scheduler string) (known bool, err error) {
	name, known := map[string]string{"slurm": "slurm.sh.tmpl", "kubernetes": "kubernetes.yaml.tmpl"}[scheduler]
	if !known {
		return false, nil
	}
	t, err := template.ParseFS(files, name)
	if err != nil {
		return true, err
	}
	return true, t.Execute(w, j)
}

// ProgramPath is the program in a job file: an absolute path if it was called by a path, else its name.
func ProgramPath(called string) (string, error) {
	if !strings.ContainsRune(called, filepath.Separator) {
		return called, nil
	}
	return filepath.Abs(called)
}

// Paths makes the paths of a job absolute, since jobs run elsewhere, and
// quotes them.
func Paths(file, at, out string) (fileQ, atQ, outQ, atYAML string, err error) {
	abs := func(path string) string {
		if err != nil || strings.HasPrefix(path, "s3://") {
			return path
		}
		var full string
		full, err = filepath.Abs(path)
		return full
	}
	at = abs(at)
	return show.ShellQuote(abs(file)), show.ShellQuote(at), show.ShellQuote(abs(out)), YAMLQuote(at), err
}

// YAMLQuote makes a YAML scalar of a text: a JSON string is one.
func YAMLQuote(s string) string {
	b, _ := json.Marshal(s) // a string cannot fail
	return string(b)
}
