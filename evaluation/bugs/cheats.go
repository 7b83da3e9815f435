package bugs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/cheats"
	"github.com/prforge/prforge/internal/text"
)

// Pyflakes is the name of the cheat that asks the linter of that name, which has
// a ceiling of its own.
const Pyflakes = "pyflakes"

// File is a file as a question shows it.
type File struct {
	Path   string
	Source []byte
}

// Linter returns a linter's findings in each of some files. The error says that it cannot run.
type Linter func(ctx context.Context, files []File) ([][]Finding, error)

// Cheats are the reviewers that read no meaning. lint is the linter pyflakes.
func Cheats(lint Linter) cheats.Set {
	return cheats.Set{Metric: "credit", Alarm: "alarmed_controls", List: []cheats.Cheat{
		{Name: Pyflakes, Means: "what the linter pyflakes says of the file", Answers: lint.answers},
		{Name: "regex", Means: "patterns of layout and of tell-tale lines, without a parser", Answers: singly(tellTales)},
		{Name: "speller", Means: "words that are a slip of the pen away from another word that is shown",
			Answers: singly(misspelled)},
		{Name: "pair", Means: "where two questions about the same file differ, so nothing where each has a file of its own",
			Answers: pair},
		{Name: "constant", Means: "one answer to every question, an indentation error in line 1",
			Answers: singly(func(v view) []Finding {
				return []Finding{{Path: v.path, Line: 1, Kind: Indentation}}
			})},
	}}
}

// view is the text of a question that a reviewer sees.
type view struct {
	repo, path string
	source     string
	prompt     string // all of it, other files as well
}

func viewOf(it evaluation.Item, config string) (view, error) {
	k, err := keyOf(it)
	return view{repo: k.Repo, path: k.Path, source: k.Source, prompt: it.Prompts[config]}, err
}

func viewsOf(items []evaluation.Item, config string) ([]view, error) {
	out := make([]view, len(items))
	for i, it := range items {
		var err error
		if out[i], err = viewOf(it, config); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// singly is a cheat that uses one question alone.
func singly(find func(view) []Finding) func(context.Context, []evaluation.Item, string) ([]string, error) {
	return func(_ context.Context, items []evaluation.Item, config string) ([]string, error) {
		views, err := viewsOf(items, config)
		if err != nil {
			return nil, err
		}
		found := make([][]Finding, len(views))
		for i, v := range views {
			found[i] = find(v)
		}
		return answers(found)
	}
}

// answers are findings in the form of a model's answers.
func answers(found [][]Finding) ([]string, error) {
	out := make([]string, len(found))
	for i, f := range found {
		data, err := json.Marshal(map[string]any{"findings": append([]Finding{}, f...)})
		if err != nil {
			return nil, fmt.Errorf("write an answer: %w", err)
		}
		out[i] = string(data)
	}
	return out, nil
}

func (lint Linter) answers(ctx context.Context, items []evaluation.Item, config string) ([]string, error) {
	views, err := viewsOf(items, config)
	if err != nil {
		return nil, err
	}
	files := make([]File, len(views))
	for i, v := range views {
		files[i] = File{v.path, []byte(v.source)}
	}
	found, err := lint(ctx, files)
	if err != nil {
		return nil, err
	}
	return answers(found)
}

// layout claims the lines whose indentation no earlier line explains, by a stack of
// columns. Brackets and quotes are counted, not read.
func layout(path string, lines []string) []Finding {
	var out []Finding
	stack, open, quoted, opened := []int{0}, 0, false, false
	for i, l := range lines {
		text := strings.TrimSpace(l)
		inside := open > 0 || quoted
		if strings.Count(l, `"""`)%2 == 1 || strings.Count(l, `'''`)%2 == 1 {
			quoted = !quoted
		}
		if inside || text == "" || text[0] == '#' {
			open = max(0, open+brackets(l))
			continue
		}
		column := len(l) - len(strings.TrimLeft(l, " \t"))
		top := stack[len(stack)-1]
		switch {
		case strings.Contains(l[:column], "\t") && strings.Contains(strings.Join(lines, "\n"), "\n    "),
			column > top && !opened, opened && column <= top, column < top && !slices.Contains(stack, column):
			out = append(out, Finding{Path: path, Line: i + 1, Kind: Indentation, Error: "IndentationError"})
		}
		for len(stack) > 1 && stack[len(stack)-1] > column {
			stack = stack[:len(stack)-1]
		}
		if column > stack[len(stack)-1] {
			stack = append(stack, column)
		}
		open = max(0, open+brackets(l))
		opened = open == 0 && !quoted && strings.HasSuffix(strings.TrimSpace(comment.ReplaceAllString(l, "")), ":")
	}
	return out
}

var comment = regexp.MustCompile(`\s#[^"']*$`)

// brackets is how many brackets a line opens and does not close.
func brackets(l string) int {
	n := 0
	for _, c := range l {
		switch c {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

var (
	mutable   = regexp.MustCompile(`^\s*(?:async )?def .*=\s*(?:\[\]|\{\}|set\(\)|list\(\)|dict\(\))`)
	swallowed = regexp.MustCompile(`^\s*except\b.*:\s*(?:pass)?\s*$`)
	passes    = regexp.MustCompile(`^\s*(?:pass|continue|\.\.\.)\s*$`)
	opens     = regexp.MustCompile(`^\s*\w+ = (?:open|\w+\.open)\(`)
	coroutine = regexp.MustCompile(`^\s*async def (\w+)`)
	attribute = regexp.MustCompile(`\bself\.(\w+)`)
	word      = regexp.MustCompile(`\b[A-Za-z_]\w*\b`)
)

// tellTales claims what layout claims, and lines that look like the slips that are
// known to be made: a mutable default, a handler that passes, a file opened without
// with, a coroutine called without await, a statement that only calls before the
// end of a block, an attribute's name without self.
func tellTales(v view) []Finding {
	lines := strings.Split(strings.TrimSuffix(v.source, "\n"), "\n")
	out := layout(v.path, lines)
	add := func(line int, kind, name string) {
		out = append(out, Finding{Path: v.path, Line: line, Kind: kind, Name: name})
	}
	coroutines := map[string]bool{}
	bare, owned := map[string][]int{}, map[string]bool{}
	for i, l := range lines {
		if m := coroutine.FindStringSubmatch(l); m != nil {
			coroutines[m[1]] = true
		}
		for _, m := range attribute.FindAllStringSubmatch(l, -1) {
			owned[m[1]] = true
		}
		for _, at := range word.FindAllStringIndex(l, -1) {
			if at[0] == 0 || l[at[0]-1] != '.' {
				bare[l[at[0]:at[1]]] = append(bare[l[at[0]:at[1]]], i+1)
			}
		}
	}
	for i, l := range lines {
		switch {
		case mutable.MatchString(l), opens.MatchString(l):
			add(i+1, Logic, "")
		case swallowed.MatchString(l) && i+1 < len(lines) && passes.MatchString(lines[i+1]):
			add(i+2, Logic, "")
		case !strings.Contains(l, "await") && !coroutine.MatchString(l) &&
			slices.ContainsFunc(word.FindAllString(l, -1),
				func(w string) bool { return coroutines[w] && strings.Contains(l, w+"(") }):
			add(i+1, Logic, "")
		}
	}
	for name, at := range bare {
		if owned[name] && len(at) == 1 {
			add(at[0], Undeclared, name)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	return out[:min(len(out), maxCounted)]
}

// rankOf puts patterns first that are rarely right without a fault.
func rankOf(f Finding) int {
	return map[string]int{Indentation: 0, Logic: 1_000_000, Undeclared: 2_000_000}[f.Kind] + f.Line
}

// minSpelled is the shortest word that the speller checks.
const minSpelled = 4

// misspelled claims the words of the file that are one slip away from a more frequent word, the rarest first.
func misspelled(v view) []Finding {
	count := map[string]int{}
	for _, w := range word.FindAllString(v.prompt+"\n"+v.source, -1) {
		count[w]++
	}
	line, imported := map[string]int{}, map[string]bool{}
	for i, l := range strings.Split(v.source, "\n") {
		for _, w := range word.FindAllString(l, -1) {
			if line[w] == 0 {
				line[w], imported[w] = i+1, strings.Contains(l, "import ")
			}
		}
	}
	var wrong []string
	for w := range line {
		for other := range count {
			if len(w) >= minSpelled && w != other && (count[other] > count[w] || imported[w]) && text.OneSlip(w, other) {
				wrong = append(wrong, w)
				break
			}
		}
	}
	slices.SortFunc(wrong, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[a], count[b]), cmp.Compare(line[a], line[b]), strings.Compare(a, b))
	})
	var out []Finding
	for _, w := range wrong[:min(len(wrong), maxCounted)] {
		kind := Undeclared
		if imported[w] {
			kind = Import
		}
		out = append(out, Finding{Path: v.path, Line: line[w], Kind: kind, Name: w})
	}
	return out
}

// pair claims the lines in which a question differs from another one about the
// same file.
func pair(_ context.Context, items []evaluation.Item, config string) ([]string, error) {
	views, err := viewsOf(items, config)
	if err != nil {
		return nil, err
	}
	files := map[string][]view{}
	for _, v := range views {
		files[v.repo+" "+v.path] = append(files[v.repo+" "+v.path], v)
	}
	found := make([][]Finding, len(views))
	for i, v := range views {
		for _, other := range files[v.repo+" "+v.path] {
			if other.source != v.source {
				found[i] = differing(v, other)
				break
			}
		}
	}
	return answers(found)
}

func differing(v, other view) []Finding {
	has := map[string]bool{}
	for l := range strings.Lines(other.source) {
		has[l] = true
	}
	words := map[string]bool{}
	for _, w := range word.FindAllString(other.source, -1) {
		words[w] = true
	}
	var out []Finding
	n := 0
	for l := range strings.Lines(v.source) {
		if n++; has[l] || len(out) == maxCounted {
			continue
		}
		f := Finding{Path: v.path, Line: n, Kind: Indentation}
		for _, w := range word.FindAllString(l, -1) {
			if !words[w] {
				f.Kind, f.Name = Undeclared, w
			}
		}
		out = append(out, f)
	}
	return out
}
