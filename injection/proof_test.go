package injection_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/prforge/prforge/injection"
)

// confirmation is what CPython says of a source.
type confirmation struct {
	Error     string           `json:"error"`
	Line      int              `json:"line"`
	Message   string           `json:"message"`
	Undefined map[string][]int `json:"undefined"`
	Early     map[string][]int `json:"early"`
}

// confirmer is a CPython that compiles sources and reads their bytecode.
type confirmer struct {
	in  io.WriteCloser
	out *bufio.Reader
}

const python3 = "/usr/bin/python3"

func newConfirmer(t *testing.T) *confirmer {
	t.Helper()
	if _, err := os.Stat(python3); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	script, err := os.ReadFile("testdata/confirm.py")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python3, "-I", "-S", "-B", "-c", string(script))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &confirmer{in, bufio.NewReader(out)}
}

func (c *confirmer) ask(t *testing.T, src []byte) (out confirmation) {
	t.Helper()
	request, err := json.Marshal(string(src))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.in.Write(append(request, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := c.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// corpus is Python files to try edits on: those of the repositories in the
// folder of PRFORGE_MIRRORS, or else CPython's own library.
func corpus(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"celery+celery", "dask+dask"} {
		dir := filepath.Join(os.Getenv("PRFORGE_MIRRORS"), name, "repo")
		if os.Getenv("PRFORGE_MIRRORS") == "" {
			break
		}
		list, err := exec.Command("git", "-C", dir, "ls-tree", "-r", "--name-only", "HEAD").Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range strings.Fields(string(list)) {
			if strings.HasSuffix(path, ".py") && !strings.Contains(path, "test") {
				if src, err := exec.Command("git", "-C", dir, "show", "HEAD:"+path).Output(); err == nil {
					files[name+"/"+path] = src
				}
			}
		}
	}
	if len(files) > 0 {
		return files
	}
	out, err := exec.Command(python3, "-I", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.py", "asyncio/*.py", "email/*.py", "unittest/*.py"} {
		paths, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), pattern))
		for _, path := range paths {
			if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

// perKind is how many mutations of a kind are tried in a file.
const perKind = 3

// Every verdict of the rules is compared with CPython's, over some thousand
// edits: what they prove must fail so, and what they refuse for being no fault
// must not.
func TestRulesAgreeWithCPython(t *testing.T) {
	c := newConfirmer(t)
	files := corpus(t)
	var names []string
	for name, src := range files {
		if len(src) >= 2<<10 && len(src) <= 64<<10 {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	if os.Getenv("CI") != "true" && os.Getenv("PRFORGE_MIRRORS") == "" {
		names = names[:min(len(names), 12)] // quick; continuous integration takes all
	}
	tally := map[string]map[string]int{}
	count := func(kind, what string) {
		if tally[kind] == nil {
			tally[kind] = map[string]int{}
		}
		tally[kind][what]++
	}
	for _, name := range names {
		s, err := injection.Read(files[name])
		if err != nil || s.Clean() != nil {
			count("original", "refused")
			if original := c.ask(t, files[name]); err == nil && original.Error == "" && len(original.Undefined)+len(original.Early) == 0 {
				t.Logf("%s: refused without need: %v", name, s.Clean())
			}
			continue
		}
		original := c.ask(t, files[name])
		if original.Error != "" || len(original.Early) > 0 {
			t.Errorf("%s: clean by rule, CPython: %+v", name, original)
		}
		count("original", "clean")
		for _, kind := range injection.Kinds[:11] {
			mutations := kind.Mutations(s, nil)
			for i := 0; i < len(mutations); i += 1 + len(mutations)/perKind {
				m := mutations[i]
				proof, err := s.Prove(m, nil)
				count(m.Kind, "tried")
				if err != nil {
					var r *injection.Refusal
					if !errors.As(err, &r) {
						t.Fatalf("%s: %+v: %v", name, m, err)
					}
					count(m.Kind, r.Code)
					if what := refusedWrongly(r, func() confirmation {
						faulty, _ := injection.Apply(files[name], m.Edits)
						return c.ask(t, faulty)
					}); what != "" {
						t.Errorf("%s: %+v: %v, but %s", name, m, r, what)
					}
					continue
				}
				count(m.Kind, "proven")
				count("rule", string(proof.Rule))
				if back, err := injection.Undo(proof.Faulty, m.Edits); err != nil || !bytes.Equal(back, files[name]) {
					t.Errorf("%s: %+v: undo: %v", name, m, err)
				}
				if what := disagreement(proof, kind.Family, c.ask(t, proof.Faulty)); what != "" {
					t.Errorf("%s: %+v: proven %+v, but %s", name, m, proof.Fault, what)
				}
			}
		}
	}
	for _, kind := range append([]string{"original", "rule"}, "U1", "U2", "U3", "U4", "U5", "U6", "U7", "I1", "I2", "I3", "I4") {
		t.Logf("%-8s %v", kind, tally[kind])
	}
}

// disagreement is what CPython says otherwise of a proven fault; "" for nothing.
func disagreement(p *injection.Proof, family injection.Family, c confirmation) string {
	f := p.Fault
	if family == injection.Indentation {
		if c.Error != f.Error || c.Line != f.ReportLine {
			return fmt.Sprintf("CPython raises %q on line %d (%s)", c.Error, c.Line, c.Message)
		}
		return ""
	}
	wrong, other := c.Undefined, c.Early
	if f.Error == "UnboundLocalError" {
		wrong, other = c.Early, c.Undefined
	}
	if c.Error != "" || len(wrong) != 1 || len(other) > 0 {
		return fmt.Sprintf("CPython says %+v", c)
	}
	lines := wrong[f.Name]
	if !slices.Contains(lines, f.ReportLine) {
		return fmt.Sprintf("CPython looks it up on lines %v", lines)
	}
	for _, line := range lines {
		if !slices.Contains(f.EffectLines, line) {
			return fmt.Sprintf("CPython looks it up on line %d too", line)
		}
	}
	return ""
}

// refusedWrongly is why a refusal that says "no fault" is wrong.
func refusedWrongly(r *injection.Refusal, ask func() confirmation) string {
	switch r.Code {
	case injection.RefusedNoError:
		// "Unexpected unindent" is the grammar's: a decorator, or try, left alone.
		if c := ask(); (c.Error == "IndentationError" || c.Error == "TabError") && c.Message != "unexpected unindent" {
			return fmt.Sprintf("CPython raises %s on line %d (%s)", c.Error, c.Line, c.Message)
		}
	case injection.RefusedBound:
		if c := ask(); len(c.Undefined) > 0 {
			return fmt.Sprintf("CPython finds nothing for %v", c.Undefined)
		}
	}
	return ""
}
