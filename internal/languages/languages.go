// Package languages lists the programming languages that prforge reads. What is
// known of one is in a folder of its own below this one.
package languages

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages/csharp"
	"github.com/prforge/prforge/internal/languages/golang"
	"github.com/prforge/prforge/internal/languages/java"
	"github.com/prforge/prforge/internal/languages/python"
	"github.com/prforge/prforge/internal/languages/rust"
	"github.com/prforge/prforge/internal/languages/script"
	"github.com/prforge/prforge/internal/syntax"
)

// registry has a line for each family of languages.
var registry = []entry{
	{python.NewResolver, []*syntax.Language{python.Language}},
	{script.NewResolver, []*syntax.Language{script.JavaScript, script.TypeScript, script.TSX}},
	{golang.NewResolver, []*syntax.Language{golang.Language}},
	{java.NewResolver, []*syntax.Language{java.Language}},
	{rust.NewResolver, []*syntax.Language{rust.Language}},
	{csharp.NewResolver, []*syntax.Language{csharp.Language}},
}

// entry is a family of languages.
type entry struct {
	resolver  func(*imports.Graph) imports.Resolver
	languages []*syntax.Language
}

// Set is some of the languages. It is never changed.
type Set struct {
	families    []*syntax.Family
	byExtension map[string]*syntax.Language
}

// all is the set of all languages.
var all = newSet(func(*syntax.Language) bool { return true })

func newSet(has func(*syntax.Language) bool) *Set {
	s := &Set{byExtension: map[string]*syntax.Language{}}
	for _, e := range registry {
		for _, l := range e.languages {
			if !has(l) {
				continue
			}
			if !slices.Contains(s.families, l.Family) {
				s.families = append(s.families, l.Family)
			}
			for _, ext := range l.Extensions {
				s.byExtension[ext] = l
			}
		}
	}
	return s
}

// All is the set of all languages.
func All() *Set { return all }

// ofPaper are the languages of the paper, which the profile "published" follows.
var ofPaper = []string{"Python", "JavaScript", "TypeScript", "Go", "Java"}

// Of is the set of the languages that take part in a dataset: those with the names
// given or, for no names, those of its profile, which are all but for the profile
// "published".
func Of(profile string, names []string) *Set {
	if len(names) == 0 && profile == "published" {
		names = ofPaper
	}
	if len(names) == 0 {
		return all
	}
	return newSet(func(l *syntax.Language) bool { return slices.Contains(names, l.Name) })
}

// Names lists the names of the languages in the order of the registry.
func Names() []string {
	var out []string
	for _, e := range registry {
		for _, l := range e.languages {
			if !slices.Contains(out, l.Name) {
				out = append(out, l.Name)
			}
		}
	}
	return out
}

// Detect returns a path's language by its extension; nil if it is none of the set.
func (s *Set) Detect(p string) *syntax.Language { return s.byExtension[strings.ToLower(path.Ext(p))] }

// Has reports whether a file is in one of the languages.
func (s *Set) Has(p string) bool { return s.Detect(p) != nil }

// Families lists the families of the languages, each once.
func (s *Set) Families() []*syntax.Family { return s.families }

// Resolver makes the resolver of a family for one import graph.
func (s *Set) Resolver(of *syntax.Family, g *imports.Graph) imports.Resolver {
	i := slices.IndexFunc(registry, func(e entry) bool { return e.languages[0].Family == of })
	return registry[i].resolver(g)
}

// Detect returns a path's language by its extension; nil if it is not supported.
func Detect(p string) *syntax.Language { return all.Detect(p) }

// Parse reads a source file in the language that its name says.
func Parse(p string, src []byte, opts syntax.Options) *syntax.File {
	return syntax.Parse(Detect(p), p, src, opts)
}

// ByID returns the language with an ID, as it is written on fenced blocks; nil if
// there is none.
func ByID(id string) *syntax.Language {
	for _, l := range all.byExtension {
		if l.ID == id {
			return l
		}
	}
	return nil
}
