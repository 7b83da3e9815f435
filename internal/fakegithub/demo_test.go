package fakegithub

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// The demo promises one of each: what the talk of a world can hold must occur
// in it.
func TestDemoHoldsOneOfEach(t *testing.T) {
	world, err := demoWorld()
	if err != nil {
		t.Fatal(err)
	}
	s := ForTest(t, world, Options{})
	seen := map[string]int{}
	for _, r := range s.site.repos {
		seen["language "+r.Language]++
		seen["access "+string(r.Access)]++
		for _, p := range r.pulls {
			seen["method "+string(p.Method)]++
			seen["dismissed"] += len(p.dismiss)
			for _, step := range p.Steps {
				if step.MergeBase {
					seen["base merged into head"]++
				}
				if step.Force {
					seen["force-push"]++
				}
			}
			for _, f := range p.files {
				seen["file "+f.status]++
			}
			if p.IsPurged {
				seen["purged"]++
			}
			if strings.Contains(p.Body, "\r\n") {
				seen["CRLF"]++
			}
			seen["author "+world.accountType(p.Author)]++
			for _, th := range p.threads {
				seen["thread "+th.side+" "+th.subject]++
				switch {
				case th.pending():
					seen["pending"]++
				case th.outdated && (&parsedDiff{files: p.files}).file(th.path) == nil:
					seen["file dropped"]++
				case th.outdated:
					seen["outdated"]++
				}
				if th.originalStart != nil {
					seen["several lines"]++
				}
				for _, c := range th.comments {
					seen["commenter "+world.accountType(c.author)]++
					if c.minimized != "" {
						seen["minimized"]++
					}
				}
			}
		}
	}
	for _, want := range []string{
		"language Python", "language JavaScript", "language TypeScript", "language Go", "language Java", "access public", "access private",
		"method merge", "method squash", "method rebase", "method closed", "method open", "base merged into head", "force-push", "purged",
		"file ADDED", "file MODIFIED", "file RENAMED", "CRLF", "author User", "author Bot", "author ", "dismissed", "pending", "outdated",
		"file dropped", "several lines", "minimized", "thread LEFT LINE", "thread RIGHT LINE", "thread RIGHT FILE",
		"commenter User", "commenter Bot", "commenter Mannequin", "commenter ",
	} {
		if seen[want] == 0 {
			t.Errorf("the demo has no %q", want)
		}
	}
}

// demoWorld is the world of package demo, which imports this one.
func demoWorld() (*World, error) { return ParseWorld(os.DirFS("../demo/world")) }
