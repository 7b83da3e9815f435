// Package pathkind says from a path alone what a file is: a test,
// documentation, production source, a dependency manifest. go-enry is asked for
// generated files; its notion of a test misses most of the languages' conventions, and its notion of a vendored file
// includes production code, so those rules are ours.
//
// Paths are slash separated, relative to the root of the repository, as git
// and GitHub write them. Every function answers in time linear in the path.
package pathkind

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-enry/go-enry/v2"
	"github.com/go-enry/go-enry/v2/data"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/pattern"
	"github.com/prforge/prforge/internal/syntax"
)

// Language is the name of the supported language of a file, by its extension, or
// "" for any other file. It is asked before go-enry because ".ts" alone is also a
// Qt translation and ".js" several dialects: a path has to be enough.
func Language(p string) string {
	if l := languages.Detect(p); l != nil {
		return l.Name
	}
	return ""
}

// IsSource reports whether a file is source code in a supported language, test or
// not.
func IsSource(p string) bool { return languages.Detect(p) != nil }

// IsProduction reports whether a file is source code in a supported language that
// is neither a test, nor vendored, nor documentation, nor a scratch file, nor the
// configuration of a tool that reads the code.
func IsProduction(p string) bool {
	return IsSource(p) && !IsTest(p) && !IsVendored(p) && !IsDocs(p) && !aside.MatchString(p)
}

// aside matches scripts that configure linters and formatters, and files in which
// people try things out.
var aside = regexp.MustCompile(`(?i)(?:^|/)(?:(?:\.(?:eslint|prettier|stylelint|commitlint|lintstaged)rc|(?:eslint|prettier|stylelint|commitlint|lint-staged)\.config)\.[cm]?[jt]s|(?:scratch|play|playground|sandbox)\.[a-z]{1,4})$|(?:^|/)\.?scratch/`)

// testDirectory matches directories that hold tests, their data and their
// helpers, in the conventions of the languages' test tools.
var testDirectory = regexp.MustCompile(`(?:^|/)(?:` +
	`tests?|testing|testdata|test[-_]data|testsuites?|test[-_]?utils?|spec` +
	`|(?:unit|integration|functional|acceptance|system|smoke|regression|browser|contract|performance|perf|load|stress|api|ui|end[-_]to[-_]end)[-_]?tests?` +
	ofLanguages(func(f *syntax.Family) []string { return f.TestDirectories }) + `)/`)

// testFile matches the names of test files outside such directories.
var testFile = regexp.MustCompile(`(?:^|/)(?:` +
	`[^/]*_(?:test|spec)\.(?:rb|rs|c|cc|cpp|exs|dart|lua)|[^/]*Tests?\.(?:cs|swift|php)` +
	`|[^/]*\.snap` + ofLanguages(func(f *syntax.Family) []string { return f.TestFiles }) + `)$`)

// ofLanguages are the alternatives that the languages add to a pattern.
func ofLanguages(rules func(f *syntax.Family) []string) string {
	var out strings.Builder
	for _, family := range languages.All().Families() {
		for _, rule := range rules(family) {
			out.WriteString("|" + rule)
		}
	}
	return out.String()
}

// testHints are texts: every test's path contains one. Searching for them first spares most paths the two costly
// patterns.
var testHints = func() []string {
	hints := []string{"est", "pec", ".snap"}
	for _, family := range languages.All().Families() {
		for _, hint := range family.TestHints {
			if !slices.Contains(hints, hint) {
				hints = append(hints, hint)
			}
		}
	}
	return hints
}()

// IsTest reports whether a file belongs to the tests: test code, fixtures,
// snapshots and helpers alike. A file under a test directory is a test
// whatever its name.
func IsTest(p string) bool {
	return slices.ContainsFunc(testHints, func(hint string) bool { return strings.Contains(p, hint) }) && isTest(p)
}

// isTest uses the path above src/main, if there is one: in the layout of Maven and Gradle, everything below ships
// with the module, whatever its name.
func isTest(p string) bool {
	module, _, ships := strings.Cut("/"+p, "/src/main/")
	if ships {
		return testDirectory.MatchString(module + "/")
	}
	return testDirectory.MatchString(p) || testFile.MatchString(p)
}

// docsExtension matches formats that are written to be read.
var docsExtension = regexp.MustCompile(`(?i)\.(?:md|mdx|markdown|mkd|rst|adoc|asciidoc|textile|org|rdoc|tex)$`)

// docsName matches files that are documentation whatever their extension.
var docsName = regexp.MustCompile(`(?i)(?:^|/)(?:(?:readme|changelog|licen[cs]e|copying|notice)(?:[-_.][^/]*)?` +
	`|(?:changes|history|news|release[-_]?notes|contributing|contributors|authors|maintainers|code[-_]of[-_]conduct|security|governance|install|todo|roadmap|citation)(?:\.txt|\.cff)?)$`)

// docsDirectory matches directories of documentation.
var docsDirectory = regexp.MustCompile(`(?i)(?:^|/)(?:docs?|documentation|javadoc|man|changelog\.d|newsfragments|\.changeset)/`)

// docsConfig matches the few programs that every documentation folder needs to
// be built, which say nothing about the product.
var docsConfig = regexp.MustCompile(`(?i)(?:^|/)(?:docs?|documentation)/(?:[^/]+/)?(?:conf\.py|makefile|make\.bat|requirements[^/]*\.txt)$`)

// programs are extensions of code beyond the supported languages. Such files are not documentation, even in a
// documentation folder.
var programs = regexp.MustCompile(`(?i)\.(?:c|cc|cpp|h|hpp|rs|rb|kt|kts|scala|cs|swift|php|sh|bash|ps1|vue|svelte|html?|s?css|less|sql|proto|json|ya?ml|toml|xml|gradle|lock)$`)

// IsDocs reports whether a file is documentation: prose formats anywhere, the
// customary files (README, CHANGELOG, LICENSE), and everything in a
// documentation folder that is not a program. Code of a documentation site is
// code.
func IsDocs(p string) bool {
	if docsConfig.MatchString(p) {
		return true
	}
	if IsSource(p) {
		return false
	}
	if docsExtension.MatchString(p) {
		return true
	}
	if programs.MatchString(p) {
		return false
	}
	return docsName.MatchString(p) || docsDirectory.MatchString(p)
}

// docsSite matches what a documentation site is made of, at the root or as a
// package of a monorepo.
var docsSite = regexp.MustCompile(`(?i)^(?:(?:packages|apps|sites)/)?(?:docs?|documentation|website|site)/`)

// IsDocumentation reports whether a file is documentation or belongs, code and
// data alike, to the project's documentation site: it changes nothing that users
// of the product run.
func IsDocumentation(p string) bool { return IsDocs(p) || docsSite.MatchString(p) && !IsTest(p) }

// IsProduct reports whether a file, in whatever language, is what people wrote
// for the product: no test, documentation or lock file, and nothing that is
// generated or vendored.
func IsProduct(p string) bool {
	return !IsTest(p) && !IsDocs(p) && !IsVendored(p) && !IsGenerated(p, nil) && !IsDependencyFile(p)
}

// dependencyFile matches the files in which projects pin what they depend on,
// the lock files, and what dependency tools also raise: workflow actions, base
// images, hooks.
var dependencyFile = regexp.MustCompile(`(?i)(?:^|/)(?:` +
	`go\.(?:mod|sum|work|work\.sum)` +
	`|package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|deno\.lock|\.nvmrc|\.node-version` +
	`|[^/]*requirements[^/]*\.(?:txt|in)|requirements/[^/]*\.(?:txt|in)|constraints[^/]*\.txt|pipfile(?:\.lock)?|poetry\.lock|pdm\.lock|uv\.lock|pixi\.(?:lock|toml)|pyproject\.toml|setup\.(?:cfg|py)|environment[^/]*\.ya?ml|tox\.ini` +
	`|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.(?:properties|lockfile)|gradle-wrapper\.(?:properties|jar)|gradlew(?:\.bat)?|libs\.versions\.toml|maven-wrapper\.properties` +
	`|cargo\.(?:toml|lock)|gemfile(?:\.lock)?|[^/]*\.gemspec|composer\.(?:json|lock)|[^/]*\.csproj|packages\.lock\.json|mix\.(?:exs|lock)|flake\.lock` +
	`|dockerfile[^/]*|[^/]*\.dockerfile|docker-compose[^/]*\.ya?ml|\.pre-commit-config\.yaml|\.tool-versions|renovate\.json5?` +
	`)$|^\.github/(?:workflows/[^/]*\.ya?ml|actions/.*\.ya?ml|dependabot\.ya?ml)$|(?:^|/)(?:vendor|third_party|node_modules)/`)

// IsDependencyFile reports whether a file pins dependencies or is a vendored
// copy of one.
func IsDependencyFile(p string) bool { return dependencyFile.MatchString(p) }

// lockFile matches files in which tools write down what they resolved.
var lockFile = regexp.MustCompile(`(?i)(?:^|/)(?:go\.sum|go\.work\.sum|npm-shrinkwrap\.json|package-lock\.json|pnpm-lock\.yaml|packages\.lock\.json|bun\.lockb?|gradle\.lockfile|[^/]*\.lock)$`)

// snapshot matches files in which test tools write down what was printed.
var snapshot = regexp.MustCompile(`(?:^|/)__snapshots__/|\.(?:snap|ambr)$`)

// minified matches scripts without line breaks, by their names.
var minified = regexp.MustCompile(`[.-]min\.(?:js|mjs|css)$`)

// Unread says why a review skips a file, given the content if known: "lock file", "snapshot of a test", "minified",
// "vendored" or "generated"; "" for every other file.
func Unread(p string, content []byte) string {
	switch {
	case lockFile.MatchString(p):
		return "lock file"
	case snapshot.MatchString(p):
		return "snapshot of a test"
	case minified.MatchString(p):
		return "minified"
	case IsVendored(p):
		return "vendored"
	case IsGenerated(p, content):
		return "generated"
	}
	return ""
}

// vendored matches copies of other people's code. go-enry's list is not used:
// it also holds every "cache/", "env/" and "dist/" folder, every ".d.ts" file
// and names like "controls.js", which are production code in many repositories.
var vendored = pattern.MustCompile(`(?:^|/)(?:[Vv]endors?|node_modules|bower_components|jspm_packages|third[-_]?party|3rd[-_]?party|[Ee]xternals?|Godeps/_workspace|site-packages|\.yarn/(?:releases|plugins|sdks|unplugged|cache))/|[.-]min\.(?:js|mjs|css)$`)

// IsVendored reports whether a file is a copy of third-party code.
func IsVendored(p string) bool { return vendored.MatchString(p) }

// generatedHints are texts, in any case: every path that go-enry takes for generated by its name contains one.
var generatedHints = []string{".idea/", "pods/", "carthage/", ".designer.", ".feature.", "node_modules/", "vendor/",
	"lock", "shrinkwrap", ".pnp.",
	"godeps/", ".zep.", ".toml.orig", "__generated__/", "_tlb.pas", "htmlcov/", ".sqlx/"}

// IsGenerated reports whether go-enry takes a file for the output of a program,
// by its path and the content given, which may be nil. Its thirty patterns for
// names are costly, and most paths hold nothing that any of them is about.
func IsGenerated(p string, content []byte) bool {
	lower := strings.ToLower(p)
	if slices.ContainsFunc(generatedHints, func(hint string) bool { return strings.Contains(lower, hint) }) {
		return enry.IsGenerated(p, content)
	}
	ext := path.Ext(lower)
	if _, ok := data.GeneratedCodeExtensions[ext]; ok {
		return true
	}
	return slices.ContainsFunc(data.GeneratedCodeMatchers,
		func(m data.GeneratedCodeMatcher) bool { return m(lower, ext, content) })
}
