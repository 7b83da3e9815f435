package scoring

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// elsewhere names what a thread's first comment mentions and what changed since, further than aroundLines away:
// another file of the pull request, or a name of code in its own file. "" is nothing; nil is unknown, because the
// commits were not compared. It is weak evidence: the change may have another reason.
func (s *stated) elsewhere() *string {
	none := ""
	switch {
	case s.atHead:
		return &none
	case s.change == nil || s.final.Diff == nil || len(s.thread.Comments) == 0:
		return nil
	}
	unknown := false
	for _, name := range namesIn(s.thread.Comments[0].Body, s.final.Pull.Ref.Repo) {
		path, is := s.otherFile(name)
		switch {
		case is && !slices.Contains(s.change.paths, path):
			unknown = true // a record of an earlier version, which compared the commented files alone
		case is && len(s.change.own(s.change.delta.Lookup(path))) > 0, !is && s.namedAway(name):
			return &name
		}
	}
	if unknown {
		return nil
	}
	return &none
}

// otherFile is the one other file of the final diff that a name is the path of,
// or the end of the path.
func (s *stated) otherFile(name string) (path string, ok bool) {
	for _, f := range s.final.Diff.Files {
		p := f.Path()
		if p != name && !strings.HasSuffix(p, "/"+name) {
			continue
		}
		if f == s.file || path != "" {
			return "", false
		}
		path = p
	}
	return path, path != ""
}

// namedAway reports whether a change of the comment's own file further away than
// aroundLines deletes or adds a line with a name of code.
func (s *stated) namedAway(name string) bool {
	if !s.ranged || s.thread.Side == model.Left || strings.Contains(name, "/") {
		return false
	}
	word := regexp.MustCompile(`(?:^|[^\w$])` + regexp.QuoteMeta(name[strings.LastIndexByte(name, '.')+1:]) +
		`(?:$|[^\w$])`)
	return slices.ContainsFunc(s.change.own(s.moved), func(r unidiff.Run) bool {
		return gap(r, s.first, s.last) > aroundLines &&
			(slices.ContainsFunc(r.Deleted, word.MatchString) || slices.ContainsFunc(r.Added, word.MatchString))
	})
}
