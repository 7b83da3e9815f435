package imports

import (
	"github.com/prforge/prforge/contextbuilder/syntax"
	"github.com/prforge/prforge/internal/model"
)

// Options bound a graph's work.
type Options struct {
	// Syntax are the limits for parsing.
	Syntax syntax.Options
	// MaxReExports is how many re-exporting files (package __init__, index
	// files) a name is followed through.
	MaxReExports int
	// MaxCandidates is how many files that mention a name may be parsed to answer
	// Defines, CallersOf or ImportedBy; the rest are left out, by path, and
	// Problems says so.
	MaxCandidates int
}

// DefaultOptions are limits that fit repositories of tens of thousands of files.
func DefaultOptions() Options {
	return Options{Syntax: syntax.DefaultOptions(), MaxReExports: 8, MaxCandidates: 2_000}
}

// Why is how two files are tied.
type Why string

// The ties.
const (
	ByImport   Why = "import"       // an import statement
	ByReExport Why = "re-export"    // an import of a file that passes the name on
	ByPackage  Why = "same package" // Go and Java: a name of the package used without an import
)

// Edge says that file From uses file To.
type Edge struct {
	From, To string
	// Line of From, 1-based: the import, or the first use for ByPackage.
	Line int
	// Names are the names of To that From imports or uses, sorted; empty when the
	// module is imported as a whole and no use of it could be told.
	Names []string
	Why   Why
}

// Location is a definition in a file.
type Location struct {
	Path string
	// Def is an index into the Definitions of File(Path).
	Def        int
	Definition syntax.Definition
}

// CallSite is a call of a definition.
type CallSite struct {
	Path string
	Call syntax.Call
	// Caller is the definition around the call; nil at the top level.
	Caller *Location
}

// Callee is a call resolved to a definition in the repository.
type Callee struct {
	Call   syntax.Call
	Target Location
}

// Problem is a file, or a question, that the graph could not fully answer.
type Problem struct{ Path, Reason string }

// Graph answers questions about one snapshot. It is not safe for concurrent
// use; its Cache is.
type Graph struct {
	snap  model.Snapshot
	cache *Cache
	opts  Options
}

// Build prepares the graph of a snapshot. It reads configuration files (go.mod,
// package.json, tsconfig.json), not sources: those are read when asked for.
func Build(snap model.Snapshot, cache *Cache, opts Options) *Graph {
	return &Graph{snap: snap, cache: cache, opts: opts}
}

// File is the parsed file; false if it is not in the tree, in no supported
// language, or unreadable.
func (g *Graph) File(path string) (*syntax.File, bool) { return nil, false }

// Imports lists the files of the repository that the file uses, by path.
// Imports from outside the repository have no edge.
func (g *Graph) Imports(path string) []Edge { return nil }

// ImportedBy lists the files that use the file, by path.
func (g *Graph) ImportedBy(path string) []Edge { return nil }

// Tied reports how a uses b or b uses a, directly or through re-exports, without
// looking at any third file that does not re-export; false if they are not tied.
func (g *Graph) Tied(a, b string) (Edge, bool) { return Edge{}, false }

// Defines lists the definitions with that name ("parse", "Server.Close") in the
// repository, by path and line, test files included.
func (g *Graph) Defines(name string) []Location { return nil }

// Paths lists the files whose path is the text or ends in "/" + text, by path.
func (g *Graph) Paths(text string) []string { return nil }

// CallersOf lists the calls of the top-level definition or method with that
// name in the file (a qualified name tells methods apart), from the file itself
// and from the files that import it, by path and line. A method is matched by
// name alone only where no other definition of the repository that the caller
// can see has the name.
func (g *Graph) CallersOf(path, name string) []CallSite { return nil }

// Callees lists what the lines of the file call, where it can be told for
// certain, in source order and once for each target.
func (g *Graph) Callees(path string, lines syntax.Span) []Callee { return nil }

// Problems lists what was left out, by path.
func (g *Graph) Problems() []Problem { return nil }
