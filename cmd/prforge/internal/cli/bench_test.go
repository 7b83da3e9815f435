//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
)

// BenchmarkBuild measures the built program against the fake GitHub, as a
// process of its own: about 300 and about 3,000 pull requests in many small
// repositories.
func BenchmarkBuild(b *testing.B) {
	program := buildProgram(b)
	for _, copies := range []int{7, 70} {
		world, names, pulls := copiedWorld(b, copies)
		b.Run(fmt.Sprintf("pulls=%d", pulls), func(b *testing.B) { benchmarkBuild(b, program, world, configuration(names, pulls), pulls) })
	}
}

// BenchmarkLarge measures one repository of many files: its memory must not grow
// with the number of pull requests.
func BenchmarkLarge(b *testing.B) {
	program := buildProgram(b)
	for _, size := range []struct {
		files int
		pulls []int
	}{{4_000, []int{12, 96, 400}}, {12_000, []int{12, 48}}} {
		for _, pulls := range size.pulls {
			b.Run(fmt.Sprintf("files=%d/pulls=%d", size.files, pulls), func(b *testing.B) {
				benchmarkBuild(b, program, largeWorld(b, size.files, pulls), configuration([]string{largeRepository}, pulls), pulls)
			})
		}
	}
}

// BenchmarkServed measures a configuration, PRFORGE_CONFIG, against the GitHub
// that GITHUB_API_URL and the like lead to, real or served from kept facts.
func BenchmarkServed(b *testing.B) {
	name, server := os.Getenv("PRFORGE_CONFIG"), os.Getenv("GITHUB_SERVER_URL")
	if name == "" || server == "" {
		b.Skip("needs PRFORGE_CONFIG, GITHUB_API_URL, GITHUB_GRAPHQL_URL, GITHUB_SERVER_URL and GITHUB_TOKEN")
	}
	config, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkServed(b, buildProgram(b), os.Environ(), server, string(config))
}

func buildProgram(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "prforge")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/prforge/prforge/cmd/prforge").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return program
}

// configuration looks at that many pull requests of a repository at most.
func configuration(names []string, pulls int) string {
	return fmt.Sprintf("version: 1\ndataset: {freeze_date: 2026-04-15}\nrqs: {min_score: 0}\nselection: {target: 100000}\n"+
		"window: {max_pulls_per_repository: %d}\nrepositories: [%s]\n", pulls, strings.Join(names, ", "))
}

// benchmarkBuild measures a world on the fake GitHub.
func benchmarkBuild(b *testing.B, program string, world *fakegithub.World, config string, pulls int) {
	server, err := fakegithub.Start(world, fakegithub.Options{Limits: fakegithub.Limits{GraphQL: 1 << 20, Core: 1 << 20}})
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	env := append(os.Environ(), "GITHUB_API_URL="+server.URL(), "GITHUB_GRAPHQL_URL="+server.GraphQLURL(), "GITHUB_SERVER_URL="+server.URL(), "GITHUB_TOKEN=bench")
	cold := benchmarkServed(b, program, env, server.URL(), config)
	b.ReportMetric(float64(pulls)/cold.wall, "pulls/s")
}

// benchmarkServed builds cold and then warm, from the state that the first build
// left, and compares both with their floor. It gives the cost of the cold build.
func benchmarkServed(b *testing.B, program string, env []string, server, config string) (cold cost) {
	for b.Loop() {
		dir := b.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "prforge.yaml"), []byte(config), 0o644); err != nil {
			b.Fatal(err)
		}
		cold = runBuild(b, program, dir, env, "cold")
		warm := runBuild(b, program, dir, env, "warm")
		floor := floorOf(b, dir, server)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(cold.cpu, "cold-cpu-s")
		b.ReportMetric(warm.cpu, "warm-cpu-s")
		b.ReportMetric(cold.peak, "cold-peak-MB")
		b.ReportMetric(warm.peak, "warm-peak-MB")
		b.ReportMetric(floor.cold(), "floor-cpu-s")
		b.ReportMetric(floor.unparsed, "unparsed-cpu-s")
		b.ReportMetric(cold.cpu/floor.cold(), "cold/floor")
		b.ReportMetric(warm.cpu/floor.warm(), "warm/floor")
		b.ReportMetric(cold.cpu/(floor.cold()+floor.unparsed), "cold/all-parsed")
		b.ReportMetric(warm.cpu/(floor.warm()+floor.unparsed), "warm/all-parsed")
	}
	return cold
}

// cost is what a build took: seconds, and megabytes at its peak. CPU is user and
// system time with that of git.
type cost struct{ wall, cpu, peak float64 }

// runBuild builds the dataset of that name in dir.
func runBuild(b *testing.B, program, dir string, env []string, name string) cost {
	b.Helper()
	cmd := exec.Command(program, "build", "-c", "prforge.yaml", "-o", name, "--allow-partial", "-q")
	cmd.Dir, cmd.Env = dir, env
	begin := time.Now()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan struct{})
	peak := make(chan float64)
	go func() { peak <- peakMemory(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	close(ended)
	if err != nil && cmd.ProcessState.ExitCode() != exitPartial {
		b.Fatalf("%v\n%s", err, out.Bytes())
	}
	return cost{
		wall: time.Since(begin).Seconds(), peak: <-peak,
		cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
	}
}

// peakMemory is the most memory, in megabytes, that a process has used when it
// ends; 0 where the system has no /proc. The system's own figure for a process
// that ended will not do: it counts the memory of whoever started it, too, which
// here is the fake server.
func peakMemory(pid int, ended <-chan struct{}) (peak float64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err == nil {
			_, line, _ := strings.Cut(string(status), "VmHWM:")
			var kilobytes float64
			if _, err := fmt.Sscan(line, &kilobytes); err == nil {
				peak = max(peak, kilobytes/1024)
			}
		}
		select {
		case <-ended:
			return peak
		case <-tick.C:
		}
	}
}

// copiedWorld is the built-in world many times over, under other names. Every
// pull request of a copy also adds a file of its own: without it all but one
// copy of each would be dropped as the same change.
func copiedWorld(b *testing.B, copies int) (world *fakegithub.World, names []string, pulls int) {
	b.Helper()
	demo, err := demo.World()
	if err != nil {
		b.Fatal(err)
	}
	world = &fakegithub.World{Bots: demo.Bots, Mannequins: demo.Mannequins}
	for i := range copies {
		for _, r := range demo.Repos {
			if r.Access != fakegithub.Public && r.Access != "" {
				continue
			}
			c := *r
			c.Name, c.ID, c.FormerNames = fmt.Sprintf("%s%d", r.Name, i), r.ID*1000+int64(i), nil
			c.Pulls = ownPulls(r.Pulls, i)
			world.Repos = append(world.Repos, &c)
			names = append(names, c.FullName())
			pulls += len(c.Pulls)
		}
	}
	return world, names, pulls
}

// ownPulls are pull requests whose first commit adds a file that no other copy
// has.
func ownPulls(pulls []*fakegithub.Pull, copied int) []*fakegithub.Pull {
	out := make([]*fakegithub.Pull, len(pulls))
	for i, p := range pulls {
		own := *p
		own.Steps = slices.Clone(p.Steps)
		first := &own.Steps[0]
		first.Edits = append(slices.Clone(first.Edits), fakegithub.Edit{
			Kind: fakegithub.Write, Path: fmt.Sprintf("copy-%d.txt", p.Number), Content: fmt.Appendf(nil, "copy %d\n", copied),
		})
		out[i] = &own
	}
	return out
}
