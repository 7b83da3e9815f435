package scoring

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/pattern"
)

// TreeFacts are the facts about tests in a repository's tree.
type TreeFacts struct {
	Paths []string // every file
	// Configs holds the contents of the files that CoverageConfigs names, as far
	// as they were read; one that could not be read is left out.
	Configs map[string]string
}

// ciFile matches the configuration of continuous integration services.
var ciFile = regexp.MustCompile(`(?i)^(?:` +
	`\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.gitlab/ci/.+\.ya?ml|\.circleci/config\.ya?ml|\.travis\.ya?ml|\.?appveyor\.ya?ml` +
	`|azure-pipelines[^/]*\.ya?ml|\.azure-pipelines/.+\.ya?ml|\.azure/pipelines/.+\.ya?ml|eng/pipelines/.+\.ya?ml` +
	`|jenkinsfile[^/]*|\.?ci/jenkinsfile[^/]*|\.buildkite/.+\.(?:ya?ml|sh)|\.cirrus\.(?:ya?ml|star)|\.drone\.(?:ya?ml|star)|\.woodpecker(?:/.+)?\.ya?ml` +
	`|bitbucket-pipelines\.ya?ml|\.semaphore/.+\.ya?ml|\.teamcity/.+|\.tekton/.+\.ya?ml|\.prow\.ya?ml|\.zuul\.(?:ya?ml|d/.+)|zuul\.d/.+|\.evergreen/.+\.ya?ml|cloudbuild\.ya?ml` +
	`|\.(?:forgejo|gitea)/workflows/[^/]+\.ya?ml|wercker\.ya?ml|codefresh\.ya?ml` +
	`)$`)

// coverageFile matches files that exist only where coverage is measured.
var coverageFile = pattern.MustCompile(`(?i)(?:^|/)(?:` +
	`\.?coveragerc(?:\.[a-z]+)?|\.?codecov\.ya?ml|\.github/codecov\.ya?ml|\.coveralls\.ya?ml|\.?nycrc(?:\.(?:json|ya?ml))?|nyc\.config\.[cm]?js|\.c8rc(?:\.json)?|\.simplecov|\.octocov\.ya?ml|\.testcoverage\.ya?ml|jacoco[^/]*\.(?:gradle(?:\.kts)?|xml)|\.codeclimate\.ya?ml|\.istanbul\.ya?ml` +
	`)$`)

// coverageConfig matches files whose contents may configure coverage.
var coverageConfig = regexp.MustCompile(`(?i)^(?:` +
	`pyproject\.toml|setup\.cfg|tox\.ini|noxfile\.py|pytest\.ini|makefile|gnumakefile|justfile|taskfile\.ya?ml|magefile\.go|package\.json|(?:vitest|jest|karma|vite)\.config\.[cm]?[jt]s` +
	`|(?:packages/)?[^/]+/package\.json|pom\.xml|(?:[^/]+/)?build\.gradle(?:\.kts)?|build-logic/.+\.gradle(?:\.kts)?|buildsrc/.+\.gradle(?:\.kts)?` +
	`|\.github/workflows/[^/]+\.ya?ml|\.github/actions/.+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci/config\.ya?ml|\.travis\.ya?ml|azure-pipelines[^/]*\.ya?ml|jenkinsfile|(?:scripts?|hack|ci|\.ci|tools?)/[^/]+\.(?:sh|py|js|mjs)` +
	`)$`)

// coverageText matches the names of coverage tools and their switches.
var coverageText = pattern.MustCompile(`(?i)codecov|coveralls|jacoco|kover\b|cobertura|istanbul|\bnyc\b|\bc8\b|@vitest/coverage|collectcoverage|coveragethreshold|coveragereporters|(?:^|\s|")--coverage\b|--cov[=\s"']|pytest-cov|\[tool\.coverage|\[coverage:|coverage run|-coverprofile|go test[^\n]{0,200}\s-cover\b|-covermode|covdata|simplecov|llvm-cov|tarpaulin|sonar\.coverage|\bgcovr?\b|\blcov\b`)

// maxCoverageConfigs bounds how many files CoverageConfigs names.
const maxCoverageConfigs = 60

// CoverageConfigs names the files of a tree whose contents can show that
// coverage is measured, by path and at most 60: what to read into
// TreeFacts.Configs.
func CoverageConfigs(paths []string) []string {
	var out []string
	for _, p := range paths {
		if coverageConfig.MatchString(p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), maxCoverageConfigs)]
}

// testQuality is the component of spec section 3 as its three parts.
func testQuality(t *TreeFacts, o RepositoryScoreOptions) []model.ScorePart {
	const files, ci, coverage = "test_files", "ci_configuration", "coverage_tooling"
	if t == nil {
		const why = "the repository's files could not be listed, or were not asked for because the score could not reach the minimum"
		return []model.ScorePart{missing(files, o.TestFilesFull, why), missing(ci, o.MaxCI, why),
			missing(coverage, o.MaxCoverage, why)}
	}
	configs := 0
	for _, p := range t.Paths {
		if ciFile.MatchString(p) {
			configs++
		}
	}
	return []model.ScorePart{
		testFiles(files, t, o),
		measured(ci, o.MaxCI, min(1, float64(configs)), "full marks for any configuration of continuous integration",
			scoreInput("files", float64(configs))),
		coverageTooling(coverage, t, o),
	}
}

// testFiles counts test files among all source files.
func testFiles(name string, t *TreeFacts, o RepositoryScoreOptions) model.ScorePart {
	tests, sources := 0, 0
	for _, p := range t.Paths {
		if pathkind.IsVendored(p) || !isProgram(languageOf(p)) {
			continue
		}
		sources++
		if pathkind.IsTest(p) {
			tests++
		}
	}
	points := 0.0
	switch {
	case tests > 0 && float64(tests) >= o.MinTestShare*float64(sources):
		points = o.TestFilesFull
	case tests >= o.MinTestFiles:
		points = o.TestFilesSome
	}
	return measured(name, o.TestFilesFull, points/o.TestFilesFull,
		fmt.Sprintf("full marks when %g%% of the source files are tests", 100*o.MinTestShare),
		scoreInput("tests", float64(tests)), scoreInput("sources", float64(sources)))
}

// coverageTooling checks names first, then the configuration files. If a file that may decide was not read, the part
// is missing.
func coverageTooling(name string, t *TreeFacts, o RepositoryScoreOptions) model.ScorePart {
	for _, p := range t.Paths {
		if coverageFile.MatchString(p) {
			return measured(name, o.MaxCoverage, 1, "", scoreInput(p, 1))
		}
	}
	unread := 0
	for _, p := range CoverageConfigs(t.Paths) {
		text, read := t.Configs[p]
		if !read {
			unread++
		} else if coverageText.MatchString(text) {
			return measured(name, o.MaxCoverage, 1, "", scoreInput(p, 1))
		}
	}
	if unread > 0 {
		return missing(name, o.MaxCoverage, fmt.Sprintf("%d configuration files could not be read", unread))
	}
	return measured(name, o.MaxCoverage, 0, "full marks for a coverage tool in the configuration")
}
