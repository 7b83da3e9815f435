// Package sarif reads a tool's findings from a SARIF log.
package sarif

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/prforge/prforge/evaluation"
)

// logFile is the part of a SARIF log that is read (SARIF 2.1.0, OASIS, sections
// 3.13 to 3.30).
type logFile struct {
	Version string `json:"version"`
	Runs    []struct {
		Tool struct {
			Driver struct {
				Rules []rule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []result `json:"results"`
	} `json:"runs"`
}

type message struct {
	Text      string   `json:"text"`
	Markdown  string   `json:"markdown"`
	ID        string   `json:"id"`
	Arguments []string `json:"arguments"`
}

type rule struct {
	ID       string             `json:"id"`
	Messages map[string]message `json:"messageStrings"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    *int              `json:"ruleIndex"`
	Kind         string            `json:"kind"`
	Message      message           `json:"message"`
	Suppressions []json.RawMessage `json:"suppressions"`
	Locations    []struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine int `json:"startLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	} `json:"locations"`
}

// Read reads the findings of a SARIF log as comments, in their order: at the first location of each, with the message
// that a reader would see. It skips suppressed results and those that are no failure.
func Read(data []byte) ([]evaluation.Comment, error) {
	var log logFile
	if err := json.Unmarshal(data, &log); err != nil {
		return nil, fmt.Errorf("read SARIF: %w", err)
	}
	if !strings.HasPrefix(log.Version, "2.1") {
		return nil, fmt.Errorf("read SARIF: version is %q, want 2.1.0", log.Version)
	}
	out := []evaluation.Comment{}
	for _, run := range log.Runs {
		for _, r := range run.Results {
			if len(r.Suppressions) > 0 || r.Kind != "" && r.Kind != "fail" {
				continue
			}
			c := evaluation.Comment{Body: strings.TrimSpace(r.text(run.Tool.Driver.Rules))}
			if len(r.Locations) > 0 {
				at := r.Locations[0].Physical
				c.File = pathOf(at.Artifact.URI)
				if line := at.Region.StartLine; line > 0 {
					c.Line = &line
				}
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// text is the result's message: its own, or its rule's by the message's id, with the arguments filled in.
func (r result) text(rules []rule) string {
	m := r.Message
	for i, rule := range rules {
		if m.Text == "" && (r.RuleIndex != nil && *r.RuleIndex == i || r.RuleIndex == nil && rule.ID == r.RuleID) {
			m.Text, m.Markdown = rule.Messages[m.ID].Text, rule.Messages[m.ID].Markdown
		}
	}
	text := m.Text
	if m.Markdown != "" {
		text = m.Markdown
	}
	return placeholder.ReplaceAllStringFunc(text, func(p string) string {
		if n, err := strconv.Atoi(p[1 : len(p)-1]); err == nil && n < len(m.Arguments) {
			return m.Arguments[n]
		}
		return p
	})
}

// placeholder is the position of an argument in a message (section 3.11.5).
var placeholder = regexp.MustCompile(`\{\d{1,4}\}`)

// pathOf is the path of an artifact in the repository: its URI without
// escapes, scheme and a leading ./.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(u.Path, "./"), "/")
}
