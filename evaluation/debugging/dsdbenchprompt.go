package debugging

import (
	"embed"
	"fmt"
	"strings"

	"github.com/prforge/prforge/evaluation/prompts"
)

//go:embed prompts
var promptFiles embed.FS

func prompt(name string) string { return prompts.Read(promptFiles, "prompts/"+name) }

// published are prompts modeled on DSDBench's (arXiv 2503.22388): question and code as text without line numbers,
// whether there is one error or "two or more", no versions, no files; in our own words. Each is followed by a method.
// The paper's self-refinement is a conversation; here it is one request.
func published(name string) (how string, ok bool) {
	switch name {
	case "dsdbench":
		return "", true
	case "dsdbench-thought":
		return prompt("dsdbench_thought.txt"), true
	case "dsdbench-refine":
		return prompt("dsdbench_refine.txt"), true
	}
	return "", false
}

// question is the text of the published prompts, with the canary as its last line.
func (s Sample) question(canary string) string {
	text := fmt.Sprintf("### Question\n\n%s\n\n### Code\n\n```python\n%s\n```\n", s.Task, strings.TrimSuffix(s.Code, "\n"))
	if canary != "" {
		text += "\n" + canary + "\n"
	}
	return text
}

// instruction is the instruction for a sample; "" means our own.
func (s Sample) instruction() string {
	how, ok := published(s.Prompt)
	if !ok {
		return prompt("find.txt")
	}
	parts := []string{prompt("dsdbench.txt"), prompt("dsdbench_one.txt")}
	if len(s.Truths) > 1 {
		parts[1] = prompt("dsdbench_several.txt")
	}
	if how != "" {
		parts = append(parts, how)
	}
	return strings.Join(parts, "\n\n")
}
