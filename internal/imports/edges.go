package imports

import (
	"slices"
	"sort"
)

// Why is how two files are tied.
type Why string

// The kinds of edges.
const (
	ByImport   Why = "import"       // an import statement
	ByReExport Why = "re-export"    // an import of a file that passes the name on
	ByPackage  Why = "same package" // a name of the package used without an import
)

// Edge says that file From uses file To.
type Edge struct {
	From, To string
	// Line of From, 1-based: the import, or the first use for ByPackage.
	Line int
	// Names are the names of To that From imports or uses, sorted; empty when the
	// module is imported as a whole and no use of it was found.
	Names []string
	Why   Why
}

// EdgeSet gathers edges by target and kind.
type EdgeSet map[edgeKey]*Edge

type edgeKey struct {
	to  string
	why Why
}

// Add notes an edge; several to one target become one, with the first line and
// all names.
func (s EdgeSet) Add(to string, why Why, line int, names ...string) {
	e := s[edgeKey{to, why}]
	if e == nil {
		e = &Edge{To: to, Why: why, Line: line}
		s[edgeKey{to, why}] = e
	}
	e.Line = min(e.Line, line)
	for _, n := range names {
		if n != "" {
			e.Names = append(e.Names, n)
		}
	}
}

// list is the edges from a file, by target and kind; edges to itself are left
// out, and so is an edge by re-export or package to a file that is imported.
func (s EdgeSet) list(from string) []Edge {
	out := make([]Edge, 0, len(s))
	for k, e := range s {
		if e.To == from {
			continue
		}
		if direct := s[edgeKey{k.to, ByImport}]; direct != nil && k.why != ByImport {
			direct.Names = append(direct.Names, e.Names...)
			continue
		}
		e.From = from
		out = append(out, *e)
	}
	for i := range out {
		// Read again: names of a dropped edge may have been added meanwhile.
		names := slices.Clone(s[edgeKey{out[i].To, out[i].Why}].Names)
		slices.Sort(names)
		out[i].Names = slices.Compact(names)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].To != out[j].To {
			return out[i].To < out[j].To
		}
		return out[i].Why < out[j].Why
	})
	return out
}
