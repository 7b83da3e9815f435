package debugging

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// ran is a run that executed lines from first to last, one step each.
func ran(first, last int) *model.ScriptRun {
	r := &model.ScriptRun{Status: model.RunOK}
	for line := first; line <= last; line++ {
		r.Statements = append(r.Statements, model.ExecutedStatement{First: line, Last: line, Runs: 1, Start: line, End: line})
	}
	return r
}

// crash is a run that raised at a line after executing those before.
func crash(line int, e model.ScriptException) *model.ScriptRun {
	r := ran(1, line)
	r.Status = model.RunRaised
	if e.Frames == nil {
		e.Frames = []model.ScriptFrame{{Line: line, First: line, Last: line, Function: "<module>"}}
	}
	r.Exception = &e
	return r
}

func TestCandidacy(t *testing.T) {
	for src, want := range map[string]verdict.Code{
		"import os\nprint(os.name)\n":                               "",
		"def f():\n    pass\nif __name__ == '__main__':\n    f()\n": "",
		"\"\"\"Doc.\"\"\"\nimport os\ndef f(): pass\nA = 1\n":       verdict.NotAScript,
		"print(input())\n":                                          verdict.NeedsArguments,
		"import sys\nprint(sys.argv[1])\n":                          verdict.NeedsArguments,
		"p = argparse.ArgumentParser()\nprint(p)\n":                 verdict.NeedsArguments,
		strings.Repeat("print(1)\n", 11):                            verdict.ScriptTooLong,
	} {
		if v := Candidacy(parse(t, src), 10); v.Code != want {
			t.Errorf("%q: %q, want %q", src, v.Code, want)
		}
	}
}

func TestBaseline(t *testing.T) {
	raised := func(kind, message string) *model.ScriptRun {
		return &model.ScriptRun{Status: model.RunRaised, Exception: &model.ScriptException{Type: kind, Message: message}}
	}
	large := raised("FileNotFoundError", "no such file")
	large.Exception.Environment, large.Exception.Filename = true, "data/large.csv"
	for _, tc := range []struct {
		name   string
		agrees bool
		run    *model.ScriptRun
		want   verdict.Code
	}{
		{"runs", true, &model.ScriptRun{Status: model.RunOK}, ""},
		{"ends itself well", true, &model.ScriptRun{Status: model.RunExit}, ""},
		{"ends itself badly", true, &model.ScriptRun{Status: model.RunExit, Exit: 1}, verdict.BaselineFails},
		{"wants arguments", true, &model.ScriptRun{Status: model.RunExit, Exit: 2}, verdict.NeedsArguments},
		{"differs", false, nil, verdict.BaselineDiffers},
		{"too long", true, &model.ScriptRun{Status: model.RunTimeout}, verdict.BaselineTimesOut},
		{"no Python", true, &model.ScriptRun{Status: model.RunUnparsed}, verdict.NotAScript},
		{"untraced", true, &model.ScriptRun{Status: model.RunOK, Untraced: true}, verdict.BaselineFails},
		{"killed", true, &model.ScriptRun{Status: model.RunKilled}, verdict.BaselineFails},
		{"module", true, raised("ModuleNotFoundError", "No module named 'xgboost'"), verdict.ModuleMissing},
		{"package", true, raised("ImportError", "requires pygraphviz http://pygraphviz.github.io/"), verdict.ModuleMissing},
		{"library", true, raised("ImportError", "libgeos_c.so.1: cannot open shared object file: No such file or directory"), verdict.LibraryMissing},
		{"large", true, large, verdict.DataTooLarge},
		{"file", true, raised("FileNotFoundError", "no such file"), verdict.DataMissing},
		{"network", true, raised("URLError", "<urlopen error [Errno -3] Temporary failure in name resolution>"), verdict.BaselineNeedsNetwork},
		{"network as OSError", true, raised("OSError", "Network is unreachable"), verdict.BaselineNeedsNetwork},
		{"display", true, raised("ImportError", "Cannot load backend 'TkAgg' which requires the 'tk' interactive framework, as 'headless' is currently running"), verdict.BaselineNeedsDisplay},
		{"input", true, raised("EOFError", "EOF when reading a line"), verdict.NeedsArguments},
		{"raises", true, raised("KeyError", "'a'"), verdict.BaselineFails},
	} {
		if v := Baseline(tc.agrees, tc.run, []string{"data/large.csv"}); v.Code != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, v.Code, tc.want)
		}
	}
}

func TestOutcome(t *testing.T) {
	base := &model.ScriptRun{Status: model.RunOK, Output: "a", Figures: []string{"f"}, Made: map[string]string{"x": "1"}}
	for _, tc := range []struct {
		name string
		run  model.ScriptRun
		want verdict.Code
	}{
		{"raises", model.ScriptRun{Status: model.RunRaised}, ""},
		{"the same", *base, verdict.MutantChangesNothing},
		{"other output", model.ScriptRun{Status: model.RunOK, Output: "b", Figures: base.Figures, Made: base.Made}, verdict.MutantSilent},
		{"other figure", model.ScriptRun{Status: model.RunOK, Output: "a", Figures: []string{"g"}, Made: base.Made}, verdict.MutantSilent},
		{"other file", model.ScriptRun{Status: model.RunOK, Output: "a", Figures: base.Figures, Made: map[string]string{"x": "2"}}, verdict.MutantSilent},
		{"no file", model.ScriptRun{Status: model.RunOK, Output: "a", Figures: base.Figures}, verdict.MutantSilent},
		{"one file more", model.ScriptRun{Status: model.RunOK, Output: "a", Figures: base.Figures, Made: map[string]string{"x": "1", "y": "1"}}, verdict.MutantSilent},
		{"exit in a guard", model.ScriptRun{Status: model.RunExit, Exit: 1}, verdict.MutantSilent},
		{"time", model.ScriptRun{Status: model.RunTimeout}, verdict.MutantTimesOut},
		{"no Python", model.ScriptRun{Status: model.RunUnparsed}, verdict.MutantUnparsed},
		{"os._exit", model.ScriptRun{Status: model.RunVanished}, verdict.MutantKilled},
		{"memory", model.ScriptRun{Status: model.RunMemory}, verdict.MutantKilled},
	} {
		if v := Outcome(base, &tc.run); v.Code != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, v.Code, tc.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	known := func(p string) bool { return p == "a.csv" }
	for _, tc := range []struct {
		name  string
		cause Span
		run   *model.ScriptRun
		want  verdict.Code
		hops  [2]int
	}{
		{"one statement", Span{5, 5}, crash(5, model.ScriptException{Type: "KeyError"}), "", [2]int{0, 0}},
		{"two apart", Span{3, 3}, crash(6, model.ScriptException{Type: "KeyError"}), "", [2]int{3, 2}},
		{"next line", Span{5, 5}, crash(6, model.ScriptException{Type: "KeyError"}), "", [2]int{1, 0}},
		{"not run", Span{9, 9}, crash(6, model.ScriptException{Type: "KeyError"}), verdict.EffectBeforeCause, [2]int{}},
		{"no frame", Span{3, 3}, crash(6, model.ScriptException{Type: "KeyError", Frames: []model.ScriptFrame{}}), verdict.EffectOutsideScript, [2]int{}},
		{"a file of its own", Span{3, 3}, crash(6, model.ScriptException{Type: "FileNotFoundError", Environment: true, Filename: "a.csv"}), "", [2]int{3, 2}},
		{"another file", Span{3, 3}, crash(6, model.ScriptException{Type: "FileNotFoundError", Environment: true, Filename: "b.csv"}), verdict.EffectOfEnvironment, [2]int{}},
		{"memory", Span{3, 3}, crash(6, model.ScriptException{Type: "MemoryError", Environment: true}), verdict.EffectOfEnvironment, [2]int{}},
	} {
		l, v := Describe(tc.cause, tc.run, known)
		if v.Code != tc.want || [2]int{l.HopLines, l.HopExecuted} != tc.hops {
			t.Errorf("%s: %q, hops %d and %d, want %q, %v", tc.name, v.Code, l.HopLines, l.HopExecuted, tc.want, tc.hops)
		}
	}
}

// A function that is written above its call: the effect lies above the cause
// and still after it.
func TestEffectInAFunctionAbove(t *testing.T) {
	run := crash(6, model.ScriptException{Type: "TypeError", Library: "numpy", Frames: []model.ScriptFrame{
		{Line: 6, First: 6, Last: 6, Function: "<module>"}, {Line: 2, First: 2, Last: 2, Function: "f"},
	}})
	l, v := Describe(Span{5, 5}, run, func(string) bool { return false })
	if v.Code != "" || l.Effect != (Span{2, 2}) || l.Function != "f" || l.Depth != 2 || l.Outer != 6 || l.HopLines != 3 || l.Library != "numpy" {
		t.Errorf("%+v %q", l, v.Code)
	}
}

func TestNormalizeMessage(t *testing.T) {
	for message, want := range map[string]string{
		"<A object at 0x7f3a>  has\n no b": "<A object at 0x> has no b",
		"no /work/a/data.csv":              "no /data.csv",
		strings.Repeat("é", 3000):          strings.Repeat("é", 2000),
		"":                                 "",
	} {
		if got := NormalizeMessage(message); got != want {
			t.Errorf("%.40q: %.40q, want %.40q", message, got, want)
		}
	}
}

func TestAnswerable(t *testing.T) {
	code := []byte("a = 1\nb = 2\na = 1\nc = 3\n")
	for _, tc := range []struct {
		cause, effect int
		numbered      bool
		want          verdict.Code
	}{{2, 4, false, ""}, {1, 4, false, verdict.LineNotUnique}, {2, 3, false, verdict.LineNotUnique}, {1, 3, true, ""}} {
		l := Label{Cause: Span{tc.cause, tc.cause}, Effect: Span{tc.effect, tc.effect}}
		if v := Answerable(code, l, tc.numbered); v.Code != tc.want {
			t.Errorf("%+v: %q", tc, v.Code)
		}
	}
}

func TestAccept(t *testing.T) {
	found := crash(3, model.ScriptException{Type: "KeyError", Message: "'a'"})
	for _, tc := range []struct {
		name   string
		agrees bool
		run    *model.ScriptRun
		want   verdict.Code
	}{
		{"the same", true, crash(3, model.ScriptException{Type: "KeyError", Message: "'a'"}), ""},
		{"differ", false, nil, verdict.MutantNondeterministic},
		{"another message", true, crash(3, model.ScriptException{Type: "KeyError", Message: "'b'"}), verdict.MutantNondeterministic},
		{"another effect", true, crash(4, model.ScriptException{Type: "KeyError", Message: "'a'"}), verdict.MutantNondeterministic},
		{"nothing", true, ran(1, 4), verdict.MutantNondeterministic},
	} {
		if v := Accept(found, tc.agrees, tc.run); v.Code != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, v.Code, tc.want)
		}
	}
}

func TestRepeats(t *testing.T) {
	got := Repeats([]Label{{Type: "KeyError", Message: "a"}, {Type: "KeyError", Message: "b"}, {Type: "KeyError", Message: "a", HopLines: 3}})
	if got[0].Code != "" || got[1].Code != "" || got[2].Code != verdict.DuplicateSignature {
		t.Errorf("%v", got)
	}
}
