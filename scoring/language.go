package scoring

import (
	"cmp"
	"slices"

	"github.com/go-enry/go-enry/v2"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
)

// Language is the language with the most changed lines among the production
// files of a diff (spec section 7), as go-enry names it; ties go to the first
// by name. Where no production file changed, the test files decide, then every
// file, and where none has a language the repository's own does, which may be
// "".
func Language(diff *unidiff.Diff, repository string) string {
	for _, counts := range []func(path, language string) bool{
		func(p, l string) bool {
			return isProgram(l) && !pathkind.IsTest(p) && !pathkind.IsDocs(p) && !pathkind.IsVendored(p) && !pathkind.IsGenerated(p, nil)
		},
		func(p, l string) bool { return isProgram(l) },
		func(_, _ string) bool { return true },
	} {
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

// languageOf names a file's language by its path: one of the five, or what
// go-enry has for the name or the extension.
func languageOf(path string) string {
	if l := pathkind.Language(path); l != "" {
		return l
	}
	if l, _ := enry.GetLanguageByFilename(path); l != "" {
		return l
	}
	l, _ := enry.GetLanguageByExtension(path)
	return l
}

// isProgram tells programs from data, markup and prose.
func isProgram(language string) bool {
	return enry.GetLanguageType(language) == enry.Programming
}
