package imports

import "github.com/prforge/prforge/internal/syntax"

// NoReExports is the part of a Resolver for languages in which no file passes on
// what it imports, and for which types and modules are all there is.
type NoReExports struct{}

// Exported has no answer.
func (NoReExports) Exported(*syntax.File, string, int) (Entity, bool) { return Entity{}, false }

// InFolder has no answer.
func (NoReExports) InFolder(string, string) (Entity, bool) { return Entity{}, false }

// Outside has no answer.
func (NoReExports) Outside(*syntax.File, *syntax.Definition, string, int) (Entity, bool) {
	return Entity{}, false
}

// BareCall has no answer.
func (NoReExports) BareCall(*syntax.File, syntax.Call) (Entity, bool) { return Entity{}, false }

// MayRename is false.
func (NoReExports) MayRename(...string) bool { return false }

// MayLead is true.
func (NoReExports) MayLead(*Source, string) bool { return true }

// Leading lists none.
func (NoReExports) Leading(*Closure, []*Source) []*Source { return nil }

// PassedOn lists none.
func (NoReExports) PassedOn(*Closure, string) []Handle { return nil }
