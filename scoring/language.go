package scoring

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/go-enry/go-enry/v2"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
)

// Language is the language with the most changed lines among the production files of a diff (spec section 7), as
// go-enry names it; ties go to the first by name. Supported languages come before all others, because filter 3
// admitted the record for one of them. If no production file changed, the test files decide, then every file but
// prose, then the repository's own language, which may be "".
func Language(diff *unidiff.Diff, repository string, supported *languages.Set) string {
	written := func(p, l string) bool {
		return isProgram(l) && !pathkind.IsTest(p) && !pathkind.IsDocs(p) && !pathkind.IsVendored(p) &&
			!pathkind.IsGenerated(p, nil)
	}
	ways := []func(path, language string) bool{
		written,
		func(_, l string) bool { return isProgram(l) },
		func(_, l string) bool { return enry.GetLanguageType(l) != enry.Prose },
	}
	if supported != nil {
		ways = slices.Insert(ways, 0,
			func(p, l string) bool { return supported.Has(p) && pathkind.IsProduction(p) && written(p, l) },
			func(p, _ string) bool { return supported.Has(p) && pathkind.IsProduction(p) })
	}
	for _, counts := range ways {
		if l := mostChanged(diff, counts); l != "" {
			return l
		}
	}
	return repository
}

func mostChanged(diff *unidiff.Diff, counts func(path, language string) bool) string {
	lines := make(map[string]int)
	for _, f := range diff.Files {
		p := f.Path()
		if l := languageOf(p); l != "" && counts(p, l) {
			lines[l] += f.AddedLines + f.DeletedLines
		}
	}
	var languages []string
	for l := range lines {
		languages = append(languages, l)
	}
	if len(languages) == 0 {
		return ""
	}
	slices.SortFunc(languages, func(a, b string) int { return cmp.Or(lines[b]-lines[a], cmp.Compare(a, b)) })
	return languages[0]
}

// usual maps extensions that several languages share and that go-enry, without a file's text, assigns to a rare one.
var usual = map[string]string{
	".php": "PHP", ".m": "Objective-C", ".d": "D", ".v": "Verilog", ".inc": "",
}

// languageOf returns a file's language by its path: one that prforge reads, or go-enry's for the name or the
// extension.
func languageOf(p string) string {
	if l := pathkind.Language(p); l != "" {
		return l
	}
	if l, settled := usual[strings.ToLower(path.Ext(p))]; settled {
		return l
	}
	return enry.GetLanguage(p, nil)
}

// isProgram distinguishes programs from data, markup and prose.
func isProgram(language string) bool {
	return enry.GetLanguageType(language) == enry.Programming
}
