package fakegithub

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/child"
)

// repository is a bare git repository on disk.
type repository struct{ dir string }

// gitEnv keeps the user's configuration and language out of what git answers.
func gitEnv() []string {
	return append(os.Environ(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
}

// run runs git in the repository and returns its output.
func (r repository) run(stdin []byte, args ...string) ([]byte, error) {
	cmd := child.Command(context.Background(), "git", append([]string{"--git-dir", r.dir}, args...)...)
	cmd.Env = gitEnv()
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// store makes the repository, writes the history into it and learns the ids of
// its commits.
func (r repository) store(h *history) error {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	if _, err := r.run(nil, "init", "--quiet", "--bare", "--template=", "--initial-branch="+h.repo.DefaultBranch,
		r.dir); err != nil {
		return err
	}
	if err := r.configure(); err != nil {
		return err
	}
	if len(h.commits) == 0 {
		return nil
	}
	marks := filepath.Join(r.dir, "marks")
	if _, err := r.run(h.stream(), "fast-import", "--quiet", "--force", "--export-marks="+marks); err != nil {
		return err
	}
	return learn(h, marks)
}

// configure lets clients fetch as GitHub does, and makes hunk headings the way
// GitHub's diffs show them: with git's python and java drivers and no other.
func (r repository) configure() error {
	config := "[uploadpack]\n\tallowAnySHA1InWant = true\n\tallowFilter = true\n\thideRefs = " + hiddenRefs + "\n"
	f, err := os.OpenFile(filepath.Join(r.dir, "config"), os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(config); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	info := filepath.Join(r.dir, "info")
	if err := os.MkdirAll(info, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(info, "attributes"), []byte("*.py diff=python\n*.java diff=java\n"), 0o644)
}

// hiddenRefs keep commits that left a pull request by a force-push: no client
// sees the refs, but the commits can be fetched by their ids.
const hiddenRefs = "refs/hidden/"

// stream is the history in the language of git fast-import.
func (h *history) stream() []byte {
	var b bytes.Buffer
	data := func(content []byte) {
		fmt.Fprintf(&b, "data %d\n", len(content))
		b.Write(content)
		b.WriteByte('\n')
	}
	for _, c := range h.commits {
		fmt.Fprintf(&b, "commit %s\nmark :%d\n", h.byCommit[c], c.mark)
		who := fmt.Sprintf("%s <%s@example.invalid> %d +0000", c.author, c.author, c.date.Unix())
		fmt.Fprintf(&b, "author %s\ncommitter %s\n", who, who)
		data([]byte(c.message + "\n"))
		for i, p := range c.parents {
			fmt.Fprintf(&b, "%s :%d\n", []string{"from", "merge"}[i], p.mark)
		}
		var before map[string]file // git begins with the first parent's tree
		if len(c.parents) > 0 {
			before = c.parents[0].files
		}
		for _, path := range sortedKeys(before) {
			if _, kept := c.files[path]; !kept {
				fmt.Fprintf(&b, "D %s\n", path)
			}
		}
		for _, path := range sortedKeys(c.files) {
			if f, old := c.files[path], before[path]; f.sha != old.sha || f.mode != old.mode {
				fmt.Fprintf(&b, "M %s inline %s\n", f.mode, path)
				data(f.content)
			}
		}
	}
	for _, name := range h.refNames {
		fmt.Fprintf(&b, "reset %s\nfrom :%d\n\n", name, h.refs[name].mark)
	}
	return b.Bytes()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// learn reads the marks file.
func learn(h *history, marks string) error {
	data, err := os.ReadFile(marks)
	if err != nil {
		return err
	}
	var mark int
	var sha string
	for line := range strings.Lines(string(data)) {
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &sha); err != nil || mark > len(h.commits) {
			return fmt.Errorf("marks of git fast-import: %q", line)
		}
		h.commits[mark-1].sha = sha
	}
	return nil
}

// pair is two commits to compare, old one first.
type pair struct{ from, to *commit }

var treesLine = regexp.MustCompile(`^[0-9a-f]{40} [0-9a-f]{40}\n$`)

// diffs makes the unified diffs of pairs of commits in one run of git, with
// GitHub's options (renames found, index lines of 11 digits).
func (r repository) diffs(pairs []pair) (map[pair]string, error) {
	var ask bytes.Buffer
	for _, p := range pairs {
		fmt.Fprintf(&ask, "%s %s\n", p.from.treeSHA, p.to.treeSHA)
	}
	out, err := r.run(ask.Bytes(), "diff-tree", "--stdin", "-p", "-r", "--find-renames", "--abbrev=11")
	if err != nil {
		return nil, err
	}
	texts := make([]strings.Builder, len(pairs))
	at := -1
	lines := bufio.NewReader(bytes.NewReader(out))
	for {
		line, err := lines.ReadString('\n')
		if treesLine.MatchString(line) {
			at++
		} else if line != "" {
			texts[at].WriteString(line)
		}
		if err != nil {
			break
		}
	}
	if at != len(pairs)-1 {
		return nil, fmt.Errorf("git diff-tree answered for %d of %d pairs", at+1, len(pairs))
	}
	result := make(map[pair]string, len(pairs))
	for i, p := range pairs {
		result[p] = texts[i].String()
	}
	return result, nil
}
