package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
)

// A team's own repositories, from a token to a gate: nothing is let in unless the
// configuration says so, everything made of them says that it is not for publication,
// and no text goes to an endpoint that nobody called trusted.
func TestTeam(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the demo's world twice")
	}
	world, err := demo.World()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range world.Repos {
		if r.Access == fakegithub.Public {
			r.Access = fakegithub.Visible
		}
	}
	endpoint := newScripted(t)
	dir := evalFolder(t, endpoint)
	env := append(os.Environ(), environment(fakegithub.ForTest(t, world, fakegithub.Options{}).URL())...)
	env = append(env, "EVAL_KEY="+evalKey, "PRFORGE_PSEUDONYM_KEY=a key that is long enough")
	prforge := func(code int, want string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "prforge", args...)
		cmd.Dir, cmd.Env = dir, env
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(string(out), want) {
			t.Fatalf("prforge %s: exit code %d, want %d; want %q in\n%s", strings.Join(args, " "), got, code, want, out)
		}
	}
	file := func(path string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("public.yaml", string(demo.Config()))
	prforge(1, "repository_private", "build", "-c", "public.yaml", "-o", "public")
	any := string(demo.Config()) + "\nrepositories_visibility: any\n"
	write("told.yaml", any+"summary: {provider: openai, endpoint: \""+endpoint.URL+"/v1\", model: m}\n")
	prforge(2, "summary.trusted", "build", "-c", "told.yaml", "-o", "told")
	write("team.yaml", any)
	prforge(0, "dataset:", "build", "-c", "team.yaml", "-o", "team")

	const notice = "Not for publication"
	prforge(0, notice, "verify", "--quick", "team")
	prforge(0, "", "audit", "team", "--html", "page.html")
	for path, want := range map[string]string{
		"team/README.md": notice, "team/manifest.json": `"not_for_publication": true`, "team/config.yaml": "pseudonyms: true", "page.html": "<strong>" + notice,
	} {
		if !strings.Contains(file(path), want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}

	prforge(2, "trusted: true", "eval", "run", "team", "-c", "eval.yaml", "-o", "run", "--yes", "-q")
	if endpoint.requests > 0 {
		t.Fatalf("%d requests to an endpoint that is not trusted", endpoint.requests)
	}
	write("eval.yaml", strings.Replace(file("eval.yaml"), "{url:", "{trusted: true, url:", 1))
	prforge(0, notice, "eval", "run", "team", "-c", "eval.yaml", "-o", "run", "--yes", "-q")
	if endpoint.requests == 0 {
		t.Error("a trusted endpoint was not asked")
	}
	for _, path := range []string{"run/report.md", "run/report.html"} {
		if !strings.Contains(file(path), notice) {
			t.Errorf("%s does not say that it is not for publication", path)
		}
	}
	prforge(0, "not worse", "eval", "compare", "run", "run")
}
