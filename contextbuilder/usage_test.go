package contextbuilder

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
)

// layerOf is a layer of C after the lines of one file were replaced. The tree
// holds the file as it was; replace maps lines to new ones.
func layerOf(t *testing.T, number int, base memory, path string, replace map[string]string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(base[path], "\n"), "\n")
	edits := make([]edit, len(lines)+1)
	for i, line := range lines {
		if to, ok := replace[strings.TrimSpace(line)]; ok {
			edits[i] = edit{insert: []string{to}, delete: true}
		}
	}
	r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Title: "Change it", Diff: mustParse(t, diffOf(path, lines, edits)),
		Base: base, Language: "any", PRType: "bug_fix", FilesChanged: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, layer, _ := strings.Cut(r.C.Rendered, fmt.Sprintf("## Layer %d", number))
	layer, _, _ = strings.Cut(layer, "## Layer")
	return layer
}

func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i, i)
	}
	return b.String()
}

func wants(t *testing.T, layer string, has, lacks []string) {
	t.Helper()
	for _, want := range has {
		if !strings.Contains(layer, want) {
			t.Errorf("lacks %q:\n%s", want, layer)
		}
	}
	for _, not := range lacks {
		if strings.Contains(layer, not) {
			t.Errorf("has %q:\n%s", not, layer)
		}
	}
}

// TestType_OfOthersShowsCalledMembers: of a large class that the change uses there
// are the members that it calls, and no empty body.
func TestType_OfOthersShowsCalledMembers(t *testing.T) {
	base := memory{
		"shop/plan.py":  "class Planner:\n    \"\"\"Plans the routes of a day. Slowly.\"\"\"\n\n    def route(self, order, depot):\n        return depot\n\n" + repeated(200, "    def filler_%d(self):\n        return %d\n\n"),
		"shop/rates.py": "class Rates:\n" + repeated(200, "    def rate_%d(self):\n        return %d\n\n"),
		"shop/send.py":  "from shop.plan import Planner\nfrom shop.rates import Rates\n\n\ndef send(order, depot, planner, rates: Rates):\n    assert isinstance(planner, Planner)\n    way = planner.route(order, depot)\n    return way\n",
	}
	layer := layerOf(t, 3, base, "shop/send.py", map[string]string{"way = planner.route(order, depot)": "    way = planner.route(order, depot.main)"})
	wants(t, layer, []string{"# Planner: Plans the routes of a day.", "def route(self, order, depot):\n        ...", "shop/plan.py (used around the change)"}, []string{"filler_", "class Rates"})
}

// TestTypes_NoneEmptyBesideChange: of the other types of a changed file no mere
// frame is offered, and a comment that begins with the name of its type does so
// once.
func TestTypes_NoneEmptyBesideChange(t *testing.T) {
	base := memory{
		"shop/pay.go":  "package shop\n\nfunc Pay(t *Till) int {\n\treturn t.Add(1)\n}\n\ntype Ledger struct {\n\tentries []int\n}\n",
		"shop/till.go": "package shop\n\n// Till holds what was paid.\ntype Till struct {\n" + repeated(80, "\tslot%d [%d]int\n") + "}\n\nfunc (t *Till) Add(n int) int {\n\treturn n\n}\n",
	}
	lines := strings.Split(strings.TrimSuffix(base["shop/pay.go"], "\n"), "\n")
	edits := make([]edit, len(lines)+1)
	edits[3] = edit{insert: []string{"\treturn t.Add(2)"}, delete: true}
	in := Input{Repo: model.RepoRef{Owner: "o", Name: "r"}, Diff: mustParse(t, diffOf("shop/pay.go", lines, edits)), Base: base}
	p, err := newTestBuilder(DefaultOptions()).study(t.Context(), &in)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range p.execution {
		if o.def >= 0 && o.form == syntax.Stub && isType(o.file.Definitions[o.def].Kind) {
			t.Errorf("offers the frame of %s", o.file.Definitions[o.def].Name)
		}
		if strings.HasPrefix(o.note, "Till: Till") {
			t.Errorf("note %q", o.note)
		}
	}
}

// TestUsedIn: an equal word is no use of a member of another type.
func TestUsedIn(t *testing.T) {
	for _, c := range []struct{ line, name, receiver string }{
		{"timeout_api.start(1)", "start", "timeout_api"},
		{"self.timeout = 3", "timeout", "self"},
		{"call(timeout)", "timeout", ""},
		{"Server.close()", "close", "Server"},
		{"a.b().close()", "close", "b()"},
		{"x?.close()", "close", "x"},
		{"timeout_api.start(1)", "timeout", "none"},
	} {
		got := "none"
		usedIn(c.line, c.name, func(receiver string) bool { got = receiver; return true })
		if got != c.receiver {
			t.Errorf("%s in %q: receiver %q, want %q", c.name, c.line, got, c.receiver)
		}
	}
}

// TestUses_Member: a member is used through its type, or through the object in code
// of the type.
func TestUses_Member(t *testing.T) {
	src := []byte("class Till {\n  add(n) { return n }\n  pay(n) { return n }\n}\nfunction add(n) { return n }\n")
	was := languages.Parse("till.ts", src, syntax.DefaultOptions())
	index := map[string]int{}
	for i := range was.Definitions {
		index[was.Definitions[i].Qualified] = i
	}
	for _, tc := range []struct {
		line, def, touched string
		want               bool
	}{
		{"this.add(1)", "Till.add", "Till.pay", true}, {"this.add(1)", "Till.add", "add", false}, {"super().add(1)", "Till.add", "Till.pay", true},
		{"other.add(1)", "Till.add", "Till.pay", false}, {"Till.add(1)", "Till.add", "add", true}, {"add(1)", "Till.add", "Till.pay", false},
		{"add(1)", "add", "Till.pay", true}, {"x.add(1)", "add", "Till.pay", false},
	} {
		s := &changedFile{change: &change{was: was, touched: []int{index[tc.touched]}}}
		if got := s.uses([]string{tc.line}, index[tc.def]); got != tc.want {
			t.Errorf("%s uses %s beside %s: %v", tc.line, tc.def, tc.touched, got)
		}
	}
}

// TestOtherFiles: of a change without source, lines are shown, but not of a lock file.
func TestOtherFiles(t *testing.T) {
	text := repeated(60, "key%d = %d\n")
	for path, want := range map[string]bool{"app.conf": true, "uv.lock": false, "deps-lock.cfg": false} {
		layer := layerOf(t, 3, memory{path: text}, path, map[string]string{"key30 = 30": "key30 = 31"})
		if got := strings.Contains(layer, "key31 = 31"); got != want {
			t.Errorf("%s is shown: %v\n%s", path, got, layer)
		}
	}
}
