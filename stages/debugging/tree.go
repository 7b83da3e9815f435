package debugging

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
)

// foundScripts are the scripts to build from, with what was decided about the
// repositories and pull requests that were searched for them.
type foundScripts struct {
	sources []model.ScriptSource
	trails  []*pipeline.Trail
}

// scriptTree is where scripts are found: the paths of its files, and a way to
// read some of them. What is too large or unavailable is left out.
type scriptTree struct {
	paths []string // sorted
	read  func(ctx context.Context, paths []string, limit int64) (map[string][]byte, error)
}

// scripts reads the scripts at the given paths of a tree, each with the files
// beside it that its text names, of at most maxInput bytes. Notebooks become scripts.
func (t scriptTree) scripts(ctx context.Context, chosen []string, from model.ScriptSource,
	maxInput int64) ([]model.ScriptSource, error) {
	code, err := t.read(ctx, chosen, maxNotebook)
	if err != nil {
		return nil, err
	}
	var out []model.ScriptSource
	wanted := map[string]bool{}
	beside := map[string][]string{} // by script
	byFolder := t.byFolder()
	for _, p := range chosen {
		data, ok := code[p]
		if !ok {
			continue
		}
		s := from
		s.Path, s.Code = p, data
		if isNotebook(p) {
			if s.Code, s.Title, err = scripts.Notebook(data); err != nil {
				s.Code = []byte{} // not_a_script
			}
		}
		if len(s.Code) > maxScript {
			continue
		}
		beside[p] = named(byFolder, p, s.Code)
		for _, name := range beside[p] {
			wanted[path.Join(path.Dir(p), name)] = true
		}
		out = append(out, s)
	}
	inputs, err := t.read(ctx, slices.Sorted(maps.Keys(wanted)), maxInput)
	if err != nil {
		return nil, err
	}
	for i := range out {
		s := &out[i]
		s.Inputs = []model.ScriptFile{}
		for _, name := range beside[s.Path] {
			if data, ok := inputs[path.Join(path.Dir(s.Path), name)]; ok {
				s.Inputs = append(s.Inputs, model.ScriptFile{Path: name, Content: data})
			} else {
				s.TooLarge = append(s.TooLarge, name)
			}
		}
	}
	return out, nil
}

// isScript reports whether a path may be a script.
func isScript(p string) bool { return path.Ext(p) == ".py" || isNotebook(p) }

func isNotebook(p string) bool { return path.Ext(p) == ".ipynb" }

// matching are the scripts' paths that a source's patterns match.
func matching(paths, patterns []string) []string {
	var any []*regexp.Regexp
	for _, p := range patterns {
		any = append(any, globPattern(p))
	}
	var out []string
	for _, p := range paths {
		if isScript(p) &&
			(len(any) == 0 || slices.ContainsFunc(any, func(re *regexp.Regexp) bool { return re.MatchString(p) })) {
			out = append(out, p)
		}
	}
	return out
}

// globPattern is a pattern of paths: "**/" any folders, "**" anything, "*"
// anything but a slash.
func globPattern(glob string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(glob)
	quoted = strings.NewReplacer(`\*\*/`, `(?:.*/)?`, `\*\*`, `.*`, `\*`, `[^/]*`).Replace(quoted)
	return regexp.MustCompile("^" + quoted + "$")
}

// byFolder are the paths of a tree by the folder that they lie in.
func (t scriptTree) byFolder() map[string][]string {
	out := map[string][]string{}
	for _, p := range t.paths {
		out[path.Dir(p)] = append(out[path.Dir(p)], p)
	}
	return out
}

// named are the files beside a script, or in a folder beside it, whose path the
// script's text has.
func named(byFolder map[string][]string, script string, code []byte) []string {
	dir := path.Dir(script)
	text := string(code)
	var out []string
	for folder, files := range byFolder {
		if folder != dir && (path.Dir(folder) != dir || folder == "." || !strings.Contains(text, path.Base(folder)+"/")) {
			continue
		}
		for _, p := range files {
			name := p
			if dir != "." {
				name = strings.TrimPrefix(p, dir+"/")
			}
			if !isScript(name) && plainPath.MatchString(name) && strings.Contains(text, name) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// scriptID is a name made of a path that no other script has. It begins with a
// letter, a digit or "_" and is ASCII; a digest keeps apart names of other
// alphabets.
func scriptID(p string, taken map[string]bool) string {
	stem := strings.TrimSuffix(p, path.Ext(p))
	name := odd.ReplaceAllString(strings.ReplaceAll(stem, "/", "."), "-")
	name = strings.TrimLeft(name[max(0, len(name)-100):], ".-")
	if strings.ContainsFunc(stem, func(r rune) bool { return r > unicode.MaxASCII }) {
		sum := sha256.Sum256([]byte(stem))
		name = cmp.Or(strings.Trim(name, ".-"), "script") + "-" + hex.EncodeToString(sum[:4])
	}
	name = cmp.Or(name, "script")
	id := name
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	taken[id] = true
	return id
}

// Limits of what is read of a script, and of a notebook with its outputs, in bytes.
const (
	maxScript   = 256 << 10
	maxNotebook = 4 << 20
)

var (
	plainPath = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?$`)
	odd       = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)
)
