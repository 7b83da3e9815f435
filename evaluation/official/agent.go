package official

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// AgentComment is a comment of the agent as the harness writes it.
type AgentComment struct {
	ID          string  `json:"comment_id"` // task, configuration and the position in the agent's array
	Body        string  `json:"body"`
	File        *string `json:"file_reference"`
	Line        *int64  `json:"line_reference"`
	Severity    *string `json:"severity_claim"` // P0, P1 or P2
	OutsideDiff bool    `json:"is_outside_diff"`
}

// AgentOutput is an agent's answer as read.
type AgentOutput struct {
	TaskID   string         `json:"task_id"`
	Config   string         `json:"config_name"`
	Model    string         `json:"model"`
	Raw      string         `json:"raw_response"` // the last answer
	Comments []AgentComment `json:"comments"`
	Success  bool           `json:"parse_success"`
	Error    *string        `json:"parse_error"`
}

// Call is one question to a model.
type Call struct {
	Wait      time.Duration // before asking
	Again     bool          // the second prompt, which repeats the format
	MaxTokens int           // of the answer
}

// The harness's numbers of attempts with an agent.
const (
	agentTries     = 3 // for an answer that is not empty, to the first prompt
	againTries     = 2 // the same, to the second prompt
	againMinTokens = 1024
	againMaxTokens = 16384
	maxComments    = 30
)

// maxReadBytes bounds the total reading while searching for values anywhere in one answer: nested and open brackets
// are read repeatedly.
const maxReadBytes = 16 << 20

// errEmpty is the harness's error for an agent without an answer.
var errEmpty = errors.New("empty answer")

// AskAgent asks the agent as the harness does: up to three times until it answers, and once more with the second
// prompt (up to two times) if the answer is unusable. The final result may be a failed output.
func AskAgent(t Task, model string, maxTokens int, ask func(Call) (string, error)) AgentOutput {
	raw, err := askUntilAnswered(agentTries, Call{MaxTokens: maxTokens}, ask)
	if err != nil {
		return failedOutput(t, model, "", err)
	}
	out := readAgent(t, model, raw)
	if out.Success {
		return out
	}
	again := Call{Again: true, MaxTokens: min(max(maxTokens, againMinTokens), againMaxTokens)}
	second, err := askUntilAnswered(againTries, again, ask)
	if err != nil {
		return failedOutput(t, model, raw, err)
	}
	return readAgent(t, model, second)
}

func askUntilAnswered(tries int, call Call, ask func(Call) (string, error)) (string, error) {
	var last error
	for i := range tries {
		if i > 0 {
			call.Wait = time.Duration(1<<(i-1)) * time.Second
		}
		text, err := ask(call)
		if err == nil && python.Trim(text) != "" {
			return text, nil
		}
		last = errEmpty
		if err != nil {
			last = err
		}
	}
	return "", last
}

func failedOutput(t Task, model, raw string, err error) AgentOutput {
	text := err.Error()
	return AgentOutput{TaskID: t.ID, Config: t.Config, Model: model, Raw: raw, Comments: []AgentComment{}, Error: &text}
}

// errUnusable is an answer without a review.
var errUnusable = errors.New("no JSON array found in the answer")

var saysBody = regexp.MustCompile(`"body"\s*:`)

// readAgent reads an agent's answer. An unusable one is an output without
// Success.
func readAgent(t Task, model, raw string) AgentOutput {
	if len(raw) > maxAnswerBytes {
		return failedOutput(t, model, raw, fmt.Errorf("the answer is longer than %d bytes", maxAnswerBytes))
	}
	items, ok := reviewItems(raw)
	if !ok {
		return failedOutput(t, model, raw, errUnusable)
	}
	out := AgentOutput{TaskID: t.ID, Config: t.Config, Model: model, Raw: raw, Comments: []AgentComment{}, Success: true}
	added := addedLines(t.Diff)
	for i, item := range items {
		if len(out.Comments) == maxComments {
			break
		}
		if c, ok := agentComment(item); ok {
			c.ID = t.ID + "_" + t.Config + "_" + strconv.Itoa(i)
			_, inDiff := slices.BinarySearch(added, lineOr(c.Line, 0))
			c.OutsideDiff = c.Line != nil && !inDiff
			out.Comments = append(out.Comments, c)
		}
	}
	if len(out.Comments) == 0 && (saysBody.MatchString(raw) || jsonFence.MatchString(raw)) {
		return failedOutput(t, model, raw, errUnusable)
	}
	return out
}

func lineOr(line *int64, other int64) int64 {
	if line == nil {
		return other
	}
	return *line
}

func agentComment(item any) (AgentComment, bool) {
	fields, ok := item.(map[string]any)
	if !ok {
		return AgentComment{}, false
	}
	o := object(fields)
	c := AgentComment{Body: python.Trim(o.text("body"))}
	if c.Body == "" {
		return c, false
	}
	if v := o["file"]; v != nil && v != "" {
		file := python.Text(v)
		c.File = &file
	}
	if line, ok := python.Int(o["line"]); ok {
		c.Line = &line
	}
	if s, ok := o["severity"].(string); ok {
		if s = strings.ToUpper(python.Trim(s)); s == "P0" || s == "P1" || s == "P2" {
			c.Severity = &s
		}
	}
	return c, true
}

var (
	jsonFence = regexp.MustCompile("(?i)```json")
	fence     = "```"
)

// reviewItems finds the items of the review in an answer: the whole text as
// JSON, else without code fences, else the last list (or object with a list
// comments) that begins anywhere in it, else every object with a body.
func reviewItems(raw string) ([]any, bool) {
	text := python.Trim(raw)
	if text == "" {
		return nil, true
	}
	if v, ok := python.JSON(text); ok {
		return listOf(v), true
	}
	text = python.Trim(strings.ReplaceAll(jsonFence.ReplaceAllString(text, ""), fence, ""))
	if v, ok := python.JSON(text); ok {
		return listOf(v), true
	}
	var objects []any
	anyList := false
	var last []any
	read := 0
	for at := range len(text) {
		if text[at] != '[' && text[at] != '{' {
			continue
		}
		v, end, ok := python.JSONAt(text, at)
		if read += end - at; read > maxReadBytes {
			return nil, false
		}
		if !ok {
			continue
		}
		switch v := v.(type) {
		case []any:
			last, anyList = v, true
		case map[string]any:
			if comments, ok := v["comments"].([]any); ok {
				last, anyList = comments, true
			}
			if _, ok := v["body"].(string); ok {
				objects = append(objects, v)
			}
		}
	}
	if anyList {
		return last, true
	}
	return objects, len(objects) > 0
}

// listOf is a list, or the list comments of an object, or nothing.
func listOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		return object(v).list("comments")
	}
	return nil
}

// hunkHeader is a header at a line's start.
var hunkHeader = regexp.MustCompile(`^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// addedLines are the numbers of the added lines of a whole diff, all its files
// in one sorted set. The counter is the harness's: headers of files and lines
// that begin with -- or ++ move it too.
func addedLines(diff string) []int64 {
	var added []int64
	var next int64
	started := false
	for _, line := range python.Lines(diff) {
		if m := hunkHeader.FindStringSubmatch(line); m != nil {
			n, ok := python.Int(m[1])
			next, started = n, ok
			continue
		}
		switch {
		case !started:
		case strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++"):
			added = append(added, next)
			next++
		case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---"):
		default:
			next++
		}
	}
	slices.Sort(added)
	return slices.Compact(added)
}
