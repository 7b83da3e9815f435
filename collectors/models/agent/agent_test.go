package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/testenv"
)

// TestMain is also what runs inside the sandbox of an agent with a network.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == RelayCommand {
		code, err := Relay(context.Background(), os.Args[3:], os.Environ(), os.Stdout, os.Stderr)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

var pull = reviewer.Pull{
	Repo: "https://github.com/owner/name", Number: 12, Base: strings.Repeat("b", 40), Head: strings.Repeat("a", 40), NWO: "owner/name", Title: "A title", Body: "Why",
}

const secret = "sk-very-secret"

// open makes the source of an agent that runs a shell script.
func open(t *testing.T, script string, change func(*source)) *source {
	t.Helper()
	testenv.Tool(t, "bwrap")
	testenv.Tool(t, "git")
	state, err := store.Open(filepath.Join(t.TempDir(), "answers.db"), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { state.Close() })
	s := &source{
		model: reviewer.Model{ID: "mine", Provider: reviewer.Agent, Command: []string{"/bin/sh", "-c", script}, Env: []string{"AGENT_KEY"}, TimeoutSeconds: 60},
		env: models.Environment{
			Answers: state.Answers(), Bill: models.NewBill(state.Answers(), 0, 0), Log: slog.New(slog.DiscardHandler),
			Getenv: func(name string) string { return map[string]string{"AGENT_KEY": secret}[name] },
			Checkout: func(_ context.Context, _, dir string) (string, error) {
				cmd := exec.Command("sh", "-c", "git init -q $1 && cd $1 && echo code > a.go && git add . && git -c user.name=a -c user.email=a@b commit -qm one && rm -rf .git/logs .git/hooks", "sh", dir)
				cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent"}
				out, err := cmd.CombinedOutput()
				if err != nil {
					return "", fmt.Errorf("%w: %s", err, out)
				}
				return "the change\n", nil
			},
		},
	}
	if change != nil {
		change(s)
	}
	return s
}

func ask(t *testing.T, s *source) (models.Answer, error) {
	t.Helper()
	prompt, err := pull.Prompt("context")
	if err != nil {
		t.Fatal(err)
	}
	return s.Ask(t.Context(), models.Question{Task: models.Task{ID: "name__12", Config: reviewer.Repository, Repeat: 1}, Prompt: prompt})
}

// wrote is the end of a script that writes findings.
func wrote(findings string) string {
	return `cat > $RB_OUT <<END
{"pr": {"repo": "https://github.com/$RB_NWO", "pr_number": $RB_PR_NUMBER, "base": "$RB_BASE", "head": "$RB_HEAD"}, "agent": "$RB_AGENT", "findings": ` + findings + `}
END
`
}

// TestAsk_Contract: what ReviewBench's contract promises is there, and the review is
// asked for once.
func TestAsk_Contract(t *testing.T) {
	s := open(t, `set -e
test "$RB_NWO $RB_PR_NUMBER $RB_AGENT $RB_ATTEMPT" = "owner/name 12 mine 1"
test ${#RB_BASE}${#RB_HEAD} = 4040
test "$RB_CONFIG_MAX_TOKENS $RB_CONFIG_MODEL" = "100 m-1"
test "$(cat $RB_DIFF)" = "the change"
grep -q '"title": "A title"' $RB_PR_JSON
test "$RB_DIFF $RB_PR_JSON $RB_OUT" = "/work/pr/diff.patch /work/pr/pr.json /work/out/findings.json"
! touch /work/pr/x 2>/dev/null
test "$(git -C /work/repo log --format=%s)" = one
echo more >> /work/repo/a.go
test -z "$HTTPS_PROXY"
echo "key $AGENT_KEY" >&2
`+wrote(`[{"file": "a.go", "start_line": 3, "end_line": 5, "message": "wrong $AGENT_KEY", "producer": "mine"}], "usage": {"input_tokens": 7, "output_tokens": 2, "cost_usd": 0.5}`), func(s *source) {
		s.model.Settings = map[string]string{"max-tokens": "100", "model": "m-1"}
	})
	a, err := ask(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"body":"wrong ***","file":"a.go","line":3}]`; a.Text != want {
		t.Errorf("%s, want %s", a.Text, want)
	}
	if a.Log != "key ***\n" || a.Attempts != 1 || a.Usage != (reviewer.Usage{Input: 7, Output: 2, USD: 0.5}) || !a.Fresh {
		t.Errorf("%+v", a)
	}
	if b, err := ask(t, s); err != nil || b.Fresh || b.Text != a.Text || b.Log != a.Log {
		t.Errorf("asked again: %+v, %v", b, err)
	}
	s.env.Offline = true
	for name, change := range map[string]func(){
		"another setting": func() { s.model.Settings["model"] = "m-2" }, "another program": func() { s.model.FolderSHA256 = "1" },
	} {
		was := s.model
		was.Settings = maps.Clone(was.Settings)
		change()
		if _, err := ask(t, s); !errors.Is(err, models.ErrNotKept) {
			t.Errorf("%s: %v", name, err)
		}
		s.model = was
	}
}

func TestAsk_Silent(t *testing.T) {
	if a, err := ask(t, open(t, wrote("[]"), nil)); err != nil || a.Text != "[]" {
		t.Errorf("%q, %v", a.Text, err)
	}
}

// TestAsk_NextAttempt: an attempt that fails leaves nothing to the next.
func TestAsk_NextAttempt(t *testing.T) {
	a, err := ask(t, open(t, `test $RB_ATTEMPT = 2 || { echo x > /work/repo/left; echo bad > $RB_OUT; exit 1; }
test ! -e /work/repo/left && test ! -e $RB_OUT && `+wrote("[]"), nil))
	if err != nil || a.Attempts != 2 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestAsk_Failures: every way to give no review ends, with its reason.
func TestAsk_Failures(t *testing.T) {
	one := func(file string) string {
		return wrote(`[{"file": "` + file + `", "start_line": 1, "end_line": 1, "message": "m"}]`)
	}
	for name, tc := range map[string]struct {
		script, want string
		change       func(*source)
	}{
		"exit code":           {script: wrote("[]") + "echo 'bad key '$AGENT_KEY >&2; exit 3", want: "exit code 3: bad key ***"},
		"signal":              {script: "kill -9 $$", want: "exit code 137"},
		"no file":             {script: "true", want: "left no findings.json"},
		"not JSON":            {script: "echo '{' > $RB_OUT", want: "not what the contract asks for"},
		"another head":        {script: "RB_HEAD=$RB_BASE; " + wrote("[]"), want: "another head"},
		"another number":      {script: "RB_PR_NUMBER=13; " + wrote("[]"), want: "another head"},
		"no findings":         {script: wrote("null"), want: "has no findings"},
		"path out":            {script: one("../a.go"), want: "path within the repository"},
		"absolute path":       {script: one("/etc/passwd"), want: "path within the repository"},
		"dotted path":         {script: one("./a.go"), want: "path within the repository"},
		"no line":             {script: wrote(`[{"file": "a.go", "message": "m"}]`), want: "lines from 1"},
		"a link":              {script: "ln -s /etc/hostname $RB_OUT", want: "is no file"},
		"a link to a program": {script: "ln -s /work/repo $RB_OUT", want: "is no file"},
		"a pipe":              {script: "mkfifo $RB_OUT", want: "is no file"},
		"a folder":            {script: "mkdir $RB_OUT", want: "is no file"},
		"a gigabyte":          {script: "truncate -s 1G $RB_OUT", want: "larger than"},
		"time":                {script: "sleep 1000", want: "limit of time", change: func(s *source) { s.model.TimeoutSeconds = 1 }},
		"memory":              {script: "tail /dev/zero", want: "limit of memory", change: func(s *source) { s.model.Limits.MemoryMB = 64 }},
		"disk":                {script: "cat /dev/zero > /work/out/a & cat /dev/zero > /work/repo/b & wait; sleep 60", want: "limit of disk", change: func(s *source) { s.model.Limits.DiskMB = 300 }},
		"processes":           {script: "for i in $(seq 100); do sleep 60 & done; wait", want: "Cannot fork", change: func(s *source) { s.model.Limits.Processes = 40 }},
		"output":              {script: "yes", want: "limit of output", change: func(s *source) { s.model.Limits.OutputMB = 1 }},
		"no program":          {want: "no such program", change: func(s *source) { s.model.Command = []string{"no-such-program"} }},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(t, open(t, tc.script, func(s *source) {
				s.model.Attempts = 1
				if tc.change != nil {
					tc.change(s)
				}
			}))
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

// TestAsk_Network: a program reaches the hosts that it is allowed, by the proxy, and
// nothing else; what it was refused is named.
func TestAsk_Network(t *testing.T) {
	testenv.Tool(t, "python3")
	script := `cat > /tmp/try.py <<'END'
import os, socket, sys
def connect(target):
    host, port = os.environ["HTTPS_PROXY"].removeprefix("http://").split(":")
    s = socket.create_connection((host, int(port)), 10)
    s.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        head += s.recv(1) or sys.exit("closed")
    return s, head.split()[1].decode()
s, code = connect("api.example.org:443")
assert code == "200", code
s.sendall(b"question")
assert s.recv(100) == b"answer", "no answer"
for target in ["other.example.org:443", "api.example.org:80", "127.0.0.1:443", "[::1]:443", "api.example.org.:443", "x@api.example.org:443"]:
    _, code = connect(target)
    assert code in ("403", "400"), (target, code)
for address in [("192.0.2.1", 443), ("api.example.org", 443), ("2001:db8::1", 443)]:
    try:
        socket.create_connection(address, 2)
        sys.exit(f"reached {address}")
    except OSError:
        pass
END
python3 /tmp/try.py || exit 9
` + wrote("[]")
	var dialled []string
	a, err := ask(t, open(t, script, func(s *source) {
		s.model.Command[0], s.model.Attempts = "/bin/sh", 1
		s.model.ModelBaseURL = "https://api.example.org/v1"
		s.dial = func(_ context.Context, _, address string) (net.Conn, error) {
			dialled = append(dialled, address)
			here, there := net.Pipe()
			go func() {
				_, _ = io.ReadFull(there, make([]byte, len("question")))
				_, _ = io.WriteString(there, "answer")
				there.Close()
			}()
			return here, nil
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"api.example.org:443"}; !slices.Equal(dialled, want) {
		t.Errorf("dialled %v", dialled)
	}
	for _, host := range []string{"other.example.org:443", "api.example.org:80", "127.0.0.1:443", "[::1]:443"} {
		if !slices.Contains(a.Refused, host) {
			t.Errorf("%s is not among the refused: %v", host, a.Refused)
		}
	}
}

// TestAsk_Folder: the program's own folder is there, and it starts in it.
func TestAsk_Folder(t *testing.T) {
	folder, err := os.MkdirTemp("/var/tmp", "prforge-agent-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := errors.Join(os.Chmod(folder, 0o755), os.WriteFile(filepath.Join(folder, "review.sh"), []byte("#!/bin/sh\n! touch x 2>/dev/null || exit 1\n"+wrote("[]")), 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, open(t, "", func(s *source) { s.model.Command, s.model.Folder = []string{"./review.sh"}, folder })); err != nil {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	good := reviewer.Model{Command: []string{"x"}}
	good.ModelBaseURL = "https://api.example.org/v1"
	if err := check(good); err != nil {
		t.Error(err)
	}
	for key, change := range map[string]func(*reviewer.Model){
		"command":         func(m *reviewer.Model) { m.Command = nil },
		"timeout_seconds": func(m *reviewer.Model) { m.Limits.DiskMB = -1 },
		"allow":           func(m *reviewer.Model) { m.Allow = []string{"*.example.org"} },
		"model_base_url":  func(m *reviewer.Model) { m.ModelBaseURL = "http://api.example.org" },
		"model_base_url:": func(m *reviewer.Model) { m.ModelBaseURL = "https://[" },
		"settings":        func(m *reviewer.Model) { m.Settings = map[string]string{"a-b": "1", "a_b": "2"} },
	} {
		m := good
		change(&m)
		if err := check(m); err == nil || !strings.HasPrefix(err.Error(), key) {
			t.Errorf("%s: %v", key, err)
		}
	}
	for _, allow := range []string{"API.example.org", "127.0.0.1", "::1", "localhost", "a b.org", ".org", "example.org:443", "example.org."} {
		m := good
		m.Allow = []string{allow}
		if check(m) == nil {
			t.Errorf("%q may be allowed", allow)
		}
	}
}

// TestGrep: the reviewer of docs/agents/grep.py reads what the diff does not show.
func TestGrep(t *testing.T) {
	testenv.Tool(t, "python3")
	program, err := os.ReadFile("../../../docs/agents/grep.py")
	if err != nil {
		t.Fatal(err)
	}
	a, err := ask(t, open(t, "", func(s *source) {
		s.model.Command = []string{"python3", "-c", string(program)}
		s.env.Checkout = func(_ context.Context, _, dir string) (string, error) {
			cmd := exec.Command("sh", "-ec", `git init -q $1; cd $1
printf 'def load(path, mode):\n    pass\n' > a.py
printf 'from a import load, parse_all\nload("x")\nparse_all()\n' > b.py
git add .; git -c user.name=a -c user.email=a@b commit -qm head`, "sh", dir)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent"}
			return "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,4 +1,2 @@\n-def load(path):\n+def load(path, mode):\n     pass\n-def parse_all():\n-    pass\n", cmd.Run()
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got []struct {
		Body, File string
		Line       int
	}
	if err := json.Unmarshal([]byte(a.Text), &got); err != nil || len(got) != 2 {
		t.Fatalf("%v: %s", err, a.Text)
	}
	if got[0].File != "a.py" || got[0].Line != 1 || !strings.Contains(got[0].Body, "b.py:2") || !strings.Contains(got[1].Body, "parse_all is removed") {
		t.Errorf("%+v", got)
	}
}
