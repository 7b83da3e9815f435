package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/testenv"
)

// engine stands in for docker: it reads the command line as docker does, notes it, and
// runs the program in a box with the volumes, the variables and no network.
const engine = `#!/usr/bin/env python3
import os, sys
args = sys.argv[1:]
with open(os.environ["HOME"] + "/calls", "a") as f:
    f.write(" ".join(args) + "\n")
if args[0] != "run":
    sys.exit(0)
box = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
       "--proc", "/proc", "--dev", "/dev", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"]
i = 1
while args[i].startswith("-"):
    if args[i] in ("--rm", "--init", "--read-only"):
        i += 1
        continue
    option, value = args[i], args[i + 1]
    i += 2
    if option == "--volume":
        parts = value.split(":")
        box += ["--ro-bind" if parts[2:] == ["ro"] else "--bind", parts[0], parts[1]]
    elif option == "--env":
        name, _, given = value.partition("=")
        box += ["--setenv", name, given if "=" in value else os.environ[name]]
    elif option == "--tmpfs":
        box += ["--tmpfs", value.split(":")[0]]
    elif option == "--workdir":
        box += ["--chdir", value]
if "broken" in args[i]:
    print("no such image", file=sys.stderr)
    sys.exit(125)
os.execvp("bwrap", box + args[i + 1:])
`

const imageName = "registry.example/agent@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func contained(t *testing.T, script string, change func(*source)) (s *source, calls func() string) {
	t.Helper()
	testenv.Tool(t, "python3")
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "docker"), []byte(engine), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", home+":"+os.Getenv("PATH"))
	s = open(t, script, func(s *source) {
		s.model.Container = imageName
		s.env.Getenv = func(name string) string {
			return map[string]string{"AGENT_KEY": secret, "HOME": home, "PATH": os.Getenv("PATH")}[name]
		}
		if change != nil {
			change(s)
		}
	})
	return s, func() string {
		data, err := os.ReadFile(filepath.Join(home, "calls"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
}

// TestAsk_Container: the contract holds in a container, whose limits are on the command
// line and whose secrets are not. It is removed in the end.
func TestAsk_Container(t *testing.T) {
	s, calls := contained(t, `set -e
test "$(cat $RB_DIFF)" = "the change"
test "$PWD $AGENT_KEY $RB_NWO" = "/work/repo `+secret+` owner/name"
echo more >> /work/repo/a.go
! touch /work/pr/x 2>/dev/null
echo "key $AGENT_KEY" >&2
`+wrote(`[{"file": "a.go", "start_line": 3, "end_line": 3, "message": "wrong"}]`), nil)
	a, err := ask(t, s)
	if err != nil || a.Text != `[{"body":"wrong","file":"a.go","line":3}]` || a.Log != "key ***\n" {
		t.Fatalf("%+v, %v", a, err)
	}
	run, rm, _ := strings.Cut(calls(), "\nrm --force ")
	for _, want := range []string{
		"run --rm --init --name prforge-box-", " --network none --read-only --cap-drop ALL --security-opt no-new-privileges --memory 4096m --memory-swap 4096m --pids-limit 512 ",
		":/work/pr:ro ", ":/work/out --", " --env AGENT_KEY ", " " + imageName + " /bin/sh -c ",
	} {
		if !strings.Contains(run, want) {
			t.Errorf("no %q in %s", want, run)
		}
	}
	if head, _, _ := strings.Cut(run, imageName); strings.Contains(head, secret) {
		t.Errorf("a secret is on the command line: %s", head)
	}
	if name := strings.Fields(run)[4]; strings.TrimSpace(rm) != name {
		t.Errorf("%s was not removed, but %q", name, rm)
	}
}

// TestAsk_ContainerFails: an engine that cannot run it is an error of ours, which is not
// tried again; one that takes too long is ended; without an engine the error says so.
func TestAsk_ContainerFails(t *testing.T) {
	s, calls := contained(t, "true", func(s *source) { s.model.Container = "broken/" + imageName })
	if _, err := ask(t, s); err == nil || !strings.Contains(err.Error(), "run the container: no such image") || strings.Count(calls(), "run ") != 1 {
		t.Errorf("%v", err)
	}
	s, calls = contained(t, "sleep 1000", func(s *source) { s.model.TimeoutSeconds, s.model.Attempts = 1, 1 })
	if _, err := ask(t, s); err == nil || !strings.Contains(err.Error(), "limit of time") || !strings.Contains(calls(), "rm --force prforge-box-") {
		t.Errorf("%v", err)
	}
	t.Setenv("PATH", t.TempDir())
	s = &source{model: s.model, env: s.env}
	if _, err := ask(t, s); err == nil || !strings.Contains(err.Error(), "neither docker nor podman is on the PATH") {
		t.Errorf("%v", err)
	}
}

func TestCheck_Container(t *testing.T) {
	s, _ := contained(t, "true", nil)
	for name, want := range map[string]string{"": "", "agent:latest": "is not NAME@sha256:DIGEST", "--privileged@sha256:" + strings.Repeat("a", 64): "is not NAME", imageName: ""} {
		s.model.Container = name
		if err := check(s.model); (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
	s.model.Command, s.model.Container = nil, imageName
	if err := check(s.model); err != nil {
		t.Error(err)
	}
	s.model.Allow = []string{"api.example.org"}
	if err := check(s.model); err == nil {
		t.Error("a relay without a command")
	}
}
