package debugging

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/cheats"
)

// The names of the cheats that compare questions about one script. In a split with one question per script they name
// nothing.
const (
	CheatSiblings = "siblings"
	CheatPair     = "pair"
)

// Cheats are the reviewers that read no meaning. Their scores show how much of a dataset needs no debugging.
func Cheats() cheats.Set {
	return cheats.Set{Metric: "cause_line_f1", List: []cheats.Cheat{
		{Name: "regex", Means: "marks of slips of known kinds",
			Answers: singly(func(s Sample) []int { return at(slip(s.Code)) })},
		{Name: "speller", Means: "a word that is nearly another of the script, or nearly a well-known name",
			Answers: singly(func(s Sample) []int { return at(misspelling(s.Code)) })},
		{Name: CheatSiblings, Means: "where a question differs from most others about the same script",
			Answers: together(odd)},
		{Name: CheatPair, Means: "where a question differs from the next one about the same script",
			Answers: together(func(mine string, others []string) []int { return odd(mine, others[:1]) })},
		{Name: "constant", Means: "the last line of every script",
			Answers: singly(func(s Sample) []int { return at(strings.Count(strings.TrimRight(s.Code, "\n"), "\n") + 1) })},
		{Name: "effect", Means: "the line where the error shows, which it is told", Answers: singly(func(s Sample) []int {
			var lines []int
			for _, t := range s.Truths {
				lines = append(lines, t.Effect.First)
			}
			return lines
		})},
	}}
}

func at(line int) []int {
	if line == 0 {
		return nil
	}
	return []int{line}
}

// singly is a cheat that uses one question alone: find names the lines of causes.
func singly(find func(Sample) []int) func(context.Context, []evaluation.Item, string) ([]string, error) {
	return func(_ context.Context, items []evaluation.Item, _ string) ([]string, error) {
		out := make([]string, len(items))
		for i, it := range items {
			s, err := SampleOf(it)
			if err != nil {
				return nil, err
			}
			if out[i], err = causes(find(s)); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

// together is a cheat that compares the code of a question with that of the others
// about the same script, the next one first. It names nothing where there is none.
func together(find func(mine string, others []string) []int) func(context.Context, []evaluation.Item, string) ([]string,
	error) {
	return func(ctx context.Context, items []evaluation.Item, config string) ([]string, error) {
		code, numbers := map[string][]string{}, make([]int, len(items))
		for i, it := range items {
			s, err := SampleOf(it)
			if err != nil {
				return nil, err
			}
			numbers[i], code[s.Script] = len(code[s.Script]), append(code[s.Script], s.Code)
		}
		i := -1
		return singly(func(s Sample) []int {
			i++
			all := code[s.Script]
			if len(all) < 2 {
				return nil
			}
			return find(s.Code, slices.Concat(all[numbers[i]+1:], all[:numbers[i]]))
		})(ctx, items, config)
	}
}

// odd are the lines of a script that differ in most of the others.
func odd(mine string, others []string) []int {
	var out []int
	texts := make([][]string, len(others))
	for i, o := range others {
		texts[i] = strings.Split(o, "\n")
	}
	for n, line := range strings.Split(mine, "\n") {
		differ := 0
		for _, o := range texts {
			if n < len(o) && o[n] != line {
				differ++
			}
		}
		if 2*differ > len(others) {
			out = append(out, n+1)
		}
	}
	return out
}

// causes is an answer that names lines as causes.
func causes(lines []int) (string, error) {
	named := []Named{}
	for _, line := range lines {
		named = append(named, Named{CauseNumber: line, EffectNumber: line, Type: "TypeError"})
	}
	return encodeErrors(named)
}

// Telltale reports whether one of the cheats that read one script names a line of the cause.
func (s Sample) Telltale() bool {
	for _, line := range []int{slip(s.Code), misspelling(s.Code)} {
		for _, t := range s.Truths {
			if t.Cause.First <= line && line <= t.Cause.Last {
				return true
			}
		}
	}
	return false
}

// slips are the patterns of known kinds of slips, the clearest first. Each is matched with one line or, if it has a
// line break, with two.
var slips = []*regexp.Regexp{
	regexp.MustCompile(`^\s*pass$`),
	regexp.MustCompile(`[(,=]\s*['"]-?\d+(\.\d+)?['"]\s*[,)]|=\s*['"]\d+['"]$`),
	regexp.MustCompile(`=[^=].*\.\w+\(.*inplace=True|=\s*[\w.]+\.(sort|append|extend|shuffle|reverse|update)\(`),
	regexp.MustCompile(`\.(mean|sum|std|var|min|max|copy|items|keys|ravel|flatten|tolist|head|split|strip|lower|upper|sort_values|dropna|reset_index|toarray|todense|argmax|argmin|transpose|median|cumsum|nunique|unique|describe|to_numpy|nodes|degree)([\s),\[:]|$)`),
	regexp.MustCompile(`^\s*(ax|axs|axes), fig\b|^\s*\w*test\w*, \w*train|^\s*y\w*, [xX]\w*\s*=|in enumerate.*\bfor\b|for \w+, (i|j|k|idx) in enumerate`),
	regexp.MustCompile(`fig, \w+ = plt\.subplot\(|for \w+(, \w+)* in (len\(|\d|n\w*:)|\.loc\[-?\d|\.iloc\[['"]`),
	regexp.MustCompile(`\.fit\w*\(\s*[yY]|\.fit\w*\(.*test|train\w*, \w+_test|test\w*, \w+_train|\.predict\(\s*[yY]`),
	regexp.MustCompile(`^\s*[\w.\[\]'"]+\.(dropna|fillna|astype|reset_index|set_index|replace|rename|sort_values|drop|transform|reshape|copy|strip|lower|merge|round|groupby|sort_index|assign|ravel|T)\(.*\)$`),
	regexp.MustCompile(`^\s*(np|pd|sorted|len|list|dict|sum|max|min)[.(].*\)$`),
	regexp.MustCompile(`^\s*[A-Za-z_][\w.]*$`),
	regexp.MustCompile(`if \w+ is not None:\n\s+\w+ = (\[\]|\{\}|\w+\()|if \w+ is None:\n\s+\w+\.`),
	regexp.MustCompile(`header=None|index_col=0|sep=['"];|skiprows=1|unpack=True|dtype=str|astype\(str\)`),
	regexp.MustCompile(`range\(.*\+ 1\)|\.shape\[\d\] \+ 1|len\(\w+\) \+ 1|<= len\(`),
	regexp.MustCompile(`reshape\(1, -1\)|=\s*\(\)$|^\s*return$|\*\s*\w+\.T\b`),
	regexp.MustCompile(`['"] \+ \w+$|['"] \+ \w+ \+|print\(.*\+ \w+\)$|\.extend\((\w+|\d+|\(.*\))\)$`),
}

// plainStatements are lines of one word that are no slip.
var plainStatements = regexp.MustCompile(`^\s*(break|continue|return|else|try|finally|raise|pass)$`)

// slip is the first line that has the clearest mark, 0 for none.
func slip(code string) int {
	lines := strings.Split(code, "\n")
	for i, mark := range slips {
		for n, line := range lines {
			text := strings.TrimRight(line, " \t\r")
			if strings.Contains(mark.String(), `\n`) && n+1 < len(lines) {
				text += "\n" + lines[n+1]
			}
			if mark.MatchString(text) &&
				(i == 0 || !plainStatements.MatchString(text) || strings.Contains(mark.String(), "return")) &&
				!strings.HasPrefix(strings.TrimSpace(text), "#") {
				return n + 1
			}
		}
	}
	return 0
}

var (
	words   = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)
	comment = regexp.MustCompile(`#.*$`)
)

// wellKnown are names that a speller knows beside the script's own.
var wellKnown = strings.Fields(`append argmax argmin array astype columns concatenate copy DataFrame dtype enumerate fit fit_transform
	figure flatten format groupby import index items join keys label labels legend linspace matplotlib mean merge numpy ones pandas plot predict
	print pyplot random random_state range ravel read_csv reset_index reshape return savefig scatter Series set_title set_xlabel set_ylabel shape
	size sklearn sort_values split sqrt std subplots sum tight_layout title train_test_split transform transpose values vstack xlabel ylabel zeros
	add_edge add_node draw edges nodes neighbors spring_layout cumsum median norm normal uniform axis figsize alpha color color_map default_rng`)

// misspelling is the line with the word that is nearest to being another, 0 for
// none: a word that occurs once, and differs in one letter from one that occurs more
// often or is well known.
func misspelling(code string) int {
	count, line := map[string]int{}, map[string]int{}
	var order []string
	for n, text := range strings.Split(code, "\n") {
		for _, w := range words.FindAllString(comment.ReplaceAllString(text, ""), -1) {
			if count[w]++; count[w] == 1 {
				order, line[w] = append(order, w), n+1
			}
		}
	}
	for _, w := range order {
		if count[w] != 1 || slices.Contains(wellKnown, w) {
			continue
		}
		for _, other := range append(slices.Clone(wellKnown), order...) {
			if other != w && len(other) > 2 && (count[other] > 1 || slices.Contains(wellKnown, other)) && nearly(w, other) {
				return line[w]
			}
		}
	}
	return 0
}

// nearly reports whether two words differ in one letter, or in the order of two in a
// row. Numbers at the end make different names.
func nearly(a, b string) bool {
	if strings.TrimRight(a, "0123456789") == strings.TrimRight(b, "0123456789") {
		return false
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	first := 0
	for first < len(a) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < len(a)-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	left, right := a[first:len(a)-last], b[first:len(b)-last]
	switch {
	case len(b)-len(a) == 1:
		return left == ""
	case len(a) == len(b):
		return len(left) == 1 || len(left) == 2 && left[0] == right[1] && left[1] == right[0]
	}
	return false
}
