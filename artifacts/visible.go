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

// DiffBlocks are the diffs that a rendered context shows, one a file.
func DiffBlocks(rendered string) []string {
	var out []string
	for _, m := range diffBlock.FindAllStringSubmatch(rendered, -1) {
		out = append(out, m[2])
	}
	return out
}

// line is a line of a diff: of the old file for LEFT, of the new one for RIGHT.
type line struct {
	path   string
	side   model.Side
	number int
}

// shownLines is the set of lines that a diff shows, unchanged ones on both
// sides. A diff that cannot be parsed shows none.
func shownLines(patches ...string) map[line]unidiff.Kind {
	set := map[line]unidiff.Kind{}
	for _, patch := range patches {
		diff, err := unidiff.Parse(patch)
		if err != nil {
			continue
		}
		for _, f := range diff.Files {
			path := text.Valid(f.Path())
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

// SetContexts gives a task its three texts and says in its evidence what they
// show of the ground truth and of the change. It looks at finished texts alone:
// nothing of it can flow back into them (spec section 9).
func (t *Task) SetContexts(contexts []Context) {
	t.Contexts = contexts
	shown := map[string]map[line]unidiff.Kind{}
	for _, c := range contexts {
		shown[c.ConfigName] = shownLines(DiffBlocks(c.Rendered)...)
	}
	for i := range t.Evidence.Comments {
		t.Evidence.Comments[i].VisibleIn = visibleIn(&t.Evidence.Comments[i], shown)
	}
	t.Evidence.Coverage = coverage(shownLines(t.Record.DiffPatch), shown["config_C"])
}

// visibleIn lists the configurations whose diff shows the line of a comment of
// the ground truth; nil for any other comment.
func visibleIn(c *EvidenceComment, shown map[string]map[line]unidiff.Kind) *[]string {
	if !c.GroundTruth {
		return nil
	}
	in := []string{}
	for _, config := range Configs {
		if c.Line == nil {
			break
		}
		if _, ok := shown[config][line{c.Path, c.Side, *c.Line}]; ok {
			in = append(in, strings.TrimPrefix(config, "config_"))
		}
	}
	return &in
}

// coverage is the share of the changed lines of production files that a text
// shows; nil where no production file changed.
func coverage(whole, shown map[line]unidiff.Kind) *Float {
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
