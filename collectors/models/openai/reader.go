package openai

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/text"
)

//go:embed repository.txt
var readerPrompt string

// readerVersion is part of the key of a review: it changes with the tools.
const readerVersion = "repository/1"

// maxShown bounds the change in the first message, maxLooked the stored log of what the model read, in bytes.
const (
	maxShown  = 200_000
	maxLooked = 64 << 10
)

// answerNow and answerAgain ask for the review: when the budget is used up, and once
// when the answer is no JSON array.
const (
	answerNow   = "Your calls are used up. Answer now with the JSON array of your comments, and nothing else."
	answerAgain = "Your answer could not be read. Answer once more with the JSON array alone."
)

// reader lets a model review a pull request with tools that read the checkout: a loop of calls within a budget. Every
// call is stored by the conversation before it, so that an interrupted review continues where it stopped.
type reader struct {
	model  reviewer.Model
	env    models.Environment
	server *endpoint.Server
}

// Ask implements models.Source.
func (s *reader) Ask(ctx context.Context, q models.Question) (models.Answer, error) {
	pull, err := reviewer.ReadPull(q.Prompt)
	if err != nil {
		return models.Answer{}, err
	}
	key, err := models.Key([]any{readerVersion, readerPrompt, pull, q.Sample, s.depends(), s.model.Budget.Or()})
	if err != nil {
		return models.Answer{}, err
	}
	paid := s.model // by the calls
	paid.Price = nil
	return s.env.Once(key, "reader", paid, func() (models.Answer, error) { return s.review(ctx, q, pull) })
}

// depends is the part of an answer's key for the way the model is called.
func (s *reader) depends() any {
	return []any{chat{s.model.Call}.Depends(models.Question{}), s.model.Body}
}

// review talks until the model answers or the budget is used up.
func (s *reader) review(ctx context.Context, q models.Question, pull reviewer.Pull) (out models.Answer, err error) {
	dir, err := os.MkdirTemp("", "prforge-repository-")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	diff, err := s.env.Checkout(ctx, q.Task.ID, filepath.Join(dir, "repo"))
	if err != nil {
		return out, fmt.Errorf("prepare %s: %w", q.Task.ID, err)
	}
	root, err := os.OpenRoot(filepath.Join(dir, "repo"))
	if err != nil {
		return out, err
	}
	defer root.Close()
	d := dialog{chat: chat{s.model.Call}, sample: q.Sample,
		messages: []any{message{"system", readerPrompt}, message{"user", shown(pull, diff)}}}
	looked := &strings.Builder{}
	again := false
	for call := 1; ; call++ {
		d.final = again || call >= s.model.Budget.Or().Calls || int(out.Usage.Input+out.Usage.Output)+
			s.count(d) > s.model.Budget.Or().Tokens
		if d.final && !again && call > 1 {
			d.messages = append(d.messages, message{"user", answerNow})
		}
		turn, err := s.turn(ctx, d, &out)
		if err != nil {
			return out, err
		}
		out.Log = text.Clip(text.Plain(looked.String()), maxLooked)
		if len(turn.Calls) == 0 || d.final {
			if out.Text = turn.Content; again || readable(turn.Content) {
				return out, nil
			}
			again = true
			d.messages = append(d.messages, message{"assistant", turn.Content}, message{"user", answerAgain})
			continue
		}
		d.messages = append(d.messages, turn.said())
		for i, c := range turn.Calls {
			result := errTooManyTools
			if i < maxTools {
				result = use(root, c.Function.Name, c.Function.Arguments)
			}
			fmt.Fprintf(looked, "%s %s: %d bytes\n", c.Function.Name, text.Clip(text.OneLine(c.Function.Arguments), 200),
				len(result))
			d.messages = append(d.messages, toolResult{"tool", c.ID, result})
		}
	}
}

// turn is one call, which is added to the answer.
func (s *reader) turn(ctx context.Context, d dialog, out *models.Answer) (said, error) {
	e := models.Endpoint{Server: s.server, Protocol: d, Call: s.model.Call, Env: s.env}
	a, err := e.Ask(ctx, models.Question{Prompt: d.words()})
	if err != nil {
		return said{}, err
	}
	if !a.Fresh {
		s.env.Bill.Paid(s.model.Price.USD(a.Usage))
	}
	out.Usage = out.Usage.Plus(a.Usage)
	out.Finish, out.Model, out.Attempts = a.Finish, a.Model, out.Attempts+a.Attempts
	var turn said
	if err := json.Unmarshal([]byte(a.Text), &turn); err != nil {
		return said{}, fmt.Errorf("read a kept answer: %w", err)
	}
	return turn, nil
}

// count is the approximate number of tokens of the next call.
func (s *reader) count(d dialog) int {
	if s.env.Count == nil {
		return 0
	}
	return s.env.Count(d.words())
}

// readable reports whether an answer holds a JSON array.
func readable(answer string) bool {
	from, to := strings.Index(answer, "["), strings.LastIndex(answer, "]")
	return from >= 0 && from < to && json.Valid([]byte(answer[from:to+1]))
}

// shown is the first message.
func shown(p reviewer.Pull, diff string) string {
	cut := ""
	if len(diff) > maxShown {
		cut = "\n(The change is longer. The tools show the files.)\n"
	}
	return fmt.Sprintf("Pull request of %s: %s\n\n%s\n\nThe change:\n\n%s%s", p.NWO, p.Title, p.Body,
		text.Clip(diff, maxShown), cut)
}

// dialog is the protocol of a conversation with tools.
type dialog struct {
	chat
	sample   int
	messages []any
	final    bool // no tool may be used any more
}

// Kind implements models.Protocol.
func (dialog) Kind() string { return "dialog" }

// Depends implements models.Protocol.
func (d dialog) Depends(models.Question) any {
	return []any{readerVersion, d.chat.Depends(models.Question{Sample: d.sample}), d.messages, d.final}
}

// Body implements models.Protocol.
func (d dialog) Body(models.Question) any {
	r := struct {
		chatRequest
		Messages []any  `json:"messages"`
		Tools    any    `json:"tools"`
		Choice   string `json:"tool_choice,omitempty"`
	}{chatRequest: d.chat.Body(models.Question{}).(chatRequest), Messages: d.messages, Tools: tools}
	if d.final {
		r.Choice = "none"
	}
	return r
}

// words is all text of the conversation, to count its tokens.
func (d dialog) words() string {
	data, err := json.Marshal(d.messages)
	if err != nil {
		return ""
	}
	return string(data)
}

// said is a message of the model.
type said struct {
	Content string     `json:"content"`
	Calls   []toolCall `json:"calls,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// said is the message in the form that it is sent back in.
func (s said) said() any {
	return struct {
		Role    string     `json:"role"`
		Content string     `json:"content"`
		Calls   []toolCall `json:"tool_calls"`
	}{"assistant", s.Content, s.Calls}
}

type toolResult struct {
	Role    string `json:"role"`
	CallID  string `json:"tool_call_id"`
	Content string `json:"content"`
}

// Read implements models.Protocol.
func (d dialog) Read(body []byte) (models.Answer, error) {
	a, err := d.chat.Read(body)
	if err != nil {
		return a, err
	}
	var reply struct {
		Choices []struct {
			Message struct {
				Calls []toolCall `json:"tool_calls"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		return a, err
	}
	turn := said{Content: a.Text, Calls: reply.Choices[0].Message.Calls}
	for i, c := range turn.Calls {
		if c.ID == "" || c.Function.Name == "" {
			return a, errors.New("a call of a tool has no id or no name")
		}
		turn.Calls[i].Type = "function"
	}
	data, err := json.Marshal(turn)
	a.Text = string(data)
	return a, err
}
