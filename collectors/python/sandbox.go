package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/prforge/prforge/internal/child"
	"github.com/prforge/prforge/internal/model"
)

// Way is how scripts are kept apart from the machine.
type Way string

// The ways. Bubblewrap and Unshare give the same view: the interpreter's
// folders, read-only, and two empty folders in memory; no network; no other
// process.
const (
	Auto       Way = "auto"
	Bubblewrap Way = "bubblewrap"
	Unshare    Way = "unshare"
	// None runs scripts with the rights of prforge itself: only for scripts that
	// one trusts.
	None Way = "none"
)

// ErrNoSandbox says that no way to isolate a script works here.
var ErrNoSandbox = errors.New("no sandbox works here: install bubblewrap, or use --no-sandbox for scripts that you trust")

// nobody runs the scripts where prforge runs as root: the kernel exempts root
// from the limit of processes.
const nobody = 65534

// workFolder is where a script finds itself inside a sandbox.
const workFolder = "/work"

// etc are the only files of /etc that an interpreter and its libraries need.
var etc = []string{"/etc/alternatives", "/etc/ld.so.cache", "/etc/matplotlibrc", "/etc/fonts"}

// environment is everything that a script finds in its environment.
func environment(seed int, folder string) []string {
	home := "/tmp"
	if folder != workFolder {
		home = folder
	}
	return []string{
		"PATH=/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + home, "TZ=UTC", "LC_ALL=C.UTF-8",
		"PYTHONHASHSEED=" + strconv.Itoa(seed), "PYTHONDONTWRITEBYTECODE=1", "PYTHONWARNINGS=ignore",
		"MPLBACKEND=Agg", "MPLCONFIGDIR=" + home + "/.mpl", "SOURCE_DATE_EPOCH=0",
		"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1", "BLIS_NUM_THREADS=1",
		"LOKY_MAX_CPU_COUNT=1",
	}
}

// python is the interpreter's command line for the tracer: no user site, no
// bytecode.
func (o *Options) python(program string) []string {
	return []string{o.Interpreter, "-s", "-B", "-c", program}
}

// command is the process that answers requests in a way. asNobody gives up the
// rights of root.
func (o *Options) command(way Way, asNobody bool, program string, env []string) *exec.Cmd {
	var args []string
	switch way {
	case Bubblewrap:
		args = o.bubblewrap(program, env)
	case Unshare:
		args = o.unshare(program, env)
	default:
		args = o.python(program)
	}
	cmd := child.Command(context.Background(), args[0], args[1:]...) // it outlives the call; it is killed at its limits and at Close
	cmd.Dir, cmd.Env = "/", env
	if asNobody {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return cmd
}

func (o *Options) bubblewrap(program string, env []string) []string {
	size := strconv.FormatInt(o.Limits.Scratch, 10)
	args := []string{"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--ro-bind", "/usr", "/usr"}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if target, err := os.Readlink(dir); err == nil {
			args = append(args, "--symlink", target, dir)
		} else {
			args = append(args, "--ro-bind-try", dir, dir)
		}
	}
	for _, p := range append(etc, o.Paths...) {
		args = append(args, "--ro-bind-try", p, p)
	}
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--size", size, "--tmpfs", "/tmp", "--size", size, "--tmpfs", workFolder, "--chdir", workFolder)
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		args = append(args, "--setenv", name, value)
	}
	return append(append(args, "--remount-ro", "/", "--"), o.python(program)...)
}

// unshareScript builds the view of bubblewrap with the tools of util-linux: a
// root in memory with read-only mounts, and no rights left to change it. Its
// arguments are the size of that memory, the folders and files to show, "--",
// and the command.
const unshareScript = `set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
size=$1; shift
mount -t tmpfs -o "size=$size,mode=755" none /tmp
cd /tmp
mkdir usr proc dev etc tmp work old
mount --rbind /usr usr
mount -o remount,bind,ro usr
for p in bin sbin lib lib32 lib64; do
	if [ -L /$p ]; then ln -s "$(readlink /$p)" $p; elif [ -d /$p ]; then mkdir $p; mount --rbind /$p $p; fi
done
while [ "$1" != -- ]; do
	if [ -d "$1" ]; then mkdir -p ".$1"; mount --rbind "$1" ".$1"
	elif [ -e "$1" ]; then mkdir -p "$(dirname ".$1")"; : > ".$1"; mount --bind "$1" ".$1"; fi
	shift
done
shift
for d in null zero random urandom; do : > dev/$d; mount --bind /dev/$d dev/$d; done
mkdir dev/shm
mount -t proc none proc
mount -t tmpfs -o "size=$size,mode=777" none work
mount -t tmpfs -o "size=$size,mode=777" none tmp
mount -t tmpfs -o "size=$size,mode=777" none dev/shm
pivot_root . old
cd /
umount -l /old
rmdir /old
mount -o remount,ro /
cd /work
exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
`

func (o *Options) unshare(program string, env []string) []string {
	args := []string{"unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child",
		"sh", "-c", unshareScript, "sh", strconv.FormatInt(o.Limits.Scratch, 10)}
	args = append(append(append(args, etc...), o.Paths...), "--", "/usr/bin/env", "-i")
	return append(append(args, env...), o.python(program)...)
}

// choice is a way that was seen to work.
type choice struct {
	way      Way
	asNobody bool
}

// choose finds the first way that works. As root, the rights of root are given
// up where that is possible.
func (o *Options) choose(ctx context.Context) (choice, error) {
	if _, err := exec.LookPath(o.Interpreter); err != nil {
		return choice{}, fmt.Errorf("find the interpreter: %w", err)
	}
	ways := []Way{o.Sandbox}
	switch o.Sandbox {
	case Auto:
		ways = []Way{Bubblewrap, Unshare}
	case Bubblewrap, Unshare:
	case None:
		return choice{way: None}, nil
	default:
		return choice{}, fmt.Errorf("unknown sandbox %q: want auto, bubblewrap, unshare or none", o.Sandbox)
	}
	var problems []error
	for _, way := range ways {
		for _, asNobody := range []bool{true, false} {
			if asNobody && os.Geteuid() != 0 {
				continue
			}
			c := choice{way, asNobody}
			err := o.try(ctx, c)
			if err == nil {
				o.Log.Info("sandbox chosen", "way", way, "as_nobody", asNobody)
				return c, nil
			}
			if ctx.Err() != nil {
				return choice{}, ctx.Err()
			}
			problems = append(problems, fmt.Errorf("%s: %w", way, err))
		}
	}
	return choice{}, fmt.Errorf("%w: %w", ErrNoSandbox, errors.Join(problems...))
}

// try starts an interpreter in a way and asks it for its version.
func (o *Options) try(ctx context.Context, c choice) error {
	p, err := o.start(c, tracer, 0)
	if err != nil {
		return err
	}
	defer p.close()
	var r model.Runtime
	return p.ask(ctx, map[string]any{"versions": []string{}}, &r)
}

// hostFolder makes the work folder of a run without a sandbox.
func hostFolder() (string, error) {
	dir, err := os.MkdirTemp("", "prforge-python-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}
