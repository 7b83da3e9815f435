package agent

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/testenv"
)

// hostile are things that a program tries, each a line of shell that ends with 0
// where it succeeds. None may. LATER is a commit of the repository that the checkout
// was made without, PLACE a folder of the machine with a file called answers.
var hostile = []string{
	// what came later
	`git log --all --oneline | grep -q later`,
	`git reflog | grep -q .`,
	`git fsck --unreachable --dangling --no-reflogs 2>&1 | grep -qE 'unreachable|dangling'`,
	`git cat-file --batch-all-objects --batch-check | grep -q $LATER`,
	`git cat-file -e $LATER`,
	`git stash list | grep -q .`,
	`git notes list | grep -q .`,
	`git tag | grep -q .`,
	`git remote -v | grep -q .`,
	`git fetch --all && git fetch origin`,
	`git fetch https://github.com/owner/name`,
	`git config --list --show-origin | grep -qE 'url|://'`,
	`test -e .git/objects/info/alternates || test -e .git/logs || test -e .git/packed-refs`,
	`grep -rq later-line .`,
	// what the machine has
	`cat $PLACE/answers`,
	`ls $PLACE`,
	`find / -name answers -not -path '/proc/*' 2>/dev/null | grep -q .`,
	`grep -rq 'of-the-machine-[0-9]' /tmp /var /opt /home /root /srv /mnt /run`,
	`test -r /etc/shadow || test -r /etc/passwd && grep -q root /etc/shadow`,
	`ls /proc | grep -E '^[0-9]+$' | while read p; do tr '\0' ' ' < /proc/$p/cmdline; done | grep -q 'agent[.]tes[t]'`,
	`cat /proc/*/environ 2>/dev/null | tr '\0' '\n' | grep -q OUTSIDE=`,
	`cat /proc/1/root$PLACE/answers`,
	`ls -l /proc/self/fd | grep -vE 'pipe:|/dev/null|/proc/|total|socket:' | grep -q -- '->'`,
	`for fd in 3 4 5 6 7 8 9; do ls /proc/self/fd/$fd/ && exit 0; done; false`,
	`nsenter -t 1 -m ls $PLACE`,
	`unshare -r true`,
	`mount -t tmpfs none /mnt`,
	`mknod /work/out/disk b 8 0 || mknod /tmp/mem c 1 1`,
	`chroot / true`,
	`kill -9 $OUTSIDE_PID`,
	`ls /sys/class/net || ls /sys/kernel`,
	`test -w /usr || touch /usr/bin/x || touch /etc/x || touch /work/pr/x`,
	`echo core > /proc/sys/kernel/core_pattern`,
	// the network
	`exec 3<>/dev/tcp/192.0.2.1/80`,
	`python3 -c 'import socket; socket.create_connection(("$ADDRESS".split(":")[0], int("$ADDRESS".split(":")[1])), 2)'`,
	`python3 -c 'import socket; socket.create_connection(("::1", int("$ADDRESS".split(":")[1])), 2)'`,
	`python3 -c 'import socket; socket.getaddrinfo("github.com", 443)'`,
	`python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b"x", ("192.0.2.1", 53))'`,
	`python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)'`,
	`python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("$PLACE/socket")'`,
}

// TestAsk_Hostile: a program that tries all this succeeds with nothing, changes
// nothing outside, and leaves nothing running. Links and files that it puts into its
// folder for findings lead nowhere.
func TestAsk_Hostile(t *testing.T) {
	testenv.Tool(t, "python3")
	place := t.TempDir()
	secret := fmt.Sprintf("of-the-machine-%d", os.Getpid()) // made now: the relay, which an agent may read, is this program
	if err := os.WriteFile(filepath.Join(place, "answers"), []byte(secret), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("OUTSIDE", "1")
	later := strings.Repeat("c", 40)
	var script strings.Builder
	fmt.Fprintf(&script, "cd /work/repo\nPLACE=%s LATER=%s ADDRESS=%s OUTSIDE_PID=%d\nexport PLACE LATER ADDRESS\n", place, later, l.Addr(), os.Getpid())
	for i, try := range hostile {
		try = strings.NewReplacer("$ADDRESS", l.Addr().String(), "$PLACE", place).Replace(try)
		fmt.Fprintf(&script, "( %s ) >/dev/null 2>&1 && echo 'succeeded: %d' >&2\n", try, i)
	}
	mark := fmt.Sprintf("prforge-hostile-%d", os.Getpid())
	fmt.Fprintf(&script, "ln -s %s/answers /work/out/answers; ln -s / /work/out/root\n", place)
	fmt.Fprintf(&script, "for i in 1 2 3; do (exec -a %s sleep 1000 &) ; setsid nohup sleep 1000.%d >/dev/null 2>&1 & done\n", mark, os.Getpid())
	script.WriteString(wrote("[]"))
	for _, network := range []bool{false, true} {
		t.Run(map[bool]string{false: "closed", true: "proxied"}[network], func(t *testing.T) {
			a, err := ask(t, open(t, script.String(), func(s *source) {
				s.model.Command[0], s.model.TimeoutSeconds = "/bin/bash", 600
				if network {
					s.model.Allow = []string{"api.example.org"}
					s.dial = func(context.Context, string, string) (net.Conn, error) { return nil, fmt.Errorf("nobody is there") }
				}
			}))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(a.Log) {
				var i int
				if _, err := fmt.Sscanf(line, "succeeded: %d", &i); err == nil {
					t.Errorf("it succeeded: %s", hostile[i])
				}
			}
			// The kernel ends what is left in the namespace; tail waits for that.
			out, _ := exec.Command("pgrep", "-f", fmt.Sprintf("sleep 1000.%d", os.Getpid())).Output()
			for pid := range strings.FieldsSeq(string(out)) {
				if err := exec.Command("timeout", "30", "tail", "--pid="+pid, "-f", "/dev/null").Run(); err != nil {
					t.Errorf("left running: %s, %v", pid, err)
				}
			}
		})
	}
	if data, err := os.ReadFile(filepath.Join(place, "answers")); err != nil || string(data) != secret {
		t.Errorf("%q, %v", data, err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "prforge-box-*", "proxy"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
