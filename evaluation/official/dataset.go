package official

import (
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// Human is a comment of the ground truth.
type Human struct {
	ID       string
	Body     string
	File     string // "" where there is none
	Line     *int64 // nil where there is none, or none that is a number
	Severity string // "" where there is none
}

// Task is a pull request in one configuration, in the harness's form.
type Task struct {
	ID              string
	PRNumber        int64
	Repo            string
	Config          string // as the context names it, else the long name
	Rendered        string
	TotalTokens     int64
	PipelineVersion string
	Difficulty      string
	PRType          string
	Language        string
	Diff            string
	Humans          []Human
	HasSeverity     bool // a human comment has a severity
}

// long returns the long name of a configuration, for commands and files: A, config_A and config_A_diff_only all give
// config_A_diff_only. Other names stay unchanged.
func long(config string) string {
	switch strings.TrimPrefix(config, "config_") {
	case "A", "A_diff_only":
		return "config_A_diff_only"
	case "B", "B_with_file_content":
		return "config_B_with_file_content"
	case "C", "C_full_context":
		return "config_C_full_context"
	}
	return config
}

// Short returns the short name of a configuration (config_A), for reports and contexts. Other names stay unchanged.
func Short(config string) string {
	for _, short := range []string{"config_A", "config_B", "config_C"} {
		if long(config) == long(short) {
			return short
		}
	}
	return config
}

// object is a decoded JSON object.
type object map[string]any

func (o object) text(key string) string {
	if !python.Truthy(o[key]) {
		return ""
	}
	return python.Text(o[key])
}

func (o object) list(key string) []any {
	items, _ := o[key].([]any)
	return items
}
