package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/testenv"
)

// slurm is a Slurm of two nodes on loopback, with daemons of the test's own.
type slurm struct {
	t       *testing.T
	dir     string
	daemons map[string]*exec.Cmd // by slurmctld, n1, n2
	end     time.Time
}

// slurmLimit is how long the test may take; on a machine with nothing else to do
// it takes less than a minute.
const slurmLimit = 4 * time.Minute

// slurmConf is a Slurm without accounting, cgroups and munge. A lost node is down
// after ten seconds, and its jobs begin again at once: the credential that they
// wait for expires after five.
const slurmConf = `ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=%[2]s
SlurmdUser=%[2]s
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmctldPort=%[3]d
SlurmctldTimeout=10
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
ReturnToService=2
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2
SlurmdParameters=config_overrides
StateSaveLocation=%[1]s/ctl
SlurmdSpoolDir=%[1]s/spool-%%n
SlurmctldPidFile=%[1]s/ctl.pid
SlurmdPidFile=%[1]s/%%n.pid
SlurmctldLogFile=%[1]s/slurmctld.log
SlurmdLogFile=%[1]s/%%n.log
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=%[4]d CPUs=2 RealMemory=8000 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=%[5]d CPUs=2 RealMemory=8000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts the daemons and waits until both nodes are idle.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	for _, tool := range []string{"slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scontrol"} {
		testenv.Tool(t, tool)
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	s := &slurm{t: t, dir: t.TempDir(), daemons: map[string]*exec.Cmd{}, end: time.Now().Add(slurmLimit)}
	ports := freePorts(t, 3)
	conf := fmt.Sprintf(slurmConf, s.dir, me.Username, ports[0], ports[1], ports[2])
	if err := os.WriteFile(s.conf(), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, node := range []string{"n1", "n2"} {
			s.killNode(node)
		}
		s.kill("slurmctld")
	})
	s.start("slurmctld")
	s.start("n1")
	s.start("n2")
	s.wait("two idle nodes", func() bool { return strings.Count(s.run("sinfo", "-h", "-N", "-o", "%t"), "idle") == 2 })
	return s
}

func (s *slurm) conf() string { return filepath.Join(s.dir, "slurm.conf") }

// start starts the controller or a node.
func (s *slurm) start(name string) {
	s.t.Helper()
	cmd := exec.Command("slurmctld", "-D", "-f", s.conf())
	if name != "slurmctld" {
		cmd = exec.Command("slurmd", "-D", "-N", name, "-f", s.conf())
	}
	// The daemon of a job's steps has the environment of its node's; the job
	// itself gets the same variable from Slurm.
	cmd.Env = append(os.Environ(), "SLURM_CONF="+s.conf(), "SLURMD_NODENAME="+name)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.daemons[name] = cmd
}

// kill kills a daemon, as a lost machine would.
func (s *slurm) kill(name string) {
	if cmd := s.daemons[name]; cmd != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		delete(s.daemons, name)
	}
}

// killNode kills a node's daemon and everything that it runs for our jobs: the
// processes that were started under this test's configuration. All are stopped
// first: a lost machine does not report the death of one by another.
func (s *slurm) killNode(node string) {
	for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
		for _, pid := range s.processes(node) {
			_ = syscall.Kill(pid, signal)
		}
	}
	s.kill(node)
}

// save waits until the controller has written down what it knows. One that is
// lost before may start a job again that runs already, whereupon Slurm drains
// the node ("Duplicate jobid") until somebody resumes it.
func (s *slurm) save(job string) {
	began := time.Now()
	s.run("scontrol", "update", "jobname="+job, "comment=saved")
	s.wait("saved state", func() bool {
		state, err := os.Stat(filepath.Join(s.dir, "ctl", "job_state"))
		return err == nil && state.ModTime().After(began)
	})
}

// processes are those whose environment names this Slurm and the node.
func (s *slurm) processes(node string) []int {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	var out []int
	for _, path := range environments {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(env, []byte(s.conf())) || !bytes.Contains(env, []byte("SLURMD_NODENAME="+node+"\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && pid != os.Getpid() {
			out = append(out, pid)
		}
	}
	return out
}

// run runs a client of this Slurm; while the controller is away its answer is "".
func (s *slurm) run(name string, args ...string) string {
	cmd := exec.CommandContext(s.t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+s.conf())
	out, _ := cmd.Output()
	return strings.TrimSpace(string(out))
}

// wait polls until a condition holds; a Slurm that is not there four minutes
// after the test began fails it with its logs.
func (s *slurm) wait(what string, holds func() bool) {
	s.t.Helper()
	for ; time.Now().Before(s.end); time.Sleep(500 * time.Millisecond) {
		if holds() {
			return
		}
	}
	for _, name := range []string{"slurmctld.log", "n1.log", "n2.log"} {
		log, _ := os.ReadFile(filepath.Join(s.dir, name))
		s.t.Logf("%s:\n%s", name, log[max(0, len(log)-3000):])
	}
	s.t.Fatalf("no %s after %s; nodes:\n%s\nqueue:\n%s", what, slurmLimit, s.run("sinfo", "-N", "-o", "%N %t %E"), s.run("squeue", "-o", "%i %j %T %N %r"))
}

// freePorts are ports that nobody listens on.
func freePorts(t *testing.T, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// slowProgram is prforge as the jobs find it on their PATH; a share does not end
// before the controller is back, so that it is there to be lost.
const slowProgram = `#!/bin/bash
"%[1]s" "$@" || exit $?
if [ "$1" = shard ]; then
	touch "%[2]s/running-${SLURMD_NODENAME:-}"
	while [ ! -e "%[2]s/back" ]; do sleep 0.2; done
fi
`

// TestSlurm submits the job files to a Slurm of two nodes, kills everything of
// one node and the controller while shares run, and compares what is merged with
// what one machine builds.
func TestSlurm(t *testing.T) {
	if testing.Short() || os.Getenv("CI") != "true" && os.Getenv("PRFORGE_SLURM") == "" {
		t.Skip("starts a Slurm and loses half of it, which takes a minute: set PRFORGE_SLURM=1")
	}
	s := startSlurm(t)
	env, err := github()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := made["build"]()
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("prforge")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string, mode fs.FileMode) {
		if err := os.WriteFile(file(name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("prforge.yaml", string(demo.Config()), 0o644)
	write("prforge", fmt.Sprintf(slowProgram, program, dir), 0o755)
	command := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "SLURM_CONF="+s.conf(), "TMPDIR="+t.TempDir())
		cmd.Env = append(cmd.Env, env...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	write("jobs.sh", command(program, "cluster", "slurm", "-c", "prforge.yaml", "--at", "exchange", "-o", "two", "--shares", "4", "--at-once", "2"), 0o644)
	t.Log(command("bash", "jobs.sh"))

	exists := func(name string) bool {
		_, err := os.Stat(file(name))
		return !errors.Is(err, fs.ErrNotExist)
	}
	s.wait("share on each node", func() bool { return exists("running-n1") && exists("running-n2") })
	s.save("prforge-merge")
	s.killNode("n1")
	s.kill("slurmctld")
	s.start("slurmctld")
	write("back", "", 0o644)
	s.wait("merged dataset", func() bool { return exists("two/manifest.json") })

	if manifestIn(t, dir, "two") != manifestIn(t, whole, "data") {
		t.Error("the cluster made another dataset")
	}
	if node := s.run("sinfo", "-h", "-n", "n1", "-o", "%t"); !strings.HasPrefix(node, "down") {
		t.Errorf("node n1 is %s: nothing was lost", node)
	}
}
