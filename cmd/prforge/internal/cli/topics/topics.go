// Package topics has the pages of help that belong to no command, and the commented configurations.
package topics

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/config"
)

// Commands are the pages of 'prforge help TOPIC' that belong to no command.
func Commands() []*cobra.Command {
	return []*cobra.Command{
		{Use: "debugging-configuration", Short: "Every key of debugging.yaml with its default", Long: string(Debugging)},
		{Use: "configuration", Short: "Every key of prforge.yaml with its default", Long: string(Config)},
		{Use: "evaluation", Short: "Every key of eval.yaml with its default", Long: string(Eval)},
		{Use: "options", Short: "The default of every key of prforge.yaml, and what it may be", Long: optionsHelp()},
		{Use: "environment", Short: "The environment variables that prforge reads", Long: environmentHelp},
		{Use: "exit-codes", Short: "What each exit code means", Long: exitCodeHelp},
		{Use: "reasons", Short: "Every reason for which something is dropped", Long: reasonHelp()},
	}
}

// Config is a commented prforge.yaml.
//
//go:embed prforge.yaml
var Config []byte

// Debugging is a commented debugging.yaml.
//
//go:embed debugging.yaml
var Debugging []byte

// Eval is a commented eval.yaml: 'prforge help evaluation > eval.yaml'.
//
//go:embed eval.yaml
var Eval []byte

const environmentHelp = `GITHUB_TOKEN, GH_TOKEN   the token to ask GitHub with; without one, 'gh auth token' is tried.
                         A fine-grained token with public read access is enough.
GITHUB_API_URL           REST address, for another GitHub than github.com
GITHUB_GRAPHQL_URL       GraphQL address
GITHUB_SERVER_URL        address that git fetches from
OPENAI_API_KEY           key for a configured summary or encoder (api_key_env names another variable)
PRFORGE_PSEUDONYM_KEY    key for pseudonyms, 16 bytes or more (privacy.key_env names another variable)
HTTPS_PROXY, NO_PROXY    the proxy for requests and for git

git runs without ~/.gitconfig: what that says of proxies and certificates does not hold.`

const exitCodeHelp = `0    done
1    failed, or verify found faults
2    wrong usage, configuration or environment; nothing was written
3    finished, but some repositories or pull requests failed; they are listed, and the
     dataset is frozen only with --allow-partial
130  interrupted; the state is kept, the same command goes on from there`

// optionsHelp lists the keys of prforge.yaml with default and possible values.
func optionsHelp() string {
	t := table.New("key", "default", "allowed")
	for _, o := range config.Options() {
		t.Row(o.Key, o.Default, o.Allowed)
	}
	return t.Render()
}

// reasonHelp lists the table of reason codes by stage.
func reasonHelp() string {
	var b strings.Builder
	stage := ""
	for _, r := range verdict.Reasons() {
		if r.Stage != stage {
			stage = r.Stage
			b.WriteString("\n" + stage + "\n")
		}
		b.WriteString("  " + string(r.Code) + "\n      " + r.Text + "\n")
	}
	return strings.TrimLeft(b.String(), "\n")
}
