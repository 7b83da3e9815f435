package scoring

import (
	"strconv"
	"testing"
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
		{"Better CPU affinity detection", nil, TypeFeature, "default", false},
		{"fix: close the file", nil, TypeBugFix, "prefix fix", true},
		{"fix(core)!: close the file", nil, TypeBugFix, "prefix fix", true},
		{"Fix(deps): bump", nil, TypeBugFix, "prefix fix", true},
		{"fix(security): escape", nil, TypeSecurity, "prefix fix(security)", true},
		{"feat: add a fix for x", nil, TypeFeature, "prefix feat", false},
		{"feat(api): x", []string{"bug"}, TypeFeature, "prefix feat", true},
		{"perf: x", nil, TypePerformance, "prefix perf", false},
		{"refactor(core): fix names", nil, TypeRefactor, "prefix refactor", false},
		{"docs: fix links", nil, TypeRefactor, "prefix docs", false},
		{"test: add a case for empty input", nil, TypeRefactor, "prefix test", false},
		{"chore: drop a vulnerable dependency", nil, TypeSecurity, "title word vulnerable", false},
		{"Avoid a race between close and read", nil, TypeBugFix, "title word avoid a race", false},
		{"Prevent unbounded recursion in the parser", nil, TypeBugFix, "title word prevent unbounded recursion", false},
		{"Do not leak buffers on timeout", nil, TypeBugFix, "title word do not leak", false},
		{"Do not show the banner", nil, TypeFeature, "default", false},
		{"Reduce allocations in the encoder", nil, TypePerformance, "title word reduce allocations", false},
		{"Reduce the number of options", nil, TypeFeature, "default", false},
		{"Use a deque instead of a list", nil, TypeRefactor, "title word use a deque instead of", false},
		{"Make a shared pool for connections", nil, TypeRefactor, "title word make a shared", false},
		{"Split the loader into two files", nil, TypeRefactor, "title word split", false},
		{"docs: fix typo", nil, TypeRefactor, "prefix docs", false},
		{"Fix typos in the guide", nil, TypeFeature, "default", false},
		{"Fix lint errors, rename x", nil, TypeRefactor, "title word rename", false},
		{"Fix typos", []string{"bug"}, TypeBugFix, "label bug", true},
		{"chore: tidy up", nil, TypeRefactor, "prefix chore", false},
		{"chore: update things", nil, TypeRefactor, "prefix chore", false},
		{"ci: update things", []string{"enhancement"}, TypeFeature, "label enhancement", false},
		{"[Fix] closing", nil, TypeBugFix, "prefix fix", true},
		{"[Bug Fix] closing", nil, TypeBugFix, "prefix bug fix", true},
		{"BUG: closing", nil, TypeBugFix, "prefix bug", true},
		{"ENH: closing", nil, TypeFeature, "prefix enh", false},
		{"🐛 fix: closing", nil, TypeBugFix, "prefix fix", true},
		{"net/http: fix closing", nil, TypeBugFix, "title word fix", true},
		{"Note: this adds support", nil, TypeFeature, "title word adds", false},
		{"Support fixed-size arrays", nil, TypeFeature, "title word support", true},
		{"Fixes #123", nil, TypeBugFix, "title word fixes", true},
		{"Prefix the names", nil, TypeFeature, "default", false},
		{"Make parsing faster", nil, TypePerformance, "title word faster", false},
		{"Refactor the loader", nil, TypeRefactor, "title word refactor", false},
		{"Add rename support", nil, TypeFeature, "title word add", false},
		{"Handle CVE-2025-1234 in parser fix", nil, TypeSecurity, "title word cve-2025-1234", true},
		{"Prevent SQL injection", nil, TypeSecurity, "title word sql injection", false},
		{"Add SecurityContext", nil, TypeFeature, "title word add", false},
		{"Update x", []string{"kind/bug", "area/core"}, TypeBugFix, "label kind/bug", true},
		{"Update x", []string{"type: bug", "security"}, TypeSecurity, "label security", true},
		{"Update x", []string{"not a bug"}, TypeFeature, "default", false},
		{"Update x", []string{"needs security review"}, TypeFeature, "default", false},
		{"Update x", []string{"feature/bug"}, TypeFeature, "default", false},
		{"Update x", []string{"performance"}, TypePerformance, "label performance", false},
		{"Update x", []string{"tech-debt"}, TypeRefactor, "label tech-debt", false},
		{"Update x", []string{"Debugger"}, TypeFeature, "default", false},
		{"", nil, TypeFeature, "default", false},
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
		if got := Language(parse(t, tt.diff), tt.repository); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
