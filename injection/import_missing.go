package injection

import (
	"slices"
	"strings"
)

// missingImport (E5) imports a name from a module beside the one that has it, which
// has a name like it.
const missingImport = "E5"

// maxBeside bounds how many modules beside the right one are read for an import.
const maxBeside = 40

func missingImports(s *Source, modules Modules) []Mutation {
	statements := s.Root().NamedChildren()
	written := make([]string, len(statements)) // the modules that they import from
	for i, statement := range statements {
		written[i] = statement.Child("module_name").Text()
	}
	var out []Mutation
	for i, statement := range statements {
		names := importedNames(statement)
		if len(names) != 1 || statement.Lines().Start != names[0].Lines().End {
			continue
		}
		name := plainName(names[0]).Text()
		module := modules(dotted(statement))
		if module == nil || !module.Names[name] {
			continue
		}
		folder := written[i][:strings.LastIndex(written[i], ".")+1]
		others := drawn(module.Beside, written[i], name)
		for _, other := range others[:min(len(others), maxBeside)] {
			wrong := folder + other
			if slices.Contains(written, wrong) || !keepsOrder(written, i, wrong) {
				continue
			}
			bare := strings.TrimLeft(wrong, ".")
			if m := modules(bare, len(wrong)-len(bare)); m != nil && m.Source != nil &&
				m.mayBeThoughtToHave(name, module.Own[name]) {
				out = append(out, Mutation{Kind: missingImport, Edits: []Edit{replacing(statement.Child("module_name"), wrong)},
					Intended: written[i]})
				break
			}
		}
	}
	return out
}

// mayBeThoughtToHave reports whether a module certainly lacks a name and defines
// another one of its sort that ends with the same word, as the classes
// ExtensionManager and MiddlewareManager do.
func (m *Module) mayBeThoughtToHave(name, sort string) bool {
	parts := partsOf(name)
	if m.Open != "" || m.Names[name] || len(parts) == 0 {
		return false
	}
	for other, its := range m.Own {
		if of := partsOf(other); its == sort && len(of) > 0 && of[len(of)-1] == parts[len(parts)-1] {
			return true
		}
	}
	return false
}

// keepsOrder reports whether an import stays between the same neighbors where
// imports are sorted: out of order it would be seen without another file.
func keepsOrder(written []string, i int, wrong string) bool {
	before, behind := i == 0 || written[i-1] <= written[i], i+1 == len(written) || written[i] <= written[i+1]
	return before == (i == 0 || written[i-1] <= wrong) && behind == (i+1 == len(written) || wrong <= written[i+1])
}
