package imports

import "slices"

// Closure gathers the files that may use one file, directly or through files that
// pass its names on.
type Closure struct {
	// Path is the file.
	Path string

	g        *Graph
	resolver Resolver
	files    []*Source       // of the family, by path
	found    map[string]bool // with the file itself
	passing  map[string]bool // those found that pass names on, with the file itself
}

// next finds the files that have one of the handles, and answers the handles of
// those that pass names on; false if there are too many files.
func (c *Closure) next(handles []Handle) ([]Handle, bool) {
	candidates, ok := c.g.mentioning(c.files, handles, "importers of "+c.Path)
	if !ok {
		return nil, false
	}
	for _, f := range candidates {
		c.found[f.Path] = true
	}
	candidates = slices.DeleteFunc(candidates, func(f *Source) bool { return c.passing[f.Path] })
	var out []Handle
	for _, f := range c.resolver.Leading(c, candidates) {
		more := c.resolver.PassedOn(c, f.Path)
		c.passing[f.Path] = len(more) > 0
		out = append(out, more...)
	}
	return out, true
}

// Files lists the files of the family, by path.
func (c *Closure) Files() []*Source { return c.files }

// IsFound reports whether a file is among those found so far.
func (c *Closure) IsFound(path string) bool { return c.found[path] }

// IsPassing reports whether a file is the one asked about, or is known to pass its
// names on.
func (c *Closure) IsPassing(path string) bool { return c.passing[path] }
