package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/reviewer"
)

// The paths of the contract, and the program's own folder.
const (
	repoDir      = sandbox.Work + "/repo"
	pullDir      = sandbox.Work + "/pr"
	outDir       = sandbox.Work + "/out"
	agentDir     = sandbox.Work + "/agent"
	findingsFile = "findings.json"
)

// setting matches a character of a setting's name that variables cannot have.
var setting = regexp.MustCompile(`[^A-Z0-9]`)

// source runs the program for each question, until it returns a review.
type source struct {
	model reviewer.Model
	env   models.Environment

	mu  sync.Mutex
	box *sandbox.Box // nil until it is needed
	// engine runs containers: docker or podman.
	engine string

	dial dialer // of the proxy; nil for the network
}

// variable is the variable that carries a setting.
func variable(name string) string {
	return "RB_CONFIG_" + setting.ReplaceAllString(strings.ToUpper(name), "_")
}

// secrets are the values of the variables that the program gets by name.
func (s *source) secrets() []string {
	var out []string
	for _, name := range s.model.Env {
		if v := s.env.Getenv(name); v != "" {
			out = append(out, v)
		}
	}
	// The longest first: one may hold another.
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// masked is a text of the program without secrets.
func masked(s string, secrets []string) string {
	for _, secret := range secrets {
		s = strings.ReplaceAll(s, secret, "***")
	}
	return s
}

// environment is all of the program's environment.
func (s *source) environment(pull reviewer.Pull, attempt int, proxied bool) []string {
	env := []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=" + repoDir,
		"RB_NWO=" + pull.NWO, fmt.Sprintf("RB_PR_NUMBER=%d", pull.Number), "RB_BASE=" + pull.Base, "RB_HEAD=" + pull.Head,
		"RB_AGENT=" + s.model.ID, "RB_DIFF=" + pullDir + "/diff.patch", "RB_PR_JSON=" + pullDir + "/pr.json",
		"RB_OUT=" + outDir + "/" + findingsFile, fmt.Sprintf("RB_ATTEMPT=%d", attempt),
	}
	for _, name := range slices.Sorted(maps.Keys(s.model.Settings)) {
		env = append(env, variable(name)+"="+s.model.Settings[name])
	}
	if s.model.ModelBaseURL != "" {
		env = append(env, "RB_MODEL_BASE_URL="+s.model.ModelBaseURL)
	}
	for _, name := range s.model.Env {
		if v := s.env.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	if proxied {
		for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
			env = append(env, name+"=http://"+relayAddress)
		}
		env = append(env, "NODE_USE_ENV_PROXY=1")
	}
	return env
}

// allowed are the hosts that the program may reach, that of its model among them.
func (s *source) allowed() []string {
	out := slices.Clone(s.model.Allow)
	if u, err := url.Parse(s.model.ModelBaseURL); err == nil && u.Host != "" {
		out = append(out, u.Host)
	}
	return out
}

// pullJSON is pr.json.
func pullJSON(pull reviewer.Pull) ([]byte, error) {
	data, err := json.MarshalIndent(pull, "", "  ")
	return append(data, '\n'), err
}
