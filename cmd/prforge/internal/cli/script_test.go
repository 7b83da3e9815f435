package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"prforge": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// Every script runs the program against a fake GitHub of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			world, err := demo.World()
			if err != nil {
				return err
			}
			server, err := fakegithub.Start(world, fakegithub.Options{})
			if err != nil {
				return err
			}
			env.Defer(func() { server.Close() })
			env.Setenv("GITHUB_API_URL", server.URL())
			env.Setenv("GITHUB_GRAPHQL_URL", server.GraphQLURL())
			env.Setenv("GITHUB_SERVER_URL", server.URL())
			env.Setenv("GITHUB_TOKEN", "token-of-the-script")
			return os.WriteFile(env.WorkDir+"/prforge.yaml", demo.Config(), 0o644)
		},
	})
}
