package pathkind

import (
	"regexp"
	"testing"
)

func TestIsTest(t *testing.T) {
	for p, want := range map[string]bool{
		"core/src/main/java/org/boot/test/Context.java":  false,
		"dask/tests/test_base.py":                        true,
		"test_x.py":                                      true,
		"pkg/foo_test.go":                                true,
		"pkg/foo_test.py":                                true,
		"conftest.py":                                    true,
		"app/tests.py":                                   true,
		"src/__tests__/a.js":                             true,
		"lib/rules/x/__tests__/index.mjs":                true,
		"src/a.test.mjs":                                 true,
		"src/a.spec.tsx":                                 true,
		"src/types.test-d.ts":                            true,
		"e2e/login.ts":                                   true,
		"cypress/support/commands.js":                    true,
		"core/src/test/java/io/A.java":                   true,
		"core/src/main/java/io/ATest.java":               false,
		"core/src/main/java/io/TestA.java":               false,
		"app/src/androidTest/java/A.java":                true,
		"lib/src/testFixtures/java/A.java":               true,
		"testsuite/src/main/java/io/EchoTest.java":       true,
		"testsuite/src/main/java/io/Echo.java":           true,
		"streams/integration-tests/src/main/java/A.java": true,
		"pkg/testdata/golden.json":                       true,
		"src/__snapshots__/a.js.snap":                    true,
		"tests/README.md":                                true,
		"testing/kit.go":                                 true,
		"spec/models/user_spec.rb":                       true,

		"src/contest.py":                          false,
		"src/latest/api.go":                       false,
		"src/attestation/x.go":                    false,
		"pkg/protest.go":                          false,
		"src/fastest.ts":                          false,
		".github/workflows/test.yml":              false,
		"src/main/java/io/Testament.java":         false,
		"src/main/java/io/Latest.java":            false,
		"src/main/java/io/AIT.java":               false,
		"src/inspector/index.ts":                  false,
		"src/ab-test/variant.ts":                  false,
		"specs/openapi.yaml":                      false,
		"functional_tests/login.py":               true,
		"app/src/integrationTest/java/A.java":     true,
		"src/manifest.ts":                         false,
		"dask/utils_test_helpers.py":              false,
		"handler/src/main/java/io/netty/Ssl.java": false,
		"": false,
	} {
		if got := IsTest(p); got != want {
			t.Errorf("IsTest(%q) = %v, want %v", p, got, want)
		}
	}
}

// TestIsTestCoversCommonPattern checks IsTest against the pattern that outside
// checkers of the dataset use: whatever that takes for a test is one for us.
func TestIsTestCoversCommonPattern(t *testing.T) {
	common := regexp.MustCompile(`(^|/)(tests?|__tests__|testing|testdata|spec)/|_test\.(go|py)$|\.(test|spec)\.[cm]?[jt]sx?$|(Test|Tests|IT)\.java$|(^|/)(test_[^/]*|conftest)\.py$`)
	for _, dir := range []string{"", "a/", "tests/", "test/", "x/__tests__/", "testing/", "a/testdata/", "spec/", "contest/"} {
		for _, name := range []string{"a.py", "test_a.py", "a_test.py", "a_test.go", "conftest.py", "a.test.js", "a.spec.cts", "ATest.java", "ATests.java", "AIT.java", "A.java", "a.md", "Makefile"} {
			if p := dir + name; common.MatchString(p) && !IsTest(p) {
				t.Errorf("IsTest(%q) = false", p)
			}
		}
	}
}

func TestIsDocs(t *testing.T) {
	for p, want := range map[string]bool{
		"README.md":                           true,
		"docs/source/develop.rst":             true,
		"docs/source/conf.py":                 true,
		"doc/conf.py":                         true,
		"docs/images/a.png":                   true,
		"packages/docs/content/api.mdx":       true,
		"CHANGELOG":                           true,
		"LICENSE":                             true,
		"LICENSE.txt":                         true,
		"History.md":                          true,
		"AUTHORS":                             true,
		"docs/reference.txt":                  true,
		"docs/Makefile":                       true,
		"packages/docs/components/page.tsx":   false,
		"docs/src/app.js":                     false,
		"docs/site/package.json":              false,
		"requirements.txt":                    false,
		"CMakeLists.txt":                      false,
		"src/security/policy.go":              false,
		"src/history.ts":                      false,
		"Makefile":                            false,
		"config/install.sh":                   false,
		"src/news.py":                         false,
		"internal/readme/readme.go":           false,
		"bin/install-helper":                  false,
		"charts/release-1.5":                  false,
		"keys/maintainer.asc":                 false,
		"LICENSE-MIT":                         true,
		"CITATION.cff":                        true,
		"pkg/man/page.go":                     false,
		"release-notes.json":                  false,
		".github/workflows/documentation.yml": false,
	} {
		if got := IsDocs(p); got != want {
			t.Errorf("IsDocs(%q) = %v, want %v", p, got, want)
		}
	}
}

func TestIsDependencyFile(t *testing.T) {
	for p, want := range map[string]bool{
		"go.mod": true, "sub/go.sum": true, "package.json": true, "yarn.lock": true,
		"requirements.txt": true, "requirements/test.txt": true, "requirements-dev.txt": true,
		"pyproject.toml": true, "pom.xml": true, "core/pom.xml": true, "build.gradle.kts": true,
		"gradle/libs.versions.toml": true, ".github/workflows/ci.yml": true, "Dockerfile": true,
		"vendor/github.com/a/b.go": true, ".pre-commit-config.yaml": true,
		"src/package.ts": false, "docs/requirements.md": false, "main.go": false,
		"config/settings.yml": false, "lib/vendor.js": false,
	} {
		if got := IsDependencyFile(p); got != want {
			t.Errorf("IsDependencyFile(%q) = %v, want %v", p, got, want)
		}
	}
}

func TestIsProduction(t *testing.T) {
	for p, want := range map[string]bool{
		"dask/base.py": true, "lib/express.js": true, "src/a.d.ts": true, "pkg/compose/up.go": true,
		"dask/tests/test_base.py": false, "docs/conf.py": false, "README.md": false,
		"node_modules/a/index.js": false, "vendor/a/b.go": false, "go.mod": false,
		".eslintrc.cjs": false, "eslint.config.mjs": false, "packages/a/.prettierrc.js": false, "play.ts": false, "packages/zod/playground.ts": false,
		"src/eslint.ts": true, "src/display.ts": true, "src/play/board.ts": true, "src/scratch/pad.py": false,
		"django/core/cache/base.py": true, "third_party/a.js": false, "static/jquery.min.js": false, "src/controls.js": true,
	} {
		if got := IsProduction(p); got != want {
			t.Errorf("IsProduction(%q) = %v, want %v", p, got, want)
		}
	}
}
