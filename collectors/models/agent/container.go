package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/child"
)

// image matches an image with a digest, because a tag may change.
var image = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9./:_-]*@sha256:[a-f0-9]{64}$`)

// engineFailed is the exit code of docker and podman where they could not run a
// container.
const engineFailed = 125

// findEngine finds what runs containers.
func (s *source) findEngine() error {
	for _, name := range []string{"docker", "podman"} {
		if path, err := exec.LookPath(name); err == nil {
			s.engine = path
			return nil
		}
	}
	return errors.New("container: neither docker nor podman is on the PATH; without container the agent runs in the sandbox")
}

// engineVariables are the variables with the address of an engine, and its client's own.
var engineVariables = []string{"PATH", "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG",
	"DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "CONTAINER_HOST"}

// contained is a program in a container of that name: it sees the sandbox's view and the image's files, read-only,
// without network or rights, within its limits. No secret value is on a command line.
func (s *source) contained(prog sandbox.Program, name string) sandbox.Program {
	l := prog.Limits
	memory := fmt.Sprintf("%dm", l.Memory>>20)
	args := []string{
		s.engine, "run", "--rm", "--init", "--name", name, "--network", "none", "--read-only", "--cap-drop", "ALL",
		"--security-opt", "no-new-privileges",
		"--memory", memory, "--memory-swap", memory, "--pids-limit", fmt.Sprint(l.Processes), "--user",
		fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid()),
		"--tmpfs", fmt.Sprintf("/tmp:rw,exec,size=%d", l.Scratch), "--workdir", prog.Dir,
	}
	if prog.Dir == "" {
		args[len(args)-1] = repoDir
	}
	for _, b := range prog.Binds {
		volume := b.From + ":" + b.To
		if !b.Writable {
			volume += ":ro"
		}
		args = append(args, "--volume", volume)
	}
	var env []string
	for _, v := range prog.Env {
		if key, _, _ := strings.Cut(v, "="); slices.Contains(s.model.Env, key) {
			args, env = append(args, "--env", key), append(env, v)
		} else if key != "PATH" { // the image's own
			args = append(args, "--env", v)
		}
	}
	for _, key := range engineVariables {
		if v := s.env.Getenv(key); v != "" && !slices.Contains(s.model.Env, key) {
			env = append(env, key+"="+v)
		}
	}
	prog.Command, prog.Env, prog.Dir = append(append(args, s.model.Container), prog.Command...), env, ""
	return prog
}

// discard stops and removes a container, because a client that was stopped leaves it running.
func (s *source) discard(ctx context.Context, name string) {
	cmd := child.Command(context.WithoutCancel(ctx), s.engine, "rm", "--force", name)
	for _, key := range engineVariables {
		cmd.Env = append(cmd.Env, key+"="+s.env.Getenv(key))
	}
	_ = child.Run(cmd) // mostly it is gone already
}
