package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/child"
)

// The addresses of the proxy in the sandbox: this program, relayFile, listens on relayAddress, the sandbox's own
// loopback, and forwards to relaySocket.
const (
	relayAddress = "127.0.0.1:3128"
	relayFile    = "/tmp/.prforge/relay"
	relaySocket  = "/tmp/.prforge/proxy"
)

// RelayCommand is the command of prforge that calls Relay.
const RelayCommand = "relay-to-proxy"

// relayed is a program that Relay starts, with what that needs from dir.
func relayed(prog sandbox.Program, dir string) (sandbox.Program, error) {
	self := filepath.Join(dir, "relay")
	if err := copySelf(self); err != nil {
		return prog, fmt.Errorf("copy prforge for the sandbox: %w", err)
	}
	prog.Command = append([]string{relayFile, RelayCommand, "--"}, prog.Command...)
	prog.Binds = append(prog.Binds, sandbox.Bind{From: self, To: relayFile},
		sandbox.Bind{From: filepath.Join(dir, "proxy"), To: relaySocket})
	return prog, nil
}

// copySelf copies this program to a path that the sandbox's user can reach.
func copySelf(to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	in, err := os.Open(self)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// Relay runs a command inside the sandbox and forwards its traffic on relayAddress to the proxy. It returns the
// command's exit code.
func Relay(ctx context.Context, command, env []string, stdout, stderr io.Writer) (code int, err error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", relayAddress)
	if err != nil {
		return 0, fmt.Errorf("relay to the proxy: %w", err)
	}
	defer hangUp(l)
	go func() {
		for {
			here, err := l.Accept()
			if err != nil {
				return // closed
			}
			go pass(ctx, here)
		}
	}()
	cmd := child.Command(ctx, command[0], command[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, stdout, stderr
	err = child.Run(cmd)
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}

func pass(ctx context.Context, here net.Conn) {
	defer hangUp(here)
	there, err := (&net.Dialer{}).DialContext(ctx, "unix", relaySocket)
	if err != nil {
		return
	}
	defer hangUp(there)
	join(here, here, there)
}
