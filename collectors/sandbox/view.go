package sandbox

import (
	"os"
	"strconv"
)

// system are the existing files of /etc that programs and their libraries need; /usr and its links are also shown.
var system = []string{"/etc/alternatives", "/etc/ld.so.cache", "/etc/matplotlibrc", "/etc/fonts"}

// defaultScratch is the size of a folder in memory without a limit.
const defaultScratch = 64 << 20

// launcher runs first inside the sandbox: it sets the limits of each process that no process can raise, reports on a
// descriptor that the program begins, and becomes it. As the namespace's first process it stays to reap orphans,
// unless that is the program's task: a program in that role ignores signals. Before Linux 5.14 a limit of processes
// also counts the user's processes outside. env removes the variables that shells add. Its arguments are the
// descriptor, the size of a file in blocks of 512 bytes, the number of processes (0 for no limit), whether the
// program is the first, and the command.
const launcher = `fd=$1 blocks=$2 processes=$3 first=$4; shift 4
ulimit -c 0
[ "$blocks" = 0 ] || ulimit -f "$blocks"
case $processes:$(uname -r) in 0:*|*:[1-4].*|*:5.[0-9].*|*:5.1[0-3].*) ;;
*) ulimit -u "$processes" 2>/dev/null || ulimit -p "$processes";; esac
command -v "$1" >/dev/null || { echo "$1: no such program in the sandbox" >&2; exit 127; }
eval "echo >&$fd; exec $fd>&-"
set -- env -u _ -u SHLVL -u OLDPWD "$@"
[ $$ != 1 ] || $first || { "$@"; exit; }
exec "$@"
`

// launch is the launcher's command line.
func launch(prog Program) []string {
	l := prog.Limits
	args := []string{"/bin/sh", "-c", launcher, "sh", strconv.Itoa(3 + len(prog.Files)),
		strconv.FormatInt(max(l.Scratch, l.Disk)/512, 10), strconv.Itoa(l.Processes), strconv.FormatBool(prog.First)}
	return append(args, prog.Command...)
}

// scratch is the size of a folder in memory.
func (p Program) scratch() string {
	if p.Limits.Scratch == 0 {
		return strconv.Itoa(defaultScratch)
	}
	return strconv.FormatInt(p.Limits.Scratch, 10)
}

// dir is the program's working directory.
func (p Program) dir() string {
	if p.Dir == "" {
		return Work
	}
	return p.Dir
}

// bubblewrap is the command line of the first way. A later mount hides what is below it, so folders in memory come
// before binds.
func (b *Box) bubblewrap(prog Program) []string {
	size := prog.scratch()
	args := []string{"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"}
	if !b.nested {
		args = append(args, "--unshare-user", "--disable-userns")
	}
	if prog.First {
		args = append(args, "--as-pid-1")
	}
	args = append(args, "--ro-bind", "/usr", "/usr")
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if target, err := os.Readlink(dir); err == nil {
			args = append(args, "--symlink", target, dir)
		} else {
			args = append(args, "--ro-bind-try", dir, dir)
		}
	}
	for _, path := range system {
		args = append(args, "--ro-bind-try", path, path)
	}
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
		"--size", size, "--tmpfs", "/tmp", "--size", size, "--tmpfs", Work)
	for _, bind := range prog.Binds {
		how := "--ro-bind"
		if bind.Writable {
			how = "--bind"
		}
		args = append(args, how, bind.From, bind.To)
	}
	return append(append(args, "--chdir", prog.dir(), "--remount-ro", "/", "--"), launch(prog)...)
}

// unshareScript builds bubblewrap's view with the tools of util-linux: a root in memory with read-only mounts, and no
// rights left to change it. It builds it on /sys, which is not shown. Its arguments are the size of a folder in
// memory, the working directory, the mounts as rw, ro or try with the two paths each, "--", and the command.
const unshareScript = `set -e
path=$PATH; PATH=/usr/sbin:/usr/bin:/sbin:/bin
new=/sys size=$1 dir=$2; shift 2
mount -t tmpfs -o "size=$size,mode=755" none $new
cd $new
mkdir usr proc dev dev/shm etc tmp work old
for p in tmp work dev/shm; do mount -t tmpfs -o "size=$size,mode=777" none $p; done
for p in bin sbin lib lib32 lib64; do
	if [ -L /$p ]; then ln -s "$(readlink /$p)" $p; elif [ -d /$p ]; then mkdir $p; mount --rbind /$p $p; fi
done
writable=:
while [ "$1" != -- ]; do
	how=$1 from=$2 to=$new$3; shift 3
	if [ -d "$from" ]; then mkdir -p "$to"; mount --rbind "$from" "$to"
	elif [ -e "$from" ]; then mkdir -p "${to%/*}"; : > "$to"; mount --bind "$from" "$to"
	elif [ $how = try ]; then continue
	else echo "$from: no such file or folder, or out of reach" >&2; exit 1; fi
	if [ $how = rw ]; then writable=$writable$to:; fi
done
shift
for d in null zero full random urandom; do : > dev/$d; mount --bind /dev/$d dev/$d; done
ln -s /proc/self/fd dev/fd
for d in 0:stdin 1:stdout 2:stderr; do ln -s /proc/self/fd/${d%:*} dev/${d#*:}; done
mount -t proc none proc
while read -r _ _ _ _ at options _; do
	at=$(printf %b "$at"); [ -e "$at" ] || continue
	case $at: in $new:|$new/proc:|$new/tmp:|$new/work:|$new/dev/shm:) continue;; $new/*) ;; *) continue;; esac
	case $writable in *:$at:*) continue;; esac
	case $options in rw*) mount -o "remount,bind,ro${options#rw}" "$at";; esac
done < proc/self/mountinfo
if command -v ip >/dev/null; then ip link set lo up; fi
echo 0 > proc/sys/user/max_user_namespaces
pivot_root . old
cd /
umount -l /old
rmdir /old
mount -o remount,bind,ro /
cd "$dir"
setpriv=$(command -v setpriv); PATH=$path
exec "$setpriv" --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
`

// unshare is the command line of the second way. It is killed with prforge, and
// its namespaces with it.
func unshare(prog Program) []string {
	args := []string{"setpriv", "--pdeathsig", "KILL", "unshare", "--user", "--map-root-user", "--mount", "--net", "--pid",
		"--ipc", "--uts",
		"--fork", "--kill-child", "/bin/sh", "-c", unshareScript, "sh", prog.scratch(), prog.dir(), "ro", "/usr", "/usr"}
	for _, path := range system {
		args = append(args, "try", path, path)
	}
	for _, bind := range prog.Binds {
		how := "ro"
		if bind.Writable {
			how = "rw"
		}
		args = append(args, how, bind.From, bind.To)
	}
	return append(append(args, "--"), launch(prog)...)
}
