package scoring

import (
	"strconv"
	"testing"

	"github.com/prforge/prforge/internal/languages"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestPRType(t *testing.T) {
	tests := []struct {
		title  string
		labels []string
		want   string
		from   string
		bug    bool
	}{
		{"Better CPU affinity detection", nil, typeFeature, "default", false},
		{"fix: close the file", nil, typeBugFix, "prefix fix", true},
		{"fix(core)!: close the file", nil, typeBugFix, "prefix fix", true},
		{"Fix(deps): bump", nil, typeBugFix, "prefix fix", true},
		{"fix(security): escape", nil, typeSecurity, "prefix fix(security)", true},
		{"feat: add a fix for x", nil, typeFeature, "prefix feat", false},
		{"feat(api): x", []string{"bug"}, typeFeature, "prefix feat", true},
		{"perf: x", nil, typePerformance, "prefix perf", false},
		{"refactor(core): fix names", nil, typeRefactor, "prefix refactor", false},
		{"docs: fix links", nil, typeRefactor, "prefix docs", false},
		{"test: add a case for empty input", nil, typeRefactor, "prefix test", false},
		{"chore: drop a vulnerable dependency", nil, typeSecurity, "title word vulnerable", false},
		{"Avoid a race between close and read", nil, typeBugFix, "title word avoid a race", false},
		{"Prevent unbounded recursion in the parser", nil, typeBugFix, "title word prevent unbounded recursion", false},
		{"Do not leak buffers on timeout", nil, typeBugFix, "title word do not leak", false},
		{"Do not show the banner", nil, typeFeature, "default", false},
		{"Reduce allocations in the encoder", nil, typePerformance, "title word reduce allocations", false},
		{"Reduce the number of options", nil, typeFeature, "default", false},
		{"Use a deque instead of a list", nil, typeRefactor, "title word use a deque instead of", false},
		{"Make a shared pool for connections", nil, typeRefactor, "title word make a shared", false},
		{"Split the loader into two files", nil, typeRefactor, "title word split", false},
		{"Prepare for release 5.5.0", nil, typeRefactor, "title word prepare for release 5.5", false},
		{"Bump version to v1.2.3", nil, typeRefactor, "title word bump version to v1.2", false},
		{"v5.4.0rc1", nil, typeRefactor, "title word v5.4.0rc1", false},
		{"Celery v5.3.0 release", nil, typeRefactor, "title word celery v5.3.0 release", false},
		{"Release the lock on errors", nil, typeFeature, "default", false},
		{"Bump the limit of workers", nil, typeFeature, "default", false},
		{"Add unit tests for the parser", nil, typeRefactor, "title word add unit tests for", false},
		{"Add more tests", nil, typeRefactor, "title word add more tests", false},
		{"Increase test coverage of the loader", nil, typeRefactor, "title word increase test coverage of", false},
		{"Add a retry option and tests", nil, typeFeature, "title word add", false},
		{"Add test runner support", nil, typeFeature, "title word add", false},
		{"docs: fix typo", nil, typeRefactor, "prefix docs", false},
		{"Fix typos in the guide", nil, typeFeature, "default", false},
		{"Fix lint errors, rename x", nil, typeRefactor, "title word rename", false},
		{"Fix typos", []string{"bug"}, typeBugFix, "label bug", true},
		{"chore: tidy up", nil, typeRefactor, "prefix chore", false},
		{"chore: update things", nil, typeRefactor, "prefix chore", false},
		{"ci: update things", []string{"enhancement"}, typeFeature, "label enhancement", false},
		{"[Fix] closing", nil, typeBugFix, "prefix fix", true},
		{"[Bug Fix] closing", nil, typeBugFix, "prefix bug fix", true},
		{"BUG: closing", nil, typeBugFix, "prefix bug", true},
		{"ENH: closing", nil, typeFeature, "prefix enh", false},
		{"🐛 fix: closing", nil, typeBugFix, "prefix fix", true},
		{"net/http: fix closing", nil, typeBugFix, "title word fix", true},
		{"Note: this adds support", nil, typeFeature, "title word adds", false},
		{"Support fixed-size arrays", nil, typeFeature, "title word support", true},
		{"Fixes #123", nil, typeBugFix, "title word fixes", true},
		{"Prefix the names", nil, typeFeature, "default", false},
		{"Make parsing faster", nil, typePerformance, "title word faster", false},
		{"Refactor the loader", nil, typeRefactor, "title word refactor", false},
		{"Add rename support", nil, typeFeature, "title word add", false},
		{"Handle CVE-2025-1234 in parser fix", nil, typeSecurity, "title word cve-2025-1234", true},
		{"Prevent SQL injection", nil, typeSecurity, "title word sql injection", false},
		{"Add SecurityContext", nil, typeFeature, "title word add", false},
		{"Update x", []string{"kind/bug", "area/core"}, typeBugFix, "label kind/bug", true},
		{"Update x", []string{"type: bug", "security"}, typeSecurity, "label security", true},
		{"Update x", []string{"not a bug"}, typeFeature, "default", false},
		{"Update x", []string{"needs security review"}, typeFeature, "default", false},
		{"Update x", []string{"feature/bug"}, typeFeature, "default", false},
		{"Update x", []string{"performance"}, typePerformance, "label performance", false},
		{"Update x", []string{"tech-debt"}, typeRefactor, "label tech-debt", false},
		{"Update x", []string{"Debugger"}, typeFeature, "default", false},
		{"", nil, typeFeature, "default", false},
	}
	for _, tt := range tests {
		got, from := PRType(tt.title, tt.labels)
		bug, why := BugFix(tt.title, tt.labels)
		if got != tt.want || from != tt.from || bug != tt.bug || bug != (why != "") {
			t.Errorf("%q %v: %s (%s), bug %v (%s); want %s (%s), bug %v", tt.title, tt.labels, got, from, bug, why, tt.want, tt.from, tt.bug)
		}
	}
}

func TestLanguage(t *testing.T) {
	lines := func(path string, n int) string {
		hunk := "@@ -0,0 +1," + itoa(n) + " @@\n"
		for range n {
			hunk += "+x\n"
		}
		return "diff --git a/" + path + " b/" + path + "\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/" + path + "\n" + hunk
	}
	tests := map[string]struct {
		diff, repository, want string
	}{
		"most lines":                   {lines("a.py", 3) + lines("b.go", 4), "", "Go"},
		"tie, first by name":           {lines("a.py", 3) + lines("b.go", 3), "", "Go"},
		"two files of one language":    {lines("a.py", 3) + lines("b.go", 4) + lines("c.py", 2), "", "Python"},
		"tests do not count":           {lines("tests/test_a.py", 50) + lines("b.go", 1), "", "Go"},
		"docs and data do not count":   {lines("README.md", 50) + lines("a.json", 50) + lines("a.yml", 50) + lines("b.go", 1), "", "Go"},
		"vendored does not count":      {lines("vendor/x/a.go", 50) + lines("b.py", 1), "", "Python"},
		"typescript with markup":       {lines("a.tsx", 5) + lines("b.js", 4), "", "TypeScript"},
		"another language":             {lines("native/a.c", 30) + lines("A.java", 10), "", "C"},
		"rust":                         {lines("a.rs", 30), "", "Rust"},
		"c sharp":                      {lines("a.cs", 30), "", "C#"},
		"php":                          {lines("a.php", 30), "", "PHP"},
		"only tests":                   {lines("tests/test_a.py", 5) + lines("README.md", 50), "Go", "Python"},
		"only data":                    {lines("a.yml", 5), "Go", "YAML"},
		"nothing known":                {lines("LICENSE", 5), "Go", "Go"},
		"nothing known of the project": {lines("LICENSE", 5), "", ""},
	}
	for name, tt := range tests {
		if got := Language(parse(t, tt.diff), tt.repository, nil); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	for name, tt := range map[string]struct{ diff, want string }{
		"of the five before another":     {lines("native/a.c", 30) + lines("A.java", 10) + lines("b.go", 2), "Java"},
		"written before generated":       {lines("api/__generated__/a.go", 30) + lines("a.py", 2), "Python"},
		"generated before another":       {lines("api/__generated__/a.go", 3) + lines("a.c", 30), "Go"},
		"another where none is produced": {lines("native/a.c", 30) + lines("tests/test_a.py", 50), "C"},
	} {
		if got := Language(parse(t, tt.diff), "Python", languages.All()); got != tt.want {
			t.Errorf("supported languages, %s: %q, want %q", name, got, tt.want)
		}
	}
}
