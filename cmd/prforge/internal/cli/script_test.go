package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
)

// shared is what the tests of this package have in common, made once when the
// first of them asks for it.
var shared struct {
	dir    string // removed at the end
	server *fakegithub.Server
}

func TestMain(m *testing.M) {
	testscript.Main(program{m}, map[string]func(){
		"prforge": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// program is a run of this package's tests that cleans up after itself.
type program struct{ *testing.M }

func (p program) Run() int {
	var err error
	if shared.dir, err = os.MkdirTemp("", "prforge-cli-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(shared.dir)
	defer func() {
		if shared.server != nil {
			_ = shared.server.Close()
		}
	}()
	return p.M.Run()
}

// github is a fake GitHub for all tests that have no faults and no counts of
// their own, as the environment names it.
var github = sync.OnceValues(func() ([]string, error) {
	world, err := demo.World()
	if err != nil {
		return nil, err
	}
	if shared.server, err = fakegithub.Start(world, fakegithub.Options{}); err != nil {
		return nil, err
	}
	return environment(shared.server.URL()), nil
})

// environment is what the program reads to ask the GitHub at an address.
func environment(address string) []string {
	return []string{"GITHUB_API_URL=" + address, "GITHUB_GRAPHQL_URL=" + address + "/graphql", "GITHUB_SERVER_URL=" + address, "GITHUB_TOKEN=token-of-the-test"}
}

// made has folders in which one command ran; tests read or copy them.
var made = map[string]func() (string, error){
	"demo":      once("demo", "", "demo", "-q", "-o", "out/demo"),
	"build":     once("build", "", "build", "-q", "-c", "prforge.yaml", "-o", "data", "--allow-partial"),
	"published": once("published", "profile: published\n", "build", "-q", "-c", "prforge.yaml", "-o", "out/published", "--allow-partial"),
}

// once runs a command in a folder of that name when it is first asked for, with
// lines added to the sample's configuration.
func once(name, edits string, args ...string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		env, err := github()
		if err != nil {
			return "", err
		}
		dir := filepath.Join(shared.dir, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, "prforge.yaml"), append(demo.Config(), edits...), 0o644); err != nil {
			return "", err
		}
		cmd := exec.Command("prforge", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("prforge %s: %w\n%s", args[0], err, out)
		}
		return dir, nil
	})
}

// Every script runs the program against the fake GitHub in a folder of its own.
// "have demo" and "have build" copy into it what the command made; "schemas DIR"
// checks the files of a dataset against the schemas in it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"have": have, "schemas": schemas},
		Setup: func(env *testscript.Env) error {
			github, err := github()
			if err != nil {
				return err
			}
			env.Vars = append(env.Vars, github...)
			return os.WriteFile(filepath.Join(env.WorkDir, "prforge.yaml"), demo.Config(), 0o644)
		},
	})
}

func have(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || made[args[0]] == nil {
		ts.Fatalf("usage: have demo, or have build")
	}
	dir, err := made[args[0]]()
	ts.Check(err)
	ts.Check(os.Remove(ts.MkAbs("prforge.yaml")))
	ts.Check(os.CopyFS(ts.MkAbs("."), os.DirFS(dir)))
}

func schemas(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(artifactstest.FollowsSchemas(ts.MkAbs(args[0])))
}
