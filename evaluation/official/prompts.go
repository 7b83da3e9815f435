package official

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed prompts
var prompts embed.FS

// The prompts ask the same as the harness's prompts, in our own words: we may not copy its texts. Answers to its own
// prompts are read the same way.
const (
	PromptAgent      = "agent.txt"       // system message of the agent
	PromptAgentAgain = "agent_again.txt" // end of the second user message
	PromptJudge      = "judge.txt"       // system message of the judge
)

// Prompt is the text of one of the prompts.
func Prompt(name string) string {
	text, err := prompts.ReadFile("prompts/" + name)
	if err != nil {
		panic(fmt.Sprintf("no prompt %s: %v", name, err)) // the names are constants of this package
	}
	return string(text)
}

// JudgeMessage is the judge's input about a record: a selection of the diff, the human comments and the agent's, none
// of them escaped or delimited, ids that name the configuration, and nothing of the agent's context.
func JudgeMessage(t Task, a AgentOutput) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Diff\n```diff\n%s\n```\n\n## Comments of people\n", snippet(t.Diff, maxDiffCharacters))
	for _, h := range t.Humans {
		fmt.Fprintf(&b, "- comment_id: %s\n  file: %s\n  line: %s\n  severity: %s\n  body: %s\n",
			h.ID, orElse(h.File, "None"), lineText(h.Line, "None"), orElse(h.Severity, "None"), h.Body)
	}
	b.WriteString("\n## Comments of the model\n")
	for _, c := range a.Comments {
		fmt.Fprintf(&b, "- comment_id: %s\n  file: %s\n  line: %s\n  severity_claimed: %s\n  body: %s\n",
			c.ID, orElse(text(c.File), "general"), lineText(c.Line, "N/A"), orElse(text(c.Severity), "unspecified"), c.Body)
	}
	if len(a.Comments) == 0 {
		b.WriteString("(none)\n")
	}
	return b.String()
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func lineText(line *int64, other string) string {
	if line == nil {
		return other
	}
	return strconv.FormatInt(*line, 10)
}
