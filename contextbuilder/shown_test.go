package contextbuilder

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/syntax"
)

// TestChangedBlocks prints, for the pull requests of the world, of how many of
// the changed definitions B shows the changed blocks, with whole diffs if
// PRFORGE_WHOLE is set. PRFORGE_ONLY names a part of them, -v lists what is missing.
func TestChangedBlocks(t *testing.T) {
	pulls := world(t)
	b := builder(t)
	b.opts.Whole = os.Getenv("PRFORGE_WHOLE") != ""
	tallies := map[string]*blockTally{}
	for _, in := range pulls {
		p, err := b.study(t.Context(), &in)
		if err != nil {
			t.Fatal(err)
		}
		all := b.changedBlocks(p)
		size := ", at most 8 a pull request"
		if len(all) > 8 {
			size = ", more than 8"
		}
		for _, c := range all {
			for _, key := range []string{in.Repo.String(), in.Repo.String() + size, c.language.ID, c.language.ID + size, "all", "all" + size} {
				if tallies[key] == nil {
					tallies[key] = &blockTally{}
				}
				tallies[key].add(c)
			}
			if !c.shown() {
				t.Logf("%s: %s", pullNames[in.Diff], c)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(tallies)) {
		t.Logf("%-45s %s", key, tallies[key])
	}
}

// changedBlock says how much is shown of a changed production definition. Its
// changed block is what Reduce shows of it at its narrowest: the statements that
// the change lies in, below the heads of the blocks around them.
type changedBlock struct {
	path, name string
	language   *syntax.Language
	execution  bool // layer 3 shows the block
	both       bool // layers 2 and 3 together do
	tokens     int  // of the block, with its signature
}

// shown reports whether layer 3, or the diff instead of it, shows the block.
func (c changedBlock) shown() bool { return c.execution || c.both }

func (c changedBlock) String() string {
	return fmt.Sprintf("%s: %s: its block of %d tokens is not shown", c.path, c.name, c.tokens)
}

// changedBlocks looks at the definitions with a body that a pull request touches
// in production files that parse. A block is shown when every line that the
// change deletes or stands beside is, and 70 % of its other lines are.
func (b *Builder) changedBlocks(p *pull) []changedBlock {
	text := b.drafts(p)[1]
	var blocks map[string]string
	var diff *diffLayer
	for _, s := range text.slots {
		switch l := s.layer.(type) {
		case *diffLayer:
			diff = l
		case *codeLayer:
			blocks = map[string]string{}
			for _, e := range l.excerpts {
				blocks[e.path] += e.block
			}
		}
	}
	var out []changedBlock
	for _, c := range p.changes {
		if c.class != production || c.was == nil || c.was.Degraded != "" {
			continue
		}
		s := newSource(c.diff.OldPath, c.was, c.base)
		reducer, ok := c.was.NewReducer(c.base, b.opts.Imports.Syntax)
		inDiff := diff.oldLines(c.diff.OldPath)
		inCode := map[string]bool{}
		for _, line := range strings.Split(blocks[c.diff.OldPath], "\n") {
			inCode[strings.TrimSpace(line)] = true
		}
		for _, def := range c.touched {
			d := &c.was.Definitions[def]
			if !d.HasBody() || !ok || c.like != nil {
				continue
			}
			places := placesIn(c.was, def, oldPlaces(c.diff))
			var narrow syntax.Reduction
			if all := reducer.Reduce(def, places); len(all) > 0 {
				narrow = all[0]
			}
			code := c.was.Compose(c.base, syntax.Pick{Def: def, Form: syntax.Reduced, Reduction: narrow})
			o := changedBlock{path: c.path, name: d.Qualified, language: c.was.Language, tokens: b.counter.Count(code)}
			o.execution = s.showsBlock(d, narrow, places, func(n int) bool { return inCode[strings.TrimSpace(s.line(n))] })
			o.both = s.showsBlock(d, narrow, places, func(n int) bool { return inDiff[n] || inCode[strings.TrimSpace(s.line(n))] })
			out = append(out, o)
		}
	}
	return out
}

// showsBlock reports whether the block of a definition is shown, asking for each
// line of it that says something and belongs to no other definition.
func (s *source) showsBlock(d *syntax.Definition, narrow syntax.Reduction, places []int, shown func(int) bool) bool {
	gone := narrow.Lines(s.text)
	head := d.Body.Start
	for n := d.Lines.Start; n < d.Body.Start; n++ {
		if strings.Contains(s.line(n), d.Name) {
			head = n // not a decorator
			break
		}
	}
	kept := func(n int) bool {
		at := s.file.Enclosing(n)
		return letters(s.line(n)) && (at < 0 || &s.file.Definitions[at] == d || n <= head) && !slices.ContainsFunc(gone, func(g syntax.Span) bool { return g.Contains(n) })
	}
	for _, n := range places {
		if d.Body.Contains(n) && kept(n) && !shown(n) {
			return false
		}
	}
	seen, all := 0, 0
	for n := head; n <= d.Body.End; n++ {
		if kept(n) {
			all++
			if shown(n) {
				seen++
			}
		}
	}
	return float64(seen) >= 0.7*float64(all)
}

// letters reports whether a line holds more than brackets.
func letters(line string) bool { return strings.ContainsFunc(line, isWord) }

// blockTally sums changed blocks up.
type blockTally struct{ n, execution, both int }

func (t *blockTally) add(c changedBlock) {
	t.n++
	if c.execution {
		t.execution++
	}
	if c.shown() {
		t.both++
	}
}

func (t *blockTally) String() string {
	share := func(n int) float64 { return 100 * float64(n) / float64(t.n) }
	return fmt.Sprintf("%4d definitions: changed block in layer 3 %.1f %%, in layers 2 and 3 %.1f %%",
		t.n, share(t.execution), share(t.both))
}
