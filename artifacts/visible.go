package artifacts

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// diffBlock matches one fenced diff of a rendered context.
var diffBlock = regexp.MustCompile("(?ms)^(`{3,})diff\n(.*?)^`{3,}$")

// DiffBlocks are the diffs in a rendered context, one per file, each with the header of a whole diff.
func DiffBlocks(rendered string) []string {
	var out []string
	for _, m := range diffBlock.FindAllStringSubmatch(rendered, -1) {
		out = append(out, unidiff.WithHeader(m[2]))
	}
	return out
}

// line is a line of a diff: of the old file for LEFT, of the new one for RIGHT.
type line struct {
	path   string
	side   model.Side
	number int
}

// Shown is the set of lines that diffs show, unchanged ones on both sides.
type Shown map[line]unidiff.Kind

// ShownBy is the set of lines shown by the diffs of a rendered context, or of a section of one.
func ShownBy(rendered string) Shown { return shownLines(DiffBlocks(rendered)...) }

// Has reports whether the line of a comment is shown or, for a comment on a whole file, anything of the file.
func (s Shown) Has(a *model.Anchor) bool {
	return s.has(text.Valid(a.Path), a.Side, a.Line, a.Method)
}

func (s Shown) has(path string, side model.Side, at *int, method model.AnchorMethod) bool {
	if at != nil {
		_, ok := s[line{path, side, *at}]
		return ok
	}
	_, ok := s[line{path: path}]
	return ok && method == model.AnchorFile
}

// shownLines reads diffs. An unparsable diff shows nothing. A partly shown file is in the set without side and
// number.
func shownLines(patches ...string) Shown {
	set := Shown{}
	for _, patch := range patches {
		diff, err := unidiff.Parse(patch)
		if err != nil {
			continue
		}
		for _, f := range diff.Files {
			path := text.Valid(f.Path())
			if len(f.Hunks) > 0 {
				set[line{path: path}] = unidiff.Context
			}
			for _, h := range f.Hunks {
				for _, l := range h.Lines {
					if l.Kind != unidiff.Added {
						set[line{path, model.Left, l.Old}] = l.Kind
					}
					if l.Kind != unidiff.Deleted {
						set[line{path, model.Right, l.New}] = l.Kind
					}
				}
			}
		}
	}
	return set
}

// SetContexts sets a task's three texts and notes in its evidence what they show of the ground truth and of the
// change. It reads finished texts only: nothing can flow back into them (spec section 9).
func (t *Task) SetContexts(contexts []Context) {
	t.Contexts = contexts
	shown := map[string]Shown{}
	for _, c := range contexts {
		shown[c.ConfigName] = ShownBy(c.Rendered)
	}
	for i := range t.Evidence.Comments {
		t.Evidence.Comments[i].VisibleIn = visibleIn(&t.Evidence.Comments[i], shown)
	}
	t.Evidence.Coverage = coverage(shownLines(t.Record.DiffPatch), shown["config_C"])
}

// visibleIn lists the configurations whose diff shows the line of a comment of
// the ground truth; nil for any other comment.
func visibleIn(c *EvidenceComment, shown map[string]Shown) *[]string {
	if !c.GroundTruth {
		return nil
	}
	in := []string{}
	for _, config := range Configs {
		if shown[config].has(c.Path, c.Side, c.Line, c.Anchor) {
			in = append(in, strings.TrimPrefix(config, "config_"))
		}
	}
	return &in
}

// coverage is the share of the changed lines of production files that a text
// shows; nil where no production file changed.
func coverage(whole, shown Shown) *Float {
	all, seen := 0, 0
	for l, kind := range whole {
		if kind == unidiff.Context || !pathkind.IsProduction(l.path) {
			continue
		}
		all++
		if _, ok := shown[l]; ok {
			seen++
		}
	}
	if all == 0 {
		return nil
	}
	share := Round3(float64(seen) / float64(all))
	return &share
}
