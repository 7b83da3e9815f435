package gitsource

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/child"
)

// minMajor and minMinor are the oldest git that works: 2.31 added GIT_CONFIG_COUNT, which keeps the token off command
// lines.
const (
	minMajor = 2
	minMinor = 31
)

// maxDetail is how much of git's standard error is kept.
const maxDetail = 8 << 10

var versionPattern = regexp.MustCompile(`^git version (\d+)\.(\d+)`)

// CheckGit finds the git program and returns its version. The error is ErrNoGit, and says what to install, if git is
// missing or older than 2.31.
func CheckGit(ctx context.Context, program string) (string, error) {
	cmd := child.Command(ctx, program, "version")
	cmd.Env = passedOn() // no token
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: install git %d.%d or newer: %w", ErrNoGit, minMajor, minMinor, err)
	}
	version := strings.TrimSpace(string(out))
	m := versionPattern.FindStringSubmatch(version)
	if m == nil {
		return "", fmt.Errorf("%w: %s says %q, which is no version of git", ErrNoGit, program, version)
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	if major < minMajor || major == minMajor && minor < minMinor {
		return "", fmt.Errorf("%w: %s is too old, install git %d.%d or newer", ErrNoGit, version, minMajor, minMinor)
	}
	return version, nil
}

// passed are the environment variables that git may see: paths of programs and temporary files, proxies and
// certificates. Any other could change what git does.
var passed = []string{
	"PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
	"no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "CURL_CA_BUNDLE",
}

// setting is one line of git configuration. If git prints the secret in the value, it is redacted.
type setting struct{ key, value, secret string }

// passedOn is the part of prforge's environment that git needs.
func passedOn() []string {
	var env []string
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok { //nolint:forbidigo // what git needs of prforge's environment
			env = append(env, name+"="+value)
		}
	}
	return env
}

// environ is the whole environment of git: no user or system configuration, no prompt, no lazy fetch, no replaced
// objects, literal pathspecs.
func environ(dir, protocols string, settings []setting) []string {
	env := []string{
		"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "LC_ALL=C", "LANGUAGE=C",
		"GIT_DIR=" + dir, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_ALLOW_PROTOCOL=" + protocols,
		"GIT_LITERAL_PATHSPECS=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
	}
	env = append(env, passedOn()...)
	settings = append([]setting{{key: "gc.auto", value: "0"}, {key: "maintenance.auto", value: "false"},
		{key: "core.hooksPath", value: os.DevNull}}, settings...)
	env = append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(settings)))
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s.value))
	}
	return env
}

// redact removes the settings' secrets from git's output.
func redact(s string, settings []setting) string {
	for _, line := range settings {
		if line.secret != "" {
			s = strings.ReplaceAll(s, line.secret, "***")
		}
	}
	return s
}

// exitCode is the exit status of a failed command, or -1.
func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}

// bounded keeps what is written up to a limit and then fails, which ends the
// writing process.
type bounded struct {
	buf   bytes.Buffer // not embedded: its ReadFrom knows no limit
	limit int64
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if int64(b.buf.Len()+len(p)) > b.limit {
		b.over = true
		return 0, ErrTooLarge
	}
	return b.buf.Write(p)
}

// tail keeps the end of what is written.
type tail struct {
	buf   []byte
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > t.limit {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.limit:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.buf) }
