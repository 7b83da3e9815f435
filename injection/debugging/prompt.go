package debugging

import (
	"fmt"
	"strings"
)

// PromptInput is what a prompt is made from.
type PromptInput struct {
	Task    string
	Code    string
	Runtime string   // "Python 3.11.2, numpy 1.24.2"
	Data    []string // "data.csv: a, b"
	Errors  int      // how many there are; 0 says nothing of it
	Canary  string   // the last line; "" for none
}

// Prompt renders what a model is shown of a sample: with the code as it is, or
// with its lines numbered. What to do with it is the evaluation's to say.
func Prompt(in PromptInput, numbered bool) string {
	var b strings.Builder
	if in.Task != "" {
		fmt.Fprintf(&b, "What the script is for:\n%s\n\n", in.Task)
	}
	fmt.Fprintf(&b, "It runs with %s.\n", in.Runtime)
	if len(in.Data) > 0 {
		fmt.Fprintf(&b, "Files beside it:\n- %s\n", strings.Join(in.Data, "\n- "))
	}
	switch {
	case in.Errors == 1:
		b.WriteString("It has one error.\n")
	case in.Errors > 1:
		fmt.Fprintf(&b, "It has %d errors.\n", in.Errors)
	}
	code := in.Code
	if numbered {
		code = number(code)
	}
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	fmt.Fprintf(&b, "\n%spython\n%s\n%s\n", fence, strings.TrimSuffix(code, "\n"), fence)
	if in.Canary != "" {
		fmt.Fprintf(&b, "\n%s\n", in.Canary)
	}
	return b.String()
}

// number writes its number before each line.
func number(code string) string {
	lines := strings.Split(strings.TrimSuffix(code, "\n"), "\n")
	width := len(fmt.Sprint(len(lines)))
	for i, line := range lines {
		lines[i] = strings.TrimRight(fmt.Sprintf("%*d  %s", width, i+1, line), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// maxTask is how many characters of a script's own description are shown.
const maxTask = 1200

// Task is what a script says that it is for: its docstring, or the comment at
// its top; "" where it says nothing.
func (s *Script) Task() string {
	var text string
	first := s.Tree.Root().NamedChildren()
	if len(first) > 0 && first[0].Is("expression_statement") {
		if str := first[0].ChildOf("string"); str.Exists() {
			text = strings.Trim(strings.TrimLeft(str.Text(), "rRuUbBfF"), "\"'")
		}
	}
	if text == "" {
		for line := range strings.SplitSeq(string(s.Source()), "\n") {
			comment, ok := strings.CutPrefix(line, "#")
			if !ok {
				break
			}
			if !strings.HasPrefix(comment, "!") && !strings.Contains(comment, "coding") {
				text += strings.TrimSpace(comment) + "\n"
			}
		}
	}
	return ClipTask(text)
}

// ClipTask bounds a description to what is shown of it.
func ClipTask(text string) string {
	text = strings.TrimSpace(text)
	if letters := []rune(text); len(letters) > maxTask {
		text = strings.TrimSpace(string(letters[:maxTask]))
	}
	return text
}
