package verify

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/pathkind"
)

// layers are the headings of each context, in order; those in must are in every context (spec section 9).
var layers = map[string][]string{
	"config_A": {"0 - Task + Focus", "1 - Key Changes Summary", "2 - Diff (Core)", "6 - Minimal Metadata"},
	"config_B": {"0 - Task + Focus", "1 - Key Changes Summary", "2 - Diff (Core)", "3 - Execution Context",
		"4 - Behavior Mapping", "6 - Minimal Metadata"},
	"config_C": {"0 - Task + Focus", "1 - Key Changes Summary", "2 - Diff (Core)", "3 - Execution Context",
		"4 - Behavior Mapping", "5 - Test Signatures", "6 - Minimal Metadata"},
}

var must = layers["config_A"]

var (
	heading = regexp.MustCompile(`(?m)^## Layer (\d - .+)$`)
	blanks  = regexp.MustCompile(`\s+`)
)

func (c *checker) context(t *task) {
	for i, x := range t.contexts {
		if x == nil {
			continue
		}
		at := t.id + " " + artifacts.Configs[i]
		c.Check(ContextTruncated, !x.WasTruncated, "%s", at)
		if c.o.Tokens != nil && c.m.Tokenizer == c.o.Tokenizer {
			n := c.o.Tokens(x.Rendered)
			c.Check(TokenCount, n == x.TotalTokens, "%s: %d for %d", at, x.TotalTokens, n)
		}
		c.budget(x, i, at)
		c.layers(x, at)
		c.leaks(t, x, at)
		c.blocks(t, x, at)
	}
	c.alike(t)
	c.oneDiff(t)
	c.visibility(t)
}

// budget checks the size of a text.
func (c *checker) budget(x *artifacts.Context, i int, at string) {
	room := c.m.Parameters.Budgets
	if c.whole() {
		around, diff := c.m.Parameters.Around, c.m.Parameters.MaxDiffTokens
		room.A, room.B, room.C = diff+around.A, diff+around.B, diff+around.C
	}
	limit := []int{room.A, room.B, room.C}[i]
	c.Check(OverBudget, x.TotalTokens <= limit, "%s: %d of %d", at, x.TotalTokens, limit)
}

// whole reports whether contexts show whole diffs.
func (c *checker) whole() bool { return c.m.ContextDiff == artifacts.DiffWhole }

// oneDiff checks that the three contexts show the same diff if the manifest says so.
func (c *checker) oneDiff(t *task) {
	if c.m.SameDiff == nil || !*c.m.SameDiff {
		return
	}
	var first string
	for i, x := range t.contexts {
		if x == nil {
			return
		}
		diff := sections(x.Rendered)["2 - Diff (Core)"]
		if i == 0 {
			first = diff
		}
		c.Check(DiffsDiffer, diff == first, "%s: A and %s", t.id, artifacts.Configs[i])
	}
}

// visibility recomputes the evidence about the finished texts.
func (c *checker) visibility(t *task) {
	if t.evidence == nil || slices.Contains(t.contexts, nil) {
		return
	}
	again := artifacts.Task{Record: *t.record, Evidence: *t.evidence}
	again.Evidence.Comments = slices.Clone(t.evidence.Comments)
	var contexts []artifacts.Context
	for _, x := range t.contexts {
		contexts = append(contexts, *x)
	}
	again.SetContexts(contexts)
	c.Check(Visibility, reflect.DeepEqual(again.Evidence.Coverage, t.evidence.Coverage), "%s: coverage", t.id)
	for i, k := range t.evidence.Comments {
		visible := again.Evidence.Comments[i].VisibleIn
		c.Check(Visibility, reflect.DeepEqual(visible, k.VisibleIn), "%s: comment %d", t.id, k.DatabaseID)
		c.Check(TruthNotShown, !c.whole() || visible == nil || len(*visible) == len(artifacts.Configs), "%s: comment %d",
			t.id, k.DatabaseID)
	}
}

// layers checks headings and their contents.
func (c *checker) layers(x *artifacts.Context, at string) {
	var found []string
	for _, m := range heading.FindAllStringSubmatch(x.Rendered, -1) {
		found = append(found, m[1])
	}
	allowed := layers[x.ConfigName]
	inOrder := slices.DeleteFunc(slices.Clone(allowed), func(h string) bool { return !slices.Contains(found, h) })
	has := func(h string) bool { return slices.Contains(found, h) }
	c.Check(ContextLayers, slices.Equal(found, inOrder) &&
		!slices.ContainsFunc(must, func(h string) bool { return !has(h) }), "%s: %s", at, strings.Join(found, ", "))
	for name, body := range sections(x.Rendered) {
		c.Check(HollowContext, body != "", "%s: layer %s", at, name)
		if strings.HasPrefix(name, "2 ") {
			c.Check(ContextLayers, strings.Contains(body, "@@"), "%s: no hunk in layer 2", at)
		}
	}
}

// sections splits a context into its layers; a body without text is "".
func sections(text string) map[string]string {
	out := map[string]string{}
	marks := heading.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		out[text[m[2]:m[3]]] = strings.Trim(text[m[1]:end], "\n -")
	}
	return out
}

// leaks looks for ground truth, scores and the difficulty in a context.
func (c *checker) leaks(t *task, x *artifacts.Context, at string) {
	text := blanks.ReplaceAllString(x.Rendered, " ")
	if !c.m.Parameters.ShowDifficulty {
		c.Check(LeakDifficulty, !strings.Contains(text, string(t.record.Difficulty)), "%s", at)
	}
	c.Check(LeakScore, !slices.ContainsFunc(strings.Fields(strings.ToLower(text)), isScore), "%s", at)
	if t.note == nil {
		return
	}
	for _, k := range t.note.Comments {
		body := []rune(strings.TrimSpace(blanks.ReplaceAllString(k.Body, " ")))
		if len(body) >= leakRunes/2 {
			c.Check(LeakComment, !strings.Contains(text, string(body[:min(leakRunes, len(body))])), "%s: %s", at, k.CommentID)
		}
	}
}

func isScore(word string) bool {
	word = strings.Trim(word, "`*:=,.()")
	return word == "rvs" || word == "rvs_score" || word == "rqs"
}

// blocks compares the diffs of a context with diff_patch: paths, line numbers,
// and the text of every line.
func (c *checker) blocks(t *task, x *artifacts.Context, at string) {
	if t.diff == nil {
		return
	}
	for _, block := range artifacts.DiffBlocks(x.Rendered) {
		part, err := parse(block)
		if !c.Check(ContextDiff, err == nil, "%s: %v", at, err) {
			continue
		}
		for _, path := range part.files {
			c.Check(ContextDiff, part.in(t.diff, path), "%s: %s", at, path)
		}
	}
}

// in reports whether every line of a file is one of the whole diff.
func (d *changes) in(whole *changes, path string) bool {
	return subset(d.added[path], whole.added[path]) && subset(d.deleted[path], whole.deleted[path]) &&
		subset(d.unchanged[path], whole.unchanged[path])
}

// subset reports whether every line of part is in whole, with the same text.
func subset(part, whole map[int]string) bool {
	for number, line := range part {
		if original, ok := whole[number]; !ok || line != original {
			return false
		}
	}
	return true
}

// alike finds a context whose layers on code add nothing although existing production code changed.
func (c *checker) alike(t *task) {
	a, b := t.contexts[0], t.contexts[1]
	if t.diff == nil || a == nil || b == nil {
		return
	}
	changed := slices.ContainsFunc(t.diff.files, func(path string) bool {
		return !t.diff.fresh[path] && c.languages.Has(path) && pathkind.IsProduction(path)
	})
	c.Check(ConfigsAlike, !changed || a.Rendered != b.Rendered, "%s: A and B", t.id)
}
