package scoring

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/model"
)

// graph is a small import graph.
type graph struct {
	names     map[string][]string
	neighbors map[string][2]string
	lines     map[string][2]int // of definitions of app.py and uses.py
}

func (g graph) Defined(path, name string) [][2]int {
	if lines, ok := g.lines[name]; ok && (path == "app.py" || path == "uses.py") {
		return [][2]int{lines}
	}
	return nil
}

func (g graph) FilesNamed(name string) []string { return g.names[name] }

func (g graph) Neighbor(path string, changed []string) (via, because string, ok bool) {
	t, ok := g.neighbors[path]
	return t[0], t[1], ok && slices.Contains(changed, t[0])
}

func TestGradeDifficulty(t *testing.T) {
	diff := parse(t, finalText+edit("uses.py", "@@ -1 +1 @@\n-a\n+b = read_all(1) + readMore(2)\n")+edit("defs.py", "@@ -1 +1,2 @@\n-a\n+def local_helper(x):\n+    return x\n"))
	refs := graph{
		names: map[string][]string{
			"lib/io.py": {"lib/io.py"}, "read_all": {"lib/io.py"}, "IoError": {"lib/io.py"}, "twice_defined": {"a.py", "b.py"}, "far_away": {"far.py"},
			"in_the_diff": {"app.py"}, "local_helper": {"lib/io.py"}, "lib/other.py": {"lib/other.py"},
		},
		lines:     map[string][2]int{"far_below": {90, 99}, "in_the_hunk": {11, 15}, "readMore": {90, 99}, "encodeAll": {90, 99}},
		neighbors: map[string][2]string{"lib/io.py": {"app.py", "imports"}, "lib/other.py": {"new.py", "imported by"}, "a.py": {"app.py", "imports"}},
	}
	at := func(id int64, path string, in bool, body string) GroundTruth {
		line := 1
		return GroundTruth{CommentID: id, Path: path, Side: model.Right, Line: &line, InDiff: in, Body: body}
	}
	context := func(line int) []GroundTruth {
		return []GroundTruth{{CommentID: 1, Path: "app.py", Side: model.Right, Line: &line, Body: "x"}}
	}
	nowhere := func(id int64, path, body string) GroundTruth {
		return GroundTruth{CommentID: id, Path: path, Body: body}
	}
	tests := map[string]struct {
		comments []GroundTruth
		want     model.Difficulty
		because  []model.Reference
	}{
		"all in the diff":              {[]GroundTruth{at(1, "app.py", true, "x"), at(2, "new.py", true, "y")}, model.Type1, nil},
		"no comments":                  {nil, model.Type1, nil},
		"one on context":               {[]GroundTruth{at(1, "app.py", true, "x"), at(2, "app.py", false, "y")}, model.Type2, nil},
		"before the change":            {context(12), model.Type1, nil},
		"after the change":             {context(15), model.Type1, nil},
		"two lines from the change":    {context(11), model.Type2, nil},
		"outside the hunks":            {context(300), model.Type2, nil},
		"calls a member":               {[]GroundTruth{at(1, "app.py", true, "as node.far_below() does")}, model.Type2, nil},
		"calls what its hunk calls":    {[]GroundTruth{at(1, "uses.py", true, "as node.readMore() does")}, model.Type1, nil},
		"calls it in another hunk":     {[]GroundTruth{at(1, "app.py", true, "as node.readMore() does")}, model.Type2, nil},
		"calls what its hunk does not": {[]GroundTruth{{CommentID: 1, Path: "app.py", Side: model.Right, Line: ptr(13), InDiff: true, Body: "as node.encodeAll() does"}}, model.Type2, nil},
		"calls a member in its hunk":   {[]GroundTruth{at(1, "app.py", true, "as node.in_the_hunk() does")}, model.Type1, nil},
		"on a file that was dropped":   {[]GroundTruth{at(1, "app.py", true, "x"), nowhere(2, "else.py", "y")}, model.Type1, nil},
		"without a position":           {[]GroundTruth{nowhere(1, "app.py", "x")}, model.Type1, nil},
		"a definition elsewhere":       {[]GroundTruth{at(1, "app.py", true, "as `far_below` does")}, model.Type2, nil},
		"a definition in the hunk":     {[]GroundTruth{at(1, "app.py", true, "as `in_the_hunk` does")}, model.Type1, nil},
		"anchored, old name":           {[]GroundTruth{at(1, "old.py", true, "x")}, model.Type1, nil},
		"anchored, deleted":            {[]GroundTruth{at(1, "gone.py", true, "x")}, model.Type1, nil},
		"names a path":                 {[]GroundTruth{at(1, "app.py", true, "as in lib/io.py")}, model.Type3, []model.Reference{{CommentID: 1, Named: "lib/io.py", Path: "lib/io.py", Via: "app.py", Because: "imports"}}},
		"names a symbol":               {[]GroundTruth{at(1, "app.py", true, "as in `read_all`")}, model.Type3, []model.Reference{{CommentID: 1, Named: "read_all", Path: "lib/io.py", Via: "app.py", Because: "imports"}}},
		"names what its hunk uses":     {[]GroundTruth{at(1, "uses.py", true, "why `read_all` here?")}, model.Type1, nil},
		"names it by its path":         {[]GroundTruth{at(1, "uses.py", true, "as in lib/io.py, not `read_all`")}, model.Type3, []model.Reference{{CommentID: 1, Named: "lib/io.py", Path: "lib/io.py", Via: "app.py", Because: "imports"}}},
		"a file once":                  {[]GroundTruth{at(1, "app.py", true, "`read_all` raises `IoError`")}, model.Type3, []model.Reference{{CommentID: 1, Named: "read_all", Path: "lib/io.py", Via: "app.py", Because: "imports"}}},
		"imported by":                  {[]GroundTruth{at(1, "app.py", true, "breaks lib/other.py")}, model.Type3, []model.Reference{{CommentID: 1, Named: "lib/other.py", Path: "lib/other.py", Via: "new.py", Because: "imported by"}}},
		"names two files":              {[]GroundTruth{at(1, "app.py", true, "as in `twice_defined`")}, model.Type1, nil},
		"names an untied one":          {[]GroundTruth{at(1, "app.py", true, "as in `far_away`")}, model.Type1, nil},
		"names a changed one":          {[]GroundTruth{at(1, "app.py", true, "as in `in_the_diff`")}, model.Type1, nil},
		"names what the diff defines":  {[]GroundTruth{at(1, "app.py", false, "call `local_helper` here")}, model.Type2, nil},
		"names nothing known":          {[]GroundTruth{at(1, "app.py", true, "as in `who_knows`")}, model.Type1, nil},
	}
	for name, tt := range tests {
		got, classes, because := GradeDifficulty(repo, tt.comments, diff, refs)
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
		if len(classes) != len(tt.comments) || len(classes) > 0 && slices.MaxFunc(classes, func(a, b model.CommentDifficulty) int {
			return strings.Compare(string(a.Class.Difficulty()), string(b.Class.Difficulty()))
		}).Class.Difficulty() != got {
			t.Errorf("%s: %s does not follow from %v", name, got, classes)
		}
		if d := cmp.Diff(tt.because, because); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		slices.Reverse(tt.comments)
		if again, _, _ := GradeDifficulty(repo, tt.comments, diff, refs); again != got {
			t.Errorf("%s: the order of comments matters", name)
		}
	}
}

func TestDefinitions(t *testing.T) {
	d := newDefinitions(parse(t, edit("x", "@@ -0,0 +1,11 @@\n"+
		"+func (s *Server) CloseAll(ctx context.Context) error {\n+type RingBuffer struct {\n+async def fetch_all(self):\n+class HttpClient(Base):\n"+
		"+export const makeStore = () => 1\n+    public static final List<String> readNames(int x) {\n+max_size: int = 3\n+total := sum(x)\n+interface Reader<T> {\n"+
		"+    return other_call(x)\n+if some_value == other_value:\n")))
	for name, want := range map[string]bool{"CloseAll": true, "RingBuffer": true, "fetch_all": true, "HttpClient": true, "HttpClient.get": false, "makeStore": true,
		"readNames": true, "max_size": true, "total": true, "Reader": true, "other_call": false, "some_value": false, "other_value": false, "x/total": false} {
		if d.has(name) != want {
			t.Errorf("%s: defined %v, want %v", name, d.has(name), want)
		}
	}
}
